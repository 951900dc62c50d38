import { fieldsOf } from '../../change/compare/field-changes.js'
import { type ItemFate, toFates } from '../../change/compare/item-fates.js'
import { matchMenus } from '../../change/compare/match.js'
import { placedItems } from '../../change/items.js'
import type { Json, JsonMap } from '../../model/json.js'
import type { Commit } from '../../store/git/log.js'
import { ALL_FIELDS, type FieldSet, hasField, isEmptySet, within, without } from './field-set.js'
import { keyOf, type MenuHistory, type MenuVersion, readableOf } from './menu-history.js'

/** The field that is not in the text of an item: its list, and its place there. */
export const POSITION = 'position'

/** The last change of a field of an item. */
export interface FieldOrigin {
  /** A key of the item, for labels and attributes with the member, such as `label.es`; or `POSITION`. */
  readonly field: string
  /** `added` with the item; `unknown`: unchanged since the end of a shallow clone's history. */
  readonly kind: 'added' | 'edited' | 'removed' | 'moved' | 'unknown'
  /** Null for what is not committed yet. */
  readonly commit: Commit | null
  /** Whether the merge itself did it: no line of history that meets in it has the field so. */
  readonly byMerge: boolean
}

/** The origin of each field of an item, including removed ones; the newest first. */
export type ItemOrigin = readonly FieldOrigin[]

/** A menu to explain. */
export interface BlameStart {
  readonly value: Json
  /** Null for what is not committed. */
  readonly version: MenuVersion | null
  /** The versions that it was made from where it is not committed. */
  readonly before: readonly MenuVersion[]
  /** The pointer of an item: only its newest origins are found. Default: those of all fields of all items. */
  readonly only?: string
}

/** A search for who gave an item these fields. */
interface Quest {
  /** The item's pointer in the menu to explain. */
  readonly target: string
  /** The item's pointer in the version that the search has reached. */
  readonly pointer: string
  readonly fields: FieldSet
}

interface Visit {
  readonly version: MenuVersion
  readonly quests: Quest[]
}

/**
 * Finds who last changed each field of the items of a menu, by the items' pointers. The items of each version are matched
 * with those of the versions that it was made from; a field comes from the first of these with the same value. A field
 * that has its value in none of them comes from the commit itself.
 */
export async function blameItems(
  history: MenuHistory,
  start: BlameStart,
  onProgress: (versions: number) => void,
): Promise<ReadonlyMap<string, ItemOrigin>> {
  const items = new Map(placedItems(start.value).map(({ pointer, item }) => [pointer, item]))
  const origins = new Map<string, FieldOrigin[]>([...items.keys()].map((pointer) => [pointer, []]))
  const waiting = new Map<string, Visit>()
  const passOn = (version: MenuVersion, quest: Quest): void => {
    const visit = waiting.get(keyOf(version)) ?? { version, quests: [] }
    visit.quests.push(quest)
    waiting.set(keyOf(version), visit)
  }

  const visit = async (version: MenuVersion | null, quests: readonly Quest[], value: Json): Promise<void> => {
    const commit = version?.commit ?? null
    const olds = version === null ? start.before : await history.before(version)
    const readable = await readableOf(history, olds)
    const fates: ReadonlyMap<string, ItemFate>[] = []
    for (const old of readable) fates.push(toFates(matchMenus((await history.value(old)) ?? {}, value)))
    const isCut = readable.length === 0 && commit !== null && (await history.isCutOff(commit.name))
    const byMerge = readable.length > 1
    for (const { target, pointer, fields } of quests) {
      const item = items.get(target) ?? {}
      const known = readable.flatMap((old, place) => {
        const fate = fates[place]?.get(pointer)
        return fate?.before == null ? [] : [{ old, fate, before: fate.before }]
      })
      const enter = (field: string, kind: FieldOrigin['kind']): void => {
        if (hasField(fields, field)) origins.get(target)?.push({ field, kind, commit, byMerge })
      }
      if (known.length === 0) {
        for (const field of [...fieldsOf(item), POSITION]) enter(field, isCut ? 'unknown' : 'added')
        continue
      }
      let open = fields
      const take = (old: MenuVersion, before: string, taken: FieldSet): void => {
        if (!isEmptySet(taken)) passOn(old, { target, pointer: before, fields: taken })
      }
      for (const { old, fate, before } of known) {
        const changed = changedFields(fate, item)
        take(old, before, without(open, changed))
        open = within(open, changed)
      }
      // Where branches reordered one list, an item that moved on one may have stayed on another.
      const unsure = byMerge ? known.find(({ fate }) => fate.move === 'may-have') : undefined
      if (unsure !== undefined) {
        take(unsure.old, unsure.before, within(open, new Set([POSITION])))
        open = without(open, new Set([POSITION]))
      }
      const present = new Set(fieldsOf(item))
      for (const field of open.names) {
        if (field === POSITION) enter(field, 'moved')
        else if (present.has(field)) enter(field, 'edited')
        else if (!hasParts(present, field)) enter(field, 'removed')
      }
    }
  }

  const { only } = start
  const targets = only === undefined ? [...items.keys()] : [only]
  const first = targets.map((pointer): Quest => ({ target: pointer, pointer, fields: ALL_FIELDS }))
  const isFound = (): boolean => only !== undefined && origins.get(only)?.length !== 0
  await visit(start.version, first, start.value)
  for (let versions = 2; ; versions++) {
    const next = isFound() ? null : await history.takeNewest(waiting)
    if (next === null) return origins
    onProgress(versions)
    const { version, quests } = next
    await visit(version, quests, (await history.value(version)) ?? {})
  }
}

/** The changes of a version, in the fields that the item has now: for a former one-text label, each of its current texts. */
function changedFields({ edited, move }: ItemFate, item: JsonMap): ReadonlySet<string> {
  const whole = new Set(edited)
  const parts = fieldsOf(item).filter((field) => whole.has(field.split('.')[0] ?? ''))
  return new Set([...edited, ...parts, ...(move === null ? [] : [POSITION])])
}

function hasParts(fields: ReadonlySet<string>, key: string): boolean {
  return [...fields].some((field) => field.startsWith(`${key}.`))
}
