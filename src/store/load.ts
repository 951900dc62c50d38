import type { Menu } from '../model/menu.js'
import type { MenuFile } from '../model/menu-file.js'
import { areAlike, type Problem } from '../model/problem.js'
import type { ProblemCode } from '../model/problem-codes.js'
import { buildSnapshot, type Snapshot, snapshotInSteps } from '../model/snapshot.js'
import { toWithheld } from './entry.js'
import { contentHash } from './hash.js'
import { MENU_NAME } from './menu-paths.js'
import { type MenuTree, UNKNOWN } from './menu-tree.js'
import { createPause, inSlices } from './pause.js'

/** A file as it was last read, with the version that its tree gave it. */
export interface LoadedFile {
  readonly version: string
  readonly file: MenuFile
}

/** What a tree says, and what is served of it. */
export interface Loaded {
  readonly files: ReadonlyMap<string, LoadedFile>
  readonly snapshot: Snapshot
  /** The files that the snapshot was built from: earlier ones where it waits for one that is held. */
  readonly builtFrom: ReadonlyMap<string, LoadedFile>
}

export interface LoadOptions {
  /** Parses a file; `isBatch` where many are parsed. */
  readonly parse: (path: string, bytes: Uint8Array, isBatch: boolean) => MenuFile | Promise<MenuFile>
  /** Rules that are off. Default: none. */
  readonly off?: ReadonlySet<ProblemCode>
  /** Problems of the folder itself. Default: none. */
  readonly folderProblems?: readonly Problem[]
  /** Whether a new version of a file does not count yet; `before` is what the file serves. Default: all do. */
  readonly isHeld?: (file: MenuFile, before: Menu | null) => boolean
  /** Called now and then. */
  readonly onProgress?: (read: number, total: number) => void
}

/** From this many files on, they are a batch. */
const BATCH = 20
/** The version of a file that may still change without changing its version: it equals none of a tree that was read. */
const UNSTABLE = '?'

/** What there is before anything is loaded. */
export const NOTHING: Loaded = {
  files: new Map(),
  builtFrom: new Map(),
  snapshot: buildSnapshot({ files: [], previous: null, folderProblems: [], hash: contentHash }),
}

/**
 * Loads a tree into a snapshot, the only way to one: boot, watching, publishing, lint, diff and tests call it. A file whose
 * version is unchanged is not read again, one whose bytes are the same is not parsed again, and a snapshot that is equal to
 * the previous one is the previous one. While a file is held, it is as before, and so is the snapshot.
 */
export async function load(tree: MenuTree, previous: Loaded, options: LoadOptions): Promise<Loaded> {
  const { folderProblems = [], off } = options
  const { files, isHeld } = await readFiles(tree, previous, options)
  const { snapshot: before, builtFrom } = previous
  const had = before.problems.filter(({ path }) => path === '')
  if (isHeld || (!differ(builtFrom, files) && areAlike(had, folderProblems))) return { ...previous, files }
  // In the order of before, with new files behind: nothing is sorted sooner.
  const old = before.files.flatMap(({ path }) => files.get(path)?.file ?? [])
  const added = [...files].flatMap(([path, { file }]) => (builtFrom.has(path) ? [] : [file]))
  const steps = snapshotInSteps({
    files: [...old, ...added],
    previous: before,
    folderProblems,
    hash: contentHash,
    ...(off && { off }),
  })
  const snapshot = await inSlices(steps)
  const isSame = snapshot.revision === before.revision && areAlike(snapshot.problems, before.problems)
  return { files, snapshot: isSame ? before : snapshot, builtFrom: files }
}

async function readFiles(
  tree: MenuTree,
  { files: before, snapshot }: Loaded,
  { parse, isHeld = () => false, onProgress }: LoadOptions,
): Promise<{ readonly files: Loaded['files']; readonly isHeld: boolean }> {
  const files = new Map<string, LoadedFile>()
  const changed: string[] = []
  const pause = createPause()
  let areHeld = false
  for (const [path, { version }] of tree.entries) {
    const known = before.get(path)
    if (known !== undefined && version !== '' && known.version === version) files.set(path, known)
    else changed.push(path)
    await pause()
  }
  for (const path of unlistedIn(tree, before)) files.set(path, before.get(path) as LoadedFile)
  let read = 0
  for await (const [path, content] of tree.read(changed)) {
    read++
    if (content !== null) {
      const known = before.get(path)
      const file = await toFile(path, content.text, known?.file, (bytes) =>
        parse(path, bytes, changed.length > BATCH),
      )
      const isWaiting = file !== known?.file && isHeld(file, snapshot.served.get(path)?.menu ?? null)
      areHeld ||= isWaiting
      if (!isWaiting) files.set(path, { version: content.version || UNSTABLE, file })
      else if (known !== undefined) files.set(path, known)
    }
    if (await pause()) onProgress?.(read, changed.length)
  }
  return { files, isHeld: areHeld }
}

/** Unchanged bytes keep the value, and everything derived from it. */
async function toFile(
  path: string,
  text: Uint8Array | Problem,
  known: MenuFile | undefined,
  parse: (bytes: Uint8Array) => MenuFile | Promise<MenuFile>,
): Promise<MenuFile> {
  if (!(text instanceof Uint8Array)) {
    const isKnown = known?.version === '' && areAlike(known.problems, [text])
    return isKnown ? known : toWithheld(path, text)
  }
  return known?.version === contentHash(text) ? known : parse(text)
}

/** A tree of what was loaded last. */
export function asLoaded(files: Loaded['files'], read: MenuTree['read']): MenuTree {
  const entries = Array.from(files, ([path, { version, file }]) => {
    const problem = file.version === '' ? (file.problems[0] ?? null) : null
    return [path, { ...UNKNOWN, version, problem }] as const
  })
  return { entries: new Map(entries), read }
}

/** What was loaded, with some files to be read again. */
export function withoutVersions(files: Loaded['files'], paths: readonly string[]): Loaded['files'] {
  if (paths.length === 0) return files
  const all = new Map(files)
  for (const path of paths) {
    const known = files.get(path)
    if (known !== undefined) all.set(path, { ...known, version: UNSTABLE })
  }
  return all
}

/** The known files of folders that cannot be listed: they are not gone. */
export function* unlistedIn(tree: MenuTree, known: Loaded['files']): Generator<string> {
  const folders = [...tree.entries].flatMap(([path, { problem }]) =>
    problem === null || MENU_NAME.test(path) ? [] : [`${path}/`],
  )
  if (folders.length === 0) return
  for (const path of known.keys())
    if (!tree.entries.has(path) && folders.some((folder) => path.startsWith(folder))) yield path
}

function differ(before: Loaded['files'], now: Loaded['files']): boolean {
  if (before.size !== now.size) return true
  for (const [path, { file }] of now) if (before.get(path)?.file !== file) return true
  return false
}
