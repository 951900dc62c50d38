import { randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { refuse } from '../review/refusal.js'
import { inFolder } from '../store/inside.js'
import { createPause } from '../store/pause.js'
import { FileBusyError, isAsideName, putFile, removeStrays } from '../store/publish/atomic-file.js'
import { newMode } from '../store/publish/write-file.js'
import { readManifest } from './export-folder.js'
import { type FoundManifest, MANIFEST, toManifestText, toNameHash } from './manifest.js'
import type { ExportOptions, ExportPlan } from './plan-export.js'

/** Files with their bytes, without those that are compressed. */
export interface ExportCounts {
  readonly files: number
  readonly bytes: number
  readonly written: number
  readonly unchanged: number
  readonly removed: number
}

/** Any longer JSON or HTML of a menu is smaller when compressed. */
const MIN_COMPRESSED = 256
/** A higher one takes twenty times as long for a thousandth of the bytes. */
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 6 }
const CODINGS: readonly (readonly [ending: string, compress: (body: Buffer) => Buffer])[] = [
  ['br', (body) => brotliCompressSync(body, { params: BROTLI, ...toRoom(body) })],
  ['gz', (body) => gzipSync(body, { level: constants.Z_BEST_COMPRESSION, ...toRoom(body) })],
]
/** Milliseconds to wait for another build, and between two tries. A build that was killed blocks for 10 seconds. */
const MAX_WAIT_MS = 20_000
const RETRY_MS = 50

/**
 * Writes an export into a folder. Hashed files come first and the manifest last, so that a build which is interrupted
 * leaves the earlier export whole. A file with its name and size is not compressed and written again: its name is its
 * content.
 *
 * Files that an export no longer has stay until the next one that changes any: clients may have the manifest before.
 * Deleting them once the new manifest is in place would need no list in it, and would break those clients. Only the
 * manifest is synced to the disk: after a power cut, the next build replaces files of another size. A second thread that
 * makes files in the same folder waits for its lock, and took twice as long on ext4.
 */
export async function writeExport(
  root: string,
  { manifest, files }: ExportPlan,
  onProgress: ExportOptions['onProgress'],
): Promise<ExportCounts> {
  mkdirSync(root, { recursive: true })
  const names = new Set(readdirSync(root))
  if ([...names].some(isAsideName)) removeStrays(root)
  const pause = createPause()
  let [bytes, done, written] = [0, 0, 0]
  for (const [name, body] of files) {
    if (!names.has(name) || !isWhole(root, name, body) || lacksCodings(names, name, body)) {
      writeCodings(root, name, body)
      written++
    }
    bytes += body.length
    done++
    if (await pause()) onProgress(done, files.size)
  }
  const current = new Set([...files.keys()].map((name) => name.toLowerCase()))
  // Where case does not matter, a name in another case is the same file.
  const isOld = (name: string): boolean => !current.has(name.toLowerCase())
  for (const end = performance.now() + MAX_WAIT_MS; ; await sleep(RETRY_MS)) {
    const before = readManifest(root)
    const old = before?.files.filter(isOld) ?? []
    const older = before?.previous.filter(isOld) ?? []
    const kept = new Set(old.length > 0 ? old : older)
    const text = toManifestText({ ...manifest, previous: [...kept].sort() })
    const counts = { files: files.size, bytes, written, unchanged: files.size - written, removed: 0 }
    if (text === before?.text) return counts
    const gone = older.filter((name) => !kept.has(name))
    try {
      const removed = putManifest(root, text, before, { files, gone })
      if (removed !== null) return { ...counts, removed }
    } catch (thrown) {
      if (!(thrown instanceof FileBusyError)) throw thrown
    }
    if (performance.now() > end) refuse('configuration', `another build is writing to ${root}`)
  }
}

/**
 * Puts a manifest in the place of the one before, which only one build does at a time, and removes files. Returns how many; null
 * if the manifest has changed meanwhile.
 */
function putManifest(
  root: string,
  text: string,
  before: FoundManifest | null,
  { files, gone }: { readonly files: ExportPlan['files']; readonly gone: readonly string[] },
): number | null {
  let removed = 0
  const isMeant = (): boolean => {
    if (readManifest(root)?.text !== before?.text) return false
    // Another build may have removed what was old for it.
    const names = new Set(readdirSync(root))
    for (const [name, body] of files) if (!names.has(name)) writeCodings(root, name, body)
    removed = gone.filter((name) => removeOwn(root, name)).length
    return true
  }
  const isPut = inFolder(root, '', (at) => putFile(at, MANIFEST, { text, mode: newMode() }, isMeant))
  return isPut ? removed : null
}

/** Whether a file is complete: with its name, its size says so. A link is not. */
export function isWhole(root: string, name: string, body: Buffer): boolean {
  const stats = lstatSync(join(root, name), { throwIfNoEntry: false })
  return stats?.isFile() === true && stats.size === body.length
}

function lacksCodings(names: ReadonlySet<string>, name: string, { length }: Buffer): boolean {
  return length >= MIN_COMPRESSED && !CODINGS.every(([ending]) => names.has(`${name}.${ending}`))
}

/** Only what is smaller is kept, so that zlib never needs more memory at once. */
function toRoom({ length }: Buffer): { readonly chunkSize: number } {
  return { chunkSize: Math.max(MIN_COMPRESSED, length) }
}

/** Writes a file behind its compressed forms: where it is, they are. */
function writeCodings(root: string, name: string, body: Buffer): void {
  for (const [ending, compress] of CODINGS) {
    const packed = compress(body)
    if (packed.length < body.length) writeNew(root, `${name}.${ending}`, packed)
  }
  writeNew(root, name, body)
}

/** Writes a file under a name that no manifest refers to yet; what has the name is replaced by a whole file. */
function writeNew(root: string, name: string, bytes: Buffer): void {
  try {
    writeFileSync(join(root, name), bytes, { flag: 'wx' })
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown
    const aside = join(root, `.menuscript-${randomBytes(6).toString('hex')}.tmp`)
    writeFileSync(aside, bytes, { flag: 'wx' })
    renameSync(aside, join(root, name))
  }
}

/** Removes a file with its compressed forms, unless its content is not what we wrote. */
function removeOwn(root: string, name: string): boolean {
  const place = join(root, name)
  if (lstatSync(place, { throwIfNoEntry: false })?.isFile() !== true) return false
  if (!name.includes(`.${toNameHash(readFileSync(place))}.`)) return false
  for (const [ending] of CODINGS) rmSync(`${place}.${ending}`, { force: true })
  rmSync(place)
  return true
}
