import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { contentHash } from '../hash.js'
import { inFolder } from '../inside.js'
import { createPause } from '../pause.js'
import { putNewFile } from './atomic-file.js'

/** A text that a publish replaced, or a delete removed. */
export interface KeptVersion {
  /** Identifies it among all that are kept. */
  readonly id: string
  /** The menu file, relative to the menus folder, with `/`. */
  readonly path: string
  /** The content hash of the text. */
  readonly version: string
  /** When it was replaced, in milliseconds since 1970. */
  readonly time: number
  /** Who replaced it. */
  readonly author: string
  readonly bytes: number
}

/** The texts that were replaced, in a folder of their own. */
export interface Versions {
  /** Keeps a text. Throws file system errors. */
  readonly keep: (path: string, text: Uint8Array, author: string) => void
  /** Those of a menu file, the newest first. */
  readonly list: (path: string) => readonly KeptVersion[]
  /** The newest of each menu file but these, the newest first; at most 100. */
  readonly listOthers: (paths: readonly string[]) => readonly KeptVersion[]
  /** The text of one; null where it is no longer kept. */
  readonly read: (id: string) => Uint8Array | null
}

export interface VersionLimits {
  /** Milliseconds for which a version is kept. */
  readonly age: number
  /** Bytes of all versions together, and how many there are; for a short time it may be a few more. */
  readonly bytes: number
  readonly count: number
}

/** What there is where no text can be kept. */
export const NO_VERSIONS: Versions = {
  keep: () => {},
  list: () => [],
  listOthers: () => [],
  read: () => null,
}

const DAY_MS = 86_400_000
export const VERSION_LIMITS: VersionLimits = { age: 30 * DAY_MS, bytes: 200 * 1024 * 1024, count: 20_000 }

/** Characters of the part of a name that is for the file. */
const ENDING = 32
const MOST_OTHERS = 100
/** The share of the limit in new bytes after which old versions are deleted; they are also deleted once an hour. */
const PRUNE_SHARE = 1 / 64
const PRUNE_MS = 3_600_000

/** `TIME-ORDER-FILE`: the names sort by time, and those of a menu file end alike. */
const NAME = /^\d{15}-\d{3}[\da-f]{4}-[\da-f]{32}$/

/**
 * Opens the folder of replaced texts, and makes it where there is none. Each is a file: a line of JSON, then the text. The
 * oldest go when they are too old, too many, or all too large. Throws file system errors.
 *
 * @param now the present, in milliseconds since 1970
 */
export function openVersions(
  folder: string,
  now: () => number,
  limits: VersionLimits = VERSION_LIMITS,
): Versions {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  let count = 0
  /** When old versions were last looked for, how much was kept since then, and whether it is being done. */
  let prunedAt = Number.NEGATIVE_INFINITY
  let fresh = 0
  let isPruning = false

  /** The names of those that `wanted` takes, the oldest first; other processes keep versions here, too. */
  const names = (wanted: (name: string) => boolean): readonly string[] =>
    readdirSync(folder)
      .filter((name) => wanted(name) && NAME.test(name))
      .sort()
  /** With pauses, so that neither a save nor a request waits for it. */
  const prune = async (): Promise<void> => {
    const pause = createPause()
    const oldest = now() - limits.age
    let total = 0
    for (const [place, name] of names(() => true)
      .toReversed()
      .entries()) {
      const file = join(folder, name)
      total += statSync(file, { throwIfNoEntry: false })?.size ?? 0
      if (total > limits.bytes || place >= limits.count || timeOf(name) < oldest)
        rmSync(file, { force: true })
      await pause()
    }
  }
  const pruneIfDue = (bytes: number): void => {
    fresh += bytes
    if (isPruning || (fresh < limits.bytes * PRUNE_SHARE && now() - prunedAt < PRUNE_MS)) return
    isPruning = true
    fresh = 0
    prunedAt = now()
    // Where it fails, the next one tries again.
    prune()
      .catch(() => {})
      .finally(() => {
        isPruning = false
        pruneIfDue(0)
      })
  }
  const read = (id: string): { readonly kept: KeptVersion; readonly text: Uint8Array } | null => {
    if (!NAME.test(id)) return null
    try {
      const whole = readFileSync(join(folder, id))
      const end = whole.indexOf(10)
      const { path, version, author } = JSON.parse(whole.toString('utf8', 0, end)) as KeptVersion
      const text = whole.subarray(end + 1)
      return { kept: { id, path, version, time: timeOf(id), author, bytes: text.length }, text }
    } catch {
      // Deleted or damaged by someone else.
      return null
    }
  }

  return {
    keep: (path, text, author) => {
      const version = contentHash(text)
      const head = Buffer.from(`${JSON.stringify({ path, version, author })}\n`)
      const order = String(count++ % 1000).padStart(3, '0') + randomBytes(2).toString('hex')
      const name = `${String(now()).padStart(15, '0')}-${order}-${contentHash(path)}`
      const whole = Buffer.concat([head, text])
      inFolder(folder, '', (at) => putNewFile(at, name, { text: whole, mode: 0o600 }))
      pruneIfDue(whole.length)
    },
    list: (path) => {
      const ending = contentHash(path)
      return names((name) => name.endsWith(ending))
        .toReversed()
        .flatMap((id) => read(id)?.kept ?? [])
        .filter((kept) => kept.path === path)
    },
    listOthers: (paths) => {
      const seen = new Set(paths.map(contentHash))
      const found: KeptVersion[] = []
      for (const id of names(() => true).toReversed()) {
        const ending = id.slice(-ENDING)
        if (seen.has(ending) || found.length === MOST_OTHERS) continue
        seen.add(ending)
        const kept = read(id)?.kept
        if (kept !== undefined) found.push(kept)
      }
      return found
    },
    read: (id) => read(id)?.text ?? null,
  }
}

function timeOf(name: string): number {
  return Number(name.slice(0, 15))
}
