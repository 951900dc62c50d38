import { type ItemFate, toFates } from '../../change/compare/item-fates.js'
import { fieldsOf } from '../../change/compare/item-fields.js'
import { matchMenus } from '../../change/compare/match.js'
import { placedItems } from '../../change/items.js'
import type { Json, JsonMap } from '../../model/json.js'
import type { Commit } from '../../store/git/log.js'
import { ALL_FIELDS, type FieldSet, hasField, isEmptySet, within, without } from './field-set.js'
import { keyOf, type MenuHistory, type MenuVersion, readableOf, takeNewest } from './menu-history.js'

/** The field that is not in the text of an item: the list that it is in, and its place there. */
export const POSITION = 'position'

/** What last changed a field of an item. */
export interface FieldOrigin {
  /** A key of the item, of labels and attributes with the member, such as `label.es`; or `POSITION`. */
  readonly field: string
  /** `added` with the item; `unknown`: it is as it was where the history of a shallow clone ends. */
  readonly kind: 'added' | 'edited' | 'removed' | 'moved' | 'unknown'
  /** Null for what is not committed yet. */
  readonly commit: Commit | null
  /** Whether a merge did it by itself: none of the lines of history that meet in it has the field so. */
  readonly byMerge: boolean
}

/** The origin of each field of an item, and of those that were taken from it; the newest first. */
export type ItemOrigin = readonly FieldOrigin[]

/** A menu to be explained: its value, and the versions that it was made from. */
export interface BlameStart {
  readonly value: Json
  /** Null for what is not committed. */
  readonly version: MenuVersion | null
  readonly before: readonly MenuVersion[]
}

/** Who gave an item these fields? */
interface Quest {
  /** Where the item is in the menu that is explained. */
  readonly target: string
  /** Where it is in the version that the quest has come to. */
  readonly pointer: string
  readonly fields: FieldSet
}

interface Visit {
  readonly version: MenuVersion
  readonly quests: Quest[]
}

/**
 * Says of each field of the items of a menu who last changed it, by the pointers of the items. The items of each version
 * are matched with those of the versions that it was made from; a field that one of these has is the field of the first
 * of them that has it, and only what none has is of the commit itself.
 */
export async function blameItems(
  history: MenuHistory,
  start: BlameStart,
  isCutOff: (commit: string) => Promise<boolean>,
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

  const visit = async (
    commit: Commit | null,
    quests: readonly Quest[],
    value: Json,
    olds: readonly MenuVersion[],
  ): Promise<void> => {
    const readable = await readableOf(history, olds)
    const fates: ReadonlyMap<string, ItemFate>[] = []
    for (const old of readable) fates.push(toFates(matchMenus((await history.value(old)) ?? {}, value)))
    const isCut = readable.length === 0 && commit !== null && (await isCutOff(commit.name))
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
      // Where branches reordered one list, what had to move by one of them may have stayed by another.
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

  const first = [...items.keys()].map((pointer): Quest => ({ target: pointer, pointer, fields: ALL_FIELDS }))
  await visit(start.version?.commit ?? null, first, start.value, start.before)
  let versions = 1
  for (let next = takeNewest(waiting); next !== null; next = takeNewest(waiting)) {
    onProgress(++versions)
    const { version, quests } = next
    await visit(version.commit, quests, (await history.value(version)) ?? {}, await history.before(version))
  }
  return origins
}

/** What a version changed, in the fields that the item has now: where its label was one text, each of its texts now. */
function changedFields({ edited, move }: ItemFate, item: JsonMap): ReadonlySet<string> {
  const whole = new Set(edited)
  const parts = fieldsOf(item).filter((field) => whole.has(field.split('.')[0] ?? ''))
  return new Set([...edited, ...parts, ...(move === null ? [] : [POSITION])])
}

function hasParts(fields: ReadonlySet<string>, key: string): boolean {
  return [...fields].some((field) => field.startsWith(`${key}.`))
}
