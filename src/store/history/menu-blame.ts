import { type ItemFate, toFates } from '../../change/item-fates.js'
import type { Json } from '../../change/json.js'
import { placedItems } from '../../change/match.js'
import type { Commit } from '../git/log.js'
import type { MenuHistory, MenuVersion } from './menu-history.js'

/** What last changed an item, leaving out moves and what is below it. */
export interface ItemChange {
  /** `unknown`: the item is as it was where the history of a shallow clone ends. */
  readonly kind: 'added' | 'edited' | 'unknown'
  /** Null for what is not committed yet. */
  readonly commit: Commit | null
  /** The keys that were edited. */
  readonly keys: readonly string[]
  /** Whether a merge did it by itself: none of the lines of history that meet in it has the item so. */
  readonly byMerge: boolean
}

/** Who made an item what it is, and where it is. */
export interface ItemOrigin {
  readonly changed: ItemChange
  /** The last move, where the item was moved after it was changed, or with that; null for a commit that is still to come. */
  readonly moved: { readonly commit: Commit | null } | null
}

/** A menu to be explained: its value, and the versions that it was made from. */
export interface BlameStart {
  readonly value: Json
  /** Null for what is not committed. */
  readonly version: MenuVersion | null
  readonly before: readonly MenuVersion[]
}

/** Two questions about each item: who wrote it, and who put it where it is. */
interface Quest {
  readonly about: 'text' | 'place'
  /** Where the item is in the menu that is explained. */
  readonly target: string
  /** Where it is in the version that the quest has come to. */
  readonly pointer: string
}

interface Visit {
  readonly version: MenuVersion
  readonly quests: Quest[]
}

/**
 * Says of each item of a menu who last changed it, by its pointer. The items of each version are matched with those of
 * the versions that it was made from; what any of these has is theirs. Looks no further back than it must.
 */
export async function blameItems(
  history: MenuHistory,
  start: BlameStart,
  isCutOff: (commit: string) => Promise<boolean>,
  onProgress: (versions: number) => void,
): Promise<ReadonlyMap<string, ItemOrigin>> {
  const changed = new Map<string, ItemChange>()
  const moved = new Map<string, { readonly commit: Commit | null }>()
  const pointers = placedItems(start.value).map(({ pointer }) => pointer)
  const all = pointers.flatMap((pointer): Quest[] => [
    { about: 'place', target: pointer, pointer },
    { about: 'text', target: pointer, pointer },
  ])
  const waiting = new Map<string, Visit>()
  const passOn = (version: MenuVersion, quest: Quest): void => {
    const key = `${version.commit.name} ${version.path}`
    const visit = waiting.get(key) ?? { version, quests: [] }
    visit.quests.push(quest)
    waiting.set(key, visit)
  }

  const visit = async (
    commit: Commit | null,
    quests: readonly Quest[],
    value: Json,
    olds: readonly MenuVersion[],
  ): Promise<void> => {
    const readable = await readableOf(history, olds)
    const fates: ReadonlyMap<string, ItemFate>[] = []
    for (const old of readable) fates.push(toFates((await history.value(old)) ?? {}, value))
    const isCut = readable.length === 0 && commit !== null && (await isCutOff(commit.name))
    // A move that came with the change counts, an older one does not.
    const open = quests.filter(({ target, about }) => about === 'text' || !changed.has(target))
    for (const quest of open) {
      const own = fates.map((items) => items.get(quest.pointer))
      const keeper = own.findIndex((fate) => fate !== undefined && keeps(fate, quest.about))
      const [old, fate] = [readable[keeper], own[keeper]]
      if (old !== undefined && fate?.before != null) passOn(old, { ...quest, pointer: fate.before })
      else if (quest.about === 'place') {
        if (own.some((each) => each?.before != null)) moved.set(quest.target, { commit })
      } else {
        const nearest = own.find((each) => each?.before != null)
        const kind = nearest !== undefined ? 'edited' : isCut ? 'unknown' : 'added'
        const byMerge = readable.length > 1
        changed.set(quest.target, { kind, commit, keys: nearest?.edited ?? [], byMerge })
      }
    }
  }

  await visit(start.version?.commit ?? null, all, start.value, start.before)
  let versions = 1
  for (let next = takeNewest(waiting); next !== null; next = takeNewest(waiting)) {
    if (next.quests.every(({ target, about }) => about === 'place' && changed.has(target))) continue
    onProgress(++versions)
    const { version, quests } = next
    await visit(version.commit, quests, (await history.value(version)) ?? {}, await history.before(version))
  }
  return new Map(
    pointers.map((pointer) => {
      const change = changed.get(pointer) ?? { kind: 'unknown', commit: null, keys: [], byMerge: false }
      return [pointer, { changed: change, moved: moved.get(pointer) ?? null }]
    }),
  )
}

/** Whether an item came from a version as it is, or to where it is. */
function keeps({ before, edited, isMoved }: ItemFate, about: Quest['about']): boolean {
  return before !== null && (about === 'text' ? edited.length === 0 : !isMoved)
}

/** The versions themselves; in place of one that cannot be read, those that it was made from. Deleted ones are left out. */
export async function readableOf(
  history: MenuHistory,
  versions: readonly MenuVersion[],
): Promise<readonly MenuVersion[]> {
  const found = new Map<string, MenuVersion>()
  const seen = new Set<string>()
  const open = [...versions]
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const key = `${next.commit.name} ${next.path}`
    if (next.blob === null || seen.has(key)) continue
    seen.add(key)
    if ((await history.value(next)) !== null) found.set(key, next)
    else open.unshift(...(await history.before(next)))
  }
  return [...found.values()]
}

/** Takes out what is newest, so that what lines of history have in common is reached once. */
function takeNewest(waiting: Map<string, Visit>): Visit | null {
  let newest: readonly [key: string, visit: Visit] | null = null
  for (const each of waiting)
    if (newest === null || isLater(each[1].version, newest[1].version)) newest = each
  if (newest === null) return null
  waiting.delete(newest[0])
  return newest[1]
}

/** Whether a version comes first in a list whose newest is on top. */
export function isLater(a: MenuVersion, b: MenuVersion): boolean {
  if (a.commit.seconds !== b.commit.seconds) return a.commit.seconds > b.commit.seconds
  return a.path === b.path && a.rank < b.rank
}
