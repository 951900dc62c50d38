import { LRUCache } from 'lru-cache'
import { readDocument } from '../../document/menu-document.js'
import { type Claim, claimIn } from '../../document/read/claim.js'
import { toContextKey } from '../../model/context.js'
import type { Json } from '../../model/json.js'
import type { Limits } from '../../model/limits.js'
import { isMenuIn } from '../../store/git/commit-tree.js'
import { changedBetween, type FileStep, isBefore, isCutOff, parentsOf, stepsOf } from '../../store/git/log.js'
import { readBlobs } from '../../store/git/objects.js'
import type { Repository } from '../../store/git/repository.js'
import { MENU_NAME } from '../../store/menu-paths.js'
import { textsBefore, textsWithCode } from './menus-at.js'

/** A file as seen backwards from one commit, the newest first. */
interface Trail {
  readonly path: string
  readonly steps: readonly FileStep[]
  /** The position of each commit among the steps. */
  readonly places: ReadonlyMap<string, number>
}

/** The state of a menu's file in a commit. */
export interface MenuVersion extends FileStep {
  /** From the top of the work tree. */
  readonly path: string
  readonly trail: Trail
  /** Its position in the trail: of two versions of one second, the later one has the lower rank. */
  readonly rank: number
}

/** The versions of menus, each read on demand. Everything throws GitError where the repository is damaged. */
export interface MenuHistory {
  /** A commit's version of a file; null where the file never existed. */
  readonly latest: (commit: string, path: string) => Promise<MenuVersion | null>
  /**
   * The versions that one was made from: none where the menu began, several where lines of history meet. Follows the menu to
   * another file by its code and context, or follows the file by git's detection of moves.
   */
  readonly before: (version: MenuVersion) => Promise<readonly MenuVersion[]>
  /** The bytes of a version; none where the file was deleted, or exceeds the size limit. */
  readonly bytes: (version: MenuVersion) => Promise<Uint8Array | null>
  /** The value of a version; null where it cannot be read. */
  readonly value: (version: MenuVersion) => Promise<Json | null>
  /** Whether a shallow clone left out what a commit was made from. */
  readonly isCutOff: (commit: string) => Promise<boolean>
  /** Removes the newest version of some, so that common history is reached once. */
  readonly takeNewest: <T extends { readonly version: MenuVersion }>(
    waiting: Map<string, T>,
  ) => Promise<T | null>
}

/** Bytes of cached texts, and of texts whose values are cached. */
const KEPT_BYTES = 16_000_000
/** With more files than this in one commit, no moved menu is searched for. */
const MAX_CANDIDATES = 500

/** In which other files a menu is looked for, by their paths from the top of the work tree. */
export interface HistoryScope {
  /** Whether a file may have been the menu, because it claims the same code and context. */
  readonly isMenu: (path: string) => boolean
  /** Whether a file may be followed to a former name, which git finds. */
  readonly isFormer: (path: string) => boolean
}

const isNamed = (path: string): boolean => MENU_NAME.test(path)
const EVERYWHERE: HistoryScope = { isMenu: isNamed, isFormer: isNamed }

/** The scope of the menus of a folder, as `toTreePath` gives it; a folder that was moved is followed. */
export function scopeOf(folder: string, filePrefix: string): HistoryScope {
  return { isMenu: isMenuIn(folder, filePrefix), isFormer: isNamed }
}

