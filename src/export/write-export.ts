import { once } from 'node:events'
import { mkdirSync, readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { refuse } from '../review/refusal.js'
import { inFolder } from '../store/inside.js'
import { createPause } from '../store/pause.js'
import { FileBusyError, isAsideName, putFile, removeStrays } from '../store/publish/put-file.js'
import { newMode } from '../store/publish/write-file.js'
import { readManifest } from './export-folder.js'
import { type HashedFile, isNamed, isWhole, removeHashed, writeHashed } from './hashed-files.js'
import { MANIFEST, toManifestText } from './manifest.js'
import type { ExportPlan, OnProgress } from './plan-export.js'

/** Files with their bytes, without those that are compressed. */
export interface ExportCounts {
  readonly files: number
  readonly bytes: number
  readonly written: number
  readonly unchanged: number
  readonly removed: number
}

/** From this many files on, a second thread is worth its start. */
const MANY = 1_000
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
 * manifest is synced to the disk: after a power cut, the next build replaces files of another size.
 */
export async function writeExport(
  root: string,
  { manifest, files }: ExportPlan,
  onProgress: OnProgress,
): Promise<ExportCounts> {
  mkdirSync(root, { recursive: true })
  const names = new Set(readdirSync(root))
  if ([...names].some(isAsideName)) removeStrays(root)
  const missing = [...files].filter((file) => !isNamed(names, file) || !isWhole(root, file))
  await writeAll(root, missing, onProgress)
  const written = missing.length
  const bytes = [...files.values()].reduce((sum, { length }) => sum + length, 0)
  const counts = { files: files.size, bytes, written, unchanged: files.size - written }
  const current = new Set([...files.keys()].map((name) => name.toLowerCase()))
  // Where case does not matter, a name in another case is the same file.
  const isOld = (name: string): boolean => !current.has(name.toLowerCase())
  for (const end = performance.now() + MAX_WAIT_MS; ; await sleep(RETRY_MS)) {
    const before = readManifest(root)
    const old = before?.files.filter(isOld) ?? []
    const older = before?.previous.filter(isOld) ?? []
    const kept = new Set(old.length > 0 ? old : older)
    const text = toManifestText({ ...manifest, previous: [...kept].sort() })
    if (text === before?.text) return { ...counts, removed: 0 }
    let removed = 0
    // Called while no other build can replace the manifest.
    const isMeant = (): boolean => {
      if (readManifest(root)?.text !== before?.text) return false
      // Another build may have removed what was old for it.
      const there = new Set(readdirSync(root))
      for (const file of files) if (!there.has(file[0])) writeHashed(root, file)
      removed = older.filter((name) => !kept.has(name) && removeHashed(root, name)).length
      return true
    }
    try {
      const isPut = inFolder(root, '', (at) => putFile(at, MANIFEST, { text, mode: newMode() }, isMeant))
      if (isPut) return { ...counts, removed }
    } catch (thrown) {
      if (!(thrown instanceof FileBusyError)) throw thrown
    }
    if (performance.now() > end) refuse('configuration', `another build is writing to ${root}`)
  }
}

/** Writes files, half of many in a second thread. If that fails, this one tries the same, or throws the reason. */
async function writeAll(root: string, files: readonly HashedFile[], onProgress: OnProgress): Promise<void> {
  const half = files.length < MANY ? files.length : Math.ceil(files.length / 2)
  const aside = files.slice(half)
  const toThread = () =>
    new Worker(new URL(import.meta.resolve('#write-worker')), { workerData: { root, files: aside } })
  const thread = aside.length === 0 || once(toThread(), 'message').catch(() => false)
  const pause = createPause()
  const write = async (some: readonly HashedFile[]): Promise<void> => {
    for (const [place, file] of some.entries()) {
      writeHashed(root, file)
      if (await pause()) onProgress(place, some.length)
    }
  }
  await write(files.slice(0, half))
  if ((await thread) === false) await write(aside)
}
