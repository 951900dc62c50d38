import { type Claim, claimOf } from '../../document/read/claim.js'
import { toContextKey } from '../../model/context.js'
import type { Problem } from '../../model/problem.js'
import { buildSnapshot } from '../../model/snapshot.js'
import { contentHash } from '../hash.js'
import type { ReadOptions } from '../read-options.js'
import { readTextsIn } from '../work-texts.js'
import { type JudgedTexts, judgeTexts, type MenuState, menuSourcesAt, toState } from './menus.js'
import { blobName, readTexts } from './objects.js'
import { GitError, type Repository } from './repository.js'

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

/** The content at a path: its hash, its file, and its bytes if already read. */
interface Content {
  readonly blob: string
  readonly path: string
  readonly bytes?: Uint8Array
}

interface Listing {
  readonly files: ReadonlyMap<string, Content>
  readonly refused: ReadonlyMap<string, Problem>
}

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
  const { reading, folder } = options
  const { limits } = reading
  const like = before ?? after ?? ''
  const old = await list(repository, before, like, options)
  const now = await list(repository, after, like, options)
  const isSame = (path: string): boolean => old?.files.get(path)?.blob === now?.files.get(path)?.blob
  const readChanged = async (side: Listing | null): Promise<JudgedTexts> => {
    const changed = [...(side?.files ?? [])].filter(([path]) => !isSame(path))
    const { texts, refused } = await readTexts(repository, new Map(changed), limits)
    return judgeTexts({ texts, refused: new Map([...refused, ...(side?.refused ?? [])]) }, reading)
  }
  const [olds, news] = [await readChanged(old), await readChanged(now)]
  const codes = changedCodes(olds, news)
  if (options.code !== null) codes.add(options.code)
  const unchanged = new Map([...(now?.files ?? [])].filter(([path]) => isSame(path)))
  const wanted = await claiming(repository, codes, unchanged, after, folder.inTree)
  const shared = judgeTexts(await readTexts(repository, wanted, limits), reading)
  const unread = [...unchanged].filter(([path]) => !wanted.has(path))
  const stubs = unread.map(([path, { blob }]) => ({ path, version: blob, menu: null, problems: [] }))
  const both = [shared, { documents: new Map(), files: stubs }]
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
  if (commit !== null) {
    const files = await menuSourcesAt(repository, commit, folder.inTree, filePrefix)
    return files === null ? null : { files, refused: new Map() }
  }
  const found = readTextsIn(folder.onDisk, { filePrefix, limits: reading.limits })
  if (found === null) return null
  const files = [...found.texts].map(
    ([path, bytes]) => [path, { blob: blobName(bytes, like), path, bytes }] as const,
  )
  return { files: new Map(files), refused: found.refused }
}

/**
 * The codes of the menus that only one side has, or has in another file: of several files with one code and context the
 * first is served, so a new name alone may change which one it is.
 */
function changedCodes(olds: JudgedTexts, news: JudgedTexts): Set<string> {
  const [before, after] = [olds, news].map(({ documents }) => {
    const claims = [...documents].map(([path, document]) => [path, claimOf(document)] as const)
    return new Map(
      claims.flatMap(([path, claim]) => (claim === null ? [] : [[toKey(path, claim), claim.code]])),
    )
  })
  const all = [...(before ?? []), ...(after ?? [])]
  return new Set(all.flatMap(([key, code]) => (before?.has(key) && after?.has(key) ? [] : [code])))
}

function toKey(path: string, { code, context }: Claim): string {
  return `${code} ${context === null ? '' : toContextKey(context)} ${path}`
}

/** A code that can be served. Every menu has one. */
const CODE = /^[\w.-]{1,64}$/

/** The files, among those that are the same, that may claim one of the codes. */
async function claiming(
  repository: Repository,
  codes: ReadonlySet<string>,
  same: Listing['files'],
  commit: string | null,
  folder: string,
): Promise<Listing['files']> {
  const known = [...codes].filter((code) => CODE.test(code))
  if (known.length === 0 || same.size === 0) return new Map()
  // With escapes, a quoted text can spell any code.
  const texts = [...known, '\\']
  const found = commit === null ? null : await filesWith(repository, commit, texts, folder)
  const mayClaim = ({ path, bytes = new Uint8Array() }: Content): boolean =>
    found?.has(path) ?? texts.some((text) => Buffer.from(bytes).includes(text))
  return new Map([...same].filter(([, content]) => mayClaim(content)))
}

/** The files of a folder in a commit that contain one of some texts. */
async function filesWith(
  repository: Repository,
  commit: string,
  texts: readonly string[],
  folder: string,
): Promise<ReadonlySet<string>> {
  const plain = ['--no-color', '--no-recurse-submodules', '--no-textconv', '--text', '--full-name']
  const within = folder === '' ? [] : ['--', folder]
  const asked = ['grep', ...plain, '--files-with-matches', '--null', '--fixed-strings', '-f', '-', commit]
  const { code, stdout, stderr } = await repository.run([...asked, ...within], `${texts.join('\n')}\n`)
  // An unreadable file may be a wanted one.
  if (code < 0 || code > 1 || /^(error|fatal):/m.test(stderr))
    throw new GitError(`git grep failed: ${stderr.split('\n')[0] ?? ''}`)
  const names = stdout.toString('utf8').split('\0')
  return new Set(names.map((name) => name.slice(commit.length + 1)))
}