/** Opens the history of the menus of a repository. */
export function createMenuHistory(
  repository: Repository,
  limits: Limits,
  { isMenu, isFormer }: HistoryScope = EVERYWHERE,
): MenuHistory {
  const trails = new Map<string, Trail>()
  const texts = new LRUCache<string, Uint8Array>({ maxSize: KEPT_BYTES })
  const values = new LRUCache<string, { readonly value: Json | null }>({ maxSize: KEPT_BYTES })
  const orders = new Map<string, Promise<boolean>>()

  const versionAt = (trail: Trail, rank: number): MenuVersion | null => {
    const step = trail.steps[rank]
    return step === undefined ? null : { ...step, path: trail.path, trail, rank }
  }

  const latest: MenuHistory['latest'] = async (commit, path) => {
    const key = `${commit} ${path}`
    const known = trails.get(key)
    if (known !== undefined) return versionAt(known, 0)
    const steps = await stepsOf(repository, commit, path)
    const trail = { path, steps, places: new Map(steps.map((step, place) => [step.commit.name, place])) }
    trails.set(key, trail)
    return versionAt(trail, 0)
  }

  const bytes: MenuHistory['bytes'] = async ({ blob, trail, rank }) => {
    if (blob === null) return null
    const known = texts.get(blob)
    if (known !== undefined) return known
    // One call of git for all older versions that there is room for: a call takes longer than reading them.
    let room = KEPT_BYTES / 2
    const wanted = trail.steps.slice(rank).flatMap((step) => {
      room -= step.bytes
      const isWanted = step.bytes <= limits.bytes && (room > 0 || step.blob === blob)
      return step.blob !== null && isWanted && !texts.has(step.blob) ? [step.blob] : []
    })
    const found = await readBlobs(repository, wanted)
    for (const [name, text] of found) texts.set(name, text, { size: text.length + 1 })
    return found.get(blob) ?? null
  }

  const value: MenuHistory['value'] = async (version) => {
    const { blob } = version
    if (blob === null) return null
    const known = values.get(blob)
    if (known !== undefined) return known.value
    const text = await bytes(version)
    const read = text === null ? null : readDocument(version.path, text, limits).value
    values.set(blob, { value: read }, { size: (text?.length ?? 0) + 1 })
    return read
  }

  /** The version of another file in which a menu was in a parent, before a commit put it into this one. */
  const elsewhereIn = async (parent: string, version: MenuVersion): Promise<MenuVersion | null> => {
    const { commit, path } = version
    const own = claimIn(await value(version))
    const changed = await changedBetween(repository, parent, commit.name)
    const others = changed.filter((file) => file.path !== path)
    const moved = others.find((file) => file.to === path && isFormer(file.path))
    const menus = others.filter((file) => file !== moved && isMenu(file.path))
    const candidates = [...(moved === undefined ? [] : [moved]), ...menus]
    const some = own?.context == null ? [] : candidates.slice(0, MAX_CANDIDATES)
    const texts = await textsBefore(repository, some)
    for await (const other of textsWithCode(own?.code ?? '', texts, limits))
      if (isSameMenu(other.claim, own)) return latest(parent, other.path)
    return moved === undefined ? null : latest(parent, moved.path)
  }

  const elsewhere = async (version: MenuVersion): Promise<readonly MenuVersion[]> => {
    const parents = await parentsOf(repository, version.commit.name)
    const found = await Promise.all(parents.map((parent) => elsewhereIn(parent, version)))
    return found.filter((other) => other !== null)
  }

  const before: MenuHistory['before'] = async (version) => {
    const { trail, parents, lacking } = version
    const olds = parents
      .map((name) => versionAt(trail, trail.places.get(name) ?? -1))
      .filter((old) => old !== null)
    if (version.blob === null) return olds
    const own = claimIn(await value(version))
    if (olds.length === 0) return elsewhere(version)
    const found: (readonly MenuVersion[])[] = []
    for (const old of olds) {
      const isOther = old.blob === null || isSameMenu(claimIn(await value(old)), own) === false
      const sources = isOther ? await elsewhere(version) : []
      // If the menu was not in another file, this file had another code or context until then.
      found.push(sources.length > 0 ? sources : [old])
    }
    // A side of a merge may have the menu under its former name. The sides keep their order.
    for (const { parent, behind } of [...lacking].reverse()) {
      const other = await elsewhereIn(parent, version)
      if (other !== null) found.splice(Math.min(behind, found.length), 0, [other])
    }
    return found.flat()
  }

  /** Whether a version comes first in a list with the newest first; commits of one second are ordered by descent. */
  const isLater = async (a: MenuVersion, b: MenuVersion): Promise<boolean> => {
    if (a.commit.seconds !== b.commit.seconds) return a.commit.seconds > b.commit.seconds
    if (a.trail === b.trail) return a.rank < b.rank
    if (a.commit.name === b.commit.name) return false
    const key = `${b.commit.name} ${a.commit.name}`
    const order = orders.get(key) ?? isBefore(repository, b.commit.name, a.commit.name)
    orders.set(key, order)
    return order
  }

  const takeNewest: MenuHistory['takeNewest'] = async (waiting) => {
    let [newest = null] = waiting.values()
    for (const each of waiting.values())
      if (newest !== null && (await isLater(each.version, newest.version))) newest = each
    if (newest !== null) waiting.delete(keyOf(newest.version))
    return newest
  }

  return { latest, before, bytes, value, isCutOff: (commit) => isCutOff(repository, commit), takeNewest }
}

/** Whether two texts claim to be one menu; null where one of them makes no claim. */
function isSameMenu(a: Claim | null, b: Claim | null): boolean | null {
  if (a?.context == null || b?.context == null) return null
  return a.code === b.code && toContextKey(a.context) === toContextKey(b.context)
}

/** The versions themselves; an unreadable one is replaced by those that it was made from. Deleted ones are left out. */
export async function readableOf(
  history: MenuHistory,
  versions: readonly MenuVersion[],
): Promise<readonly MenuVersion[]> {
  const found = new Map<string, MenuVersion>()
  const seen = new Set<string>()
  const open = [...versions]
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const key = keyOf(next)
    if (next.blob === null || seen.has(key)) continue
    seen.add(key)
    if ((await history.value(next)) !== null) found.set(key, next)
    else open.unshift(...(await history.before(next)))
  }
  return [...found.values()]
}

/** The key of a version. */
export function keyOf({ commit, path }: MenuVersion): string {
  return `${commit.name} ${path}`
}
