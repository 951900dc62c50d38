import { claimOf } from '../../document/read/claim.js'
import { toContextKey } from '../../model/context.js'
import { buildSnapshot } from '../../model/snapshot.js'
import { contentHash } from '../hash.js'
import type { ReadOptions } from '../read-options.js'
import { readTextsIn } from '../work-texts.js'
import {
  type JudgedTexts,
  judgeTexts,
  type MenuState,
  type MenuTexts,
  menuSourcesAt,
  toState,
} from './menus.js'
import { blobName, readTexts, type TextOrProblem } from './objects.js'
import type { Repository } from './repository.js'

/** Two moments of a menus folder, where they differ; null where there is no such folder. */
export interface TwoStates {
  readonly before: MenuState | null
  readonly after: MenuState | null
  /** How many files are the same in both and were not read. The states have neither their menus nor their problems. */
  readonly unread: number
}

export interface StatesOptions {
  /** As `toTreePath` gives it, and on the disk. */
  readonly folder: { readonly inTree: string; readonly onDisk: string }
  readonly reading: ReadOptions
  readonly filePrefix: string
  /** A code whose menus are read even if they are the same; null for none. */
  readonly code: string | null
}

/** The state of a missing folder. */
export const NO_MENUS: MenuState = {
  snapshot: buildSnapshot({ files: [], previous: null, folderProblems: [], hash: contentHash }),
  documents: new Map(),
}

/** The files of a folder by path: the hash of each content, and the content where it is known. */
type Listing = ReadonlyMap<string, { readonly blob: string; readonly content?: TextOrProblem }>

/**
 * Reads the menus of two commits, or of one and of the work tree (null), where they differ, by git's hashes. Files that are
 * the same in both are not read, except where a menu came, went or took another code or context: then the files that claim
 * the same are found. Throws GitError where the repository lacks required content.
 */
export async function readTwoStates(
  repository: Repository,
  [before, after]: readonly [string | null, string | null],
  options: StatesOptions,
): Promise<TwoStates> {
  const { reading, code } = options
  const like = before ?? after ?? ''
  const old = await list(repository, before, like, options)
  const now = await list(repository, after, like, options)
  const isSame = (path: string): boolean => old?.get(path)?.blob === now?.get(path)?.blob
  const read = (files: Listing): Promise<MenuTexts> => readTexts(repository, files, reading.limits)
  const changesOf = (side: Listing | null): Listing =>
    new Map([...(side ?? [])].filter(([path]) => !isSame(path)))
  const olds = judgeTexts(await read(changesOf(old)), reading)
  const news = judgeTexts(await read(changesOf(now)), reading)
  const codes = [...changedCodes(olds, news), ...(code === null ? [] : [code])]
  const same = new Map([...(now ?? [])].filter(([path]) => isSame(path)))
  const wanted = codes.some(isServable) ? claiming(codes, await read(same)) : new Map()
  const unread = [...same].filter(([path]) => !wanted.has(path))
  const stubs = unread.map(([path, { blob }]) => ({ path, version: blob, menu: null, problems: [] }))
  const both = [judgeTexts(wanted, reading), { documents: new Map(), files: stubs }]
  return {
    before: old === null ? null : toState([olds, ...both], reading),
    after: now === null ? null : toState([news, ...both], reading),
    unread: unread.length,
  }
}

/** A folder's content at a moment; null where it does not exist. What git would convert (line endings) has another hash. */
async function list(
  repository: Repository,
  commit: string | null,
  like: string,
  { folder, filePrefix, reading }: StatesOptions,
): Promise<Listing | null> {
  if (commit !== null) return menuSourcesAt(repository, commit, folder.inTree, filePrefix)
  const found = readTextsIn(folder.onDisk, { filePrefix, limits: reading.limits })
  if (found === null) return null
  const nameOf = (text: TextOrProblem): string => (text instanceof Uint8Array ? blobName(text, like) : '')
  return new Map([...found].map(([path, text]) => [path, { blob: nameOf(text), content: text }]))
}

/**
 * The codes of the menus that only one side has, or has in another file: of several files with one code and context the
 * first is served, so a new name alone may change which one it is.
 */
function changedCodes(...sides: readonly JudgedTexts[]): Iterable<string> {
  const codes = new Map<string, string>()
  for (const [path, document] of sides.flatMap(({ documents }) => [...documents])) {
    const { code, context } = claimOf(document) ?? { code: null, context: null }
    const key = `${code} ${context === null ? '' : toContextKey(context)} ${path}`
    // What is on both sides is no change.
    if (code !== null && !codes.delete(key)) codes.set(key, code)
  }
  return codes.values()
}

/** Whether a menu can have a code. */
function isServable(code: string): boolean {
  return /^[\w.-]{1,64}$/.test(code)
}

/** The texts that may claim one of the codes; of one over the size limit, nobody knows. */
function claiming(codes: readonly string[], texts: MenuTexts): MenuTexts {
  // With escapes, a quoted text can spell any code.
  const marks = [...codes.filter(isServable), '\\']
  const mayClaim = (text: TextOrProblem): boolean =>
    !(text instanceof Uint8Array) || marks.some((mark) => Buffer.from(text).includes(mark))
  return new Map([...texts].filter(([, text]) => mayClaim(text)))
}
