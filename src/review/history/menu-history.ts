import { LRUCache } from 'lru-cache'
import { readDocument } from '../../document/menu-document.js'
import { type Claim, claimIn, claimOf } from '../../document/read/claim.js'
import { toContextKey } from '../../model/context.js'
import type { Json } from '../../model/json.js'
import type { Limits } from '../../model/limits.js'
import { changedBetween, type FileStep, parentsOf, stepsOf } from '../../store/git/log.js'
import { readBlobs } from '../../store/git/objects.js'
import type { Repository } from '../../store/git/repository.js'
import { MENU_NAME } from '../../store/scan.js'

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
}

/** Bytes of cached texts, and of texts whose values are cached. */
const KEPT_BYTES = 16_000_000
/** With more files than this in one commit, no moved menu is searched for. */
const MAX_CANDIDATES = 500

/** Opens the history of the menus of a repository. */
export function createMenuHistory(repository: Repository, limits: Limits): MenuHistory {
  const trails = new Map<string, Trail>()
  const texts = new LRUCache<string, Uint8Array>({
    maxSize: KEPT_BYTES,
    sizeCalculation: (bytes) => bytes.length + 1,
  })
  const values = new LRUCache<string, { readonly value: Json | null; readonly size: number }>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ size }) => size + 1,
  })

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
    for (const [name, text] of found) texts.set(name, text)
    return found.get(blob) ?? null
  }

  const value: MenuHistory['value'] = async (version) => {
    const { blob } = version
    if (blob === null) return null
    const known = values.get(blob)
    if (known !== undefined) return known.value
    const text = await bytes(version)
    const read = text === null ? null : readDocument(version.path, text, limits).value
    values.set(blob, { value: read, size: text?.length ?? 0 })
    return read
  }

  /** The version of another file in which a menu was in a parent, before a commit put it into this one. */
  const elsewhereIn = async (
    parent: string,
    { commit, path }: MenuVersion,
    own: Claim | null,
  ): Promise<MenuVersion | null> => {
    const changed = await changedBetween(repository, parent, commit.name)
    const menus = changed.filter((file) => file.path !== path && MENU_NAME.test(file.path))
    const moved = menus.find(({ to }) => to === path) ?? null
    const candidates = [...(moved === null ? [] : [moved]), ...menus.filter((file) => file !== moved)]
    const some = own?.context == null ? [] : candidates.slice(0, MAX_CANDIDATES)
    const blobs = await readBlobs(
      repository,
      some.map(({ blob }) => blob),
    )
    const source = some.find((file) => {
      const text = blobs.get(file.blob) ?? new Uint8Array()
      if (text.length > limits.bytes || !Buffer.from(text).includes(own?.code ?? '')) return false
      return isSameMenu(claimOf(readDocument(file.path, text, limits)), own) === true
    })
    const found = source ?? moved
    return found === null ? null : latest(parent, found.path)
  }

  const elsewhere = async (version: MenuVersion, own: Claim | null): Promise<readonly MenuVersion[]> => {
    const found: MenuVersion[] = []
    for (const parent of await parentsOf(repository, version.commit.name)) {
      const other = await elsewhereIn(parent, version, own)
      if (other !== null) found.push(other)
    }
    return found
  }

  const before: MenuHistory['before'] = async (version) => {
    const { trail, parents, lacking } = version
    const olds = parents
      .map((name) => versionAt(trail, trail.places.get(name) ?? -1))
      .filter((old) => old !== null)
    if (version.blob === null) return olds
    const own = claimIn(await value(version))
    if (olds.length === 0) return elsewhere(version, own)
    const found: (readonly MenuVersion[])[] = []
    for (const old of olds) {
      const isOther = old.blob === null || isSameMenu(claimIn(await value(old)), own) === false
      const sources = isOther ? await elsewhere(version, own) : []
      // If the menu was not in another file, this file had another code or context until then.
      found.push(sources.length > 0 ? sources : [old])
    }
    // A side of a merge may have the menu under its former name. The sides keep their order.
    for (const { parent, behind } of [...lacking].reverse()) {
      const other = await elsewhereIn(parent, version, own)
      if (other !== null) found.splice(Math.min(behind, found.length), 0, [other])
    }
    return found.flat()
  }

  return { latest, before, bytes, value }
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

/** Removes the newest one, so that common history is reached once. */
export function takeNewest<T extends { readonly version: MenuVersion }>(waiting: Map<string, T>): T | null {
  let newest: T | null = null
  for (const each of waiting.values())
    if (newest === null || isLater(each.version, newest.version)) newest = each
  if (newest !== null) waiting.delete(keyOf(newest.version))
  return newest
}

/** Whether a version comes first in a list with the newest first. */
function isLater(a: MenuVersion, b: MenuVersion): boolean {
  if (a.commit.seconds !== b.commit.seconds) return a.commit.seconds > b.commit.seconds
  return a.path === b.path && a.rank < b.rank
}
