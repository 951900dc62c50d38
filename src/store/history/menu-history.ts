import { LRUCache } from 'lru-cache'
import type { Json } from '../../change/json.js'
import { readDocument } from '../../document/menu-document.js'
import { claimIn, claimOf } from '../../document/read/claim.js'
import { toContextKey } from '../../model/context.js'
import type { Limits } from '../../model/limits.js'
import {
  type ChangedFile,
  type Commit,
  changedBetween,
  type FileStep,
  parentsOf,
  stepsOf,
} from '../git/log.js'
import { readBlobs } from '../git/objects.js'
import type { Repository } from '../git/repository.js'
import { MENU_NAME } from '../scan.js'

/** What the file of a menu became in a commit. */
export interface MenuVersion {
  readonly commit: Commit
  /** From the top of the work tree. */
  readonly path: string
  /** Null where the file was deleted. */
  readonly blob: string | null
  /** Whether several lines of history meet here, with or without the file. */
  readonly isMerge: boolean
  /** Of two versions of one second, the later one has the lower rank. */
  readonly rank: number
}

/** The versions of menus, each read when it is asked for. Everything throws GitError where the repository is damaged. */
export interface MenuHistory {
  /** The version that a commit has of a file; null where the file was never there. */
  readonly latest: (commit: string, path: string) => Promise<MenuVersion | null>
  /**
   * The versions that one was made from: none where the menu began, several where lines of history meet. Follows the
   * menu, by its code and context, where it was in another file, else the file where git finds it moved.
   */
  readonly before: (version: MenuVersion) => Promise<readonly MenuVersion[]>
  /** The bytes of a version; none where the file was deleted, or is larger than a menu may be. */
  readonly bytes: (version: MenuVersion) => Promise<Uint8Array | null>
  /** The value of a version; null where it cannot be read. */
  readonly value: (version: MenuVersion) => Promise<Json | null>
}

/** Bytes of texts, and of texts whose values are kept. */
const KEPT_BYTES = 16_000_000
/** More files than this in one commit are not looked through for a menu that moved. */
const MAX_CANDIDATES = 500

/** A file seen from one commit backwards. */
interface Trail {
  readonly path: string
  readonly steps: readonly FileStep[]
  readonly places: ReadonlyMap<string, number>
}

interface Identity {
  readonly code: string
  readonly key: string
}

/** Opens the history of the menus of a repository. */
export function createMenuHistory(repository: Repository, limits: Limits): MenuHistory {
  const trails = new Map<string, Trail>()
  const trailOf = new WeakMap<MenuVersion, Trail>()
  const texts = new LRUCache<string, Uint8Array>({
    maxSize: KEPT_BYTES,
    sizeCalculation: (bytes) => bytes.length + 1,
  })
  const values = new LRUCache<string, { readonly value: Json | null; readonly size: number }>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ size }) => size + 1,
  })

  const versionAt = (trail: Trail, place: number): MenuVersion | null => {
    const step = trail.steps[place]
    if (step === undefined) return null
    const { commit, blob, isMerge } = step
    const version = { commit, path: trail.path, blob, isMerge, rank: place }
    trailOf.set(version, trail)
    return version
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

  const bytes: MenuHistory['bytes'] = async (version) => {
    const { blob, rank } = version
    if (blob === null) return null
    const known = texts.get(blob)
    if (known !== undefined) return known
    // One call of git for all older versions that there is room for: each of its own takes longer than to read them.
    const near = (trailOf.get(version)?.steps ?? []).slice(rank)
    let room = KEPT_BYTES / 2
    const wanted = near.flatMap((step) => {
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

  const identityOf = async (version: MenuVersion): Promise<Identity | null> =>
    toIdentity(claimIn(await value(version)))

  /** The version of another file in which a menu was in a parent, before a commit put it into this one. */
  const elsewhereIn = async (
    parent: string,
    { commit, path }: MenuVersion,
    own: Identity | null,
  ): Promise<MenuVersion | null> => {
    const changed = await changedBetween(repository, parent, commit.name)
    const source = await findSource(changed, path, own)
    return source === null ? null : latest(parent, source)
  }

  const elsewhere = async (version: MenuVersion, own: Identity | null): Promise<readonly MenuVersion[]> => {
    const found: MenuVersion[] = []
    for (const parent of await parentsOf(repository, version.commit.name)) {
      const other = await elsewhereIn(parent, version, own)
      if (other !== null) found.push(other)
    }
    return found
  }

  const findSource = async (
    changed: readonly ChangedFile[],
    path: string,
    own: Identity | null,
  ): Promise<string | null> => {
    const menus = changed.filter((file) => file.path !== path && MENU_NAME.test(file.path))
    const moved = menus.find(({ to }) => to === path) ?? null
    if (own === null) return moved?.path ?? null
    const candidates = [...(moved === null ? [] : [moved]), ...menus.filter((file) => file !== moved)]
    const some = candidates.slice(0, MAX_CANDIDATES)
    const blobs = await readBlobs(
      repository,
      some.map(({ blob }) => blob),
    )
    for (const { path: source, blob } of some) {
      const text = blobs.get(blob) ?? new Uint8Array()
      if (text.length > limits.bytes || !Buffer.from(text).includes(own.code)) continue
      const other = toIdentity(claimOf(readDocument(source, text, limits)))
      if (other?.code === own.code && other.key === own.key) return source
    }
    return moved?.path ?? null
  }

  const before: MenuHistory['before'] = async (version) => {
    const trail = trailOf.get(version)
    const step = trail?.steps[version.rank]
    const olds = (step?.parents ?? []).flatMap((name) => {
      const old = trail === undefined ? null : versionAt(trail, trail.places.get(name) ?? -1)
      return old === null ? [] : [old]
    })
    if (version.blob === null) return olds
    const own = await identityOf(version)
    if (olds.length === 0) return elsewhere(version, own)
    const found: (readonly MenuVersion[])[] = []
    for (const old of olds) {
      const theirs = old.blob === null ? null : await identityOf(old)
      const isOther = theirs !== null && own !== null && (theirs.code !== own.code || theirs.key !== own.key)
      const sources = isOther || old.blob === null ? await elsewhere(version, own) : []
      // Where the menu was nowhere else, the file had another code or context until then.
      found.push(sources.length > 0 ? sources : [old])
    }
    // A side of a merge may have the menu under its former name. The sides stay in their order.
    for (const { parent, behind } of [...(step?.lacking ?? [])].reverse()) {
      const other = await elsewhereIn(parent, version, own)
      if (other !== null) found.splice(Math.min(behind, found.length), 0, [other])
    }
    return found.flat()
  }

  return { latest, before, bytes, value }
}

function toIdentity(claim: ReturnType<typeof claimIn>): Identity | null {
  return claim === null || claim.context === null
    ? null
    : { code: claim.code, key: toContextKey(claim.context) }
}
