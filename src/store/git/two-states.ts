import { createHash } from 'node:crypto'
import { type MenuDocument, readDocument, tooLarge } from '../../document/menu-document.js'
import { judgeDocument } from '../../document/parse.js'
import { type Claim, claimOf } from '../../document/read/claim.js'
import { toContextKey } from '../../model/context.js'
import type { Limits } from '../../model/limits.js'
import type { Problem } from '../../model/problem.js'
import { buildSnapshot, type MenuFile } from '../../model/snapshot.js'
import { contentHash } from '../hash.js'
import type { ReadOptions } from '../read-options.js'
import { readTextsIn } from '../work-texts.js'
import { contentsAt } from './log.js'
import { type MenuState, menuSourcesAt } from './menus.js'
import { GitError, lacks, must, type Repository, readBlobs } from './repository.js'

/** Two moments of a folder of menus, as far as they differ; null where there is no such folder. */
export interface TwoStates {
  readonly before: MenuState | null
  readonly after: MenuState | null
  /** How many files are the same in both and were not read. In the states they have neither a menu nor problems. */
  readonly unread: number
}

export interface StatesOptions {
  /** As `toTreePath` gives it, and on the disk. */
  readonly folder: { readonly inTree: string; readonly onDisk: string }
  readonly reading: ReadOptions
  readonly filePrefix: string
  /** A code whose menus are read although they are the same; null for none. */
  readonly code: string | null
}

/** The state of a folder that is not there. */
export const NO_MENUS: MenuState = {
  snapshot: buildSnapshot({ files: [], previous: null, folderProblems: [], hash: contentHash }),
  documents: new Map(),
}

/** What lies at a path: a content by its name, with where it can be read, or why it cannot. */
type Held =
  | { readonly blob: string; readonly place: string; readonly bytes: Uint8Array | null }
  | { readonly blob: null; readonly problem: Problem }
type Listing = ReadonlyMap<string, Held>

/**
 * Reads the menus of two commits, or of one and of the work tree (null), where they differ: by the names that git gives to
 * contents. What is the same in both is not read, except where a menu came, went or took another code or context: then
 * the files are looked for that claim the same. Throws GitError where the repository lacks what is needed.
 */
export async function readTwoStates(
  repository: Repository,
  [before, after]: readonly [string | null, string | null],
  options: StatesOptions,
): Promise<TwoStates> {
  const { limits, vocabulary } = options.reading
  const listings = [await list(repository, before, options), await list(repository, after, options)] as const
  const [old, now] = [listings[0] ?? new Map(), listings[1] ?? new Map()] as readonly [Listing, Listing]
  const isSame = (path: string): boolean => {
    const [a, b] = [old.get(path)?.blob ?? null, now.get(path)?.blob ?? null]
    return a !== null && a === b
  }
  const differing = (listing: Listing): Listing => new Map([...listing].filter(([path]) => !isSame(path)))
  const [olds, news] = [
    await readAll(repository, differing(old), limits),
    await readAll(repository, differing(now), limits),
  ]
  const codes = changedCodes(olds, news)
  if (options.code !== null) codes.add(options.code)
  const unchanged: Listing = new Map([...now].filter(([path]) => isSame(path)))
  const wanted = await claiming(repository, codes, unchanged, after, options.folder.inTree)
  const shared = await readAll(repository, wanted, limits)
  const toFiles = (read: Documents): MenuFile[] =>
    [...read].map(([path, held]) =>
      isDocument(held)
        ? judgeDocument(held, { ...options.reading, hash: contentHash })
        : { path, version: '', menu: null, problems: [held] },
    )
  const both = toFiles(shared)
  const unread = [...unchanged.keys()].filter((path) => !shared.has(path))
  const stubs = unread.map((path) => ({ path, version: now.get(path)?.blob ?? '', menu: null, problems: [] }))
  const toState = (read: Documents): MenuState => {
    const files = [...toFiles(read), ...both, ...stubs]
    const inputs = { files, previous: null, folderProblems: [], off: vocabulary.off, hash: contentHash }
    const documents = [...read, ...shared].flatMap(([path, held]) =>
      isDocument(held) ? [[path, held] as const] : [],
    )
    return { snapshot: buildSnapshot(inputs), documents: new Map(documents) }
  }
  return {
    before: listings[0] === null ? null : toState(olds),
    after: listings[1] === null ? null : toState(news),
    unread: unread.length,
  }
}

/** What files say, or why they are not read, by path. */
type Documents = ReadonlyMap<string, MenuDocument | Problem>

function isDocument(held: MenuDocument | Problem): held is MenuDocument {
  return 'bytes' in held
}

/** What a folder has at a moment; null where it is not there. */
async function list(
  repository: Repository,
  commit: string | null,
  { folder, filePrefix, reading }: StatesOptions,
): Promise<Listing | null> {
  if (commit !== null) {
    const sources = await menuSourcesAt(repository, commit, folder.inTree, filePrefix)
    if (sources === null) return null
    return new Map([...sources].map(([path, { blob, path: place }]) => [path, { blob, place, bytes: null }]))
  }
  const limit = reading.limits.bytes
  const found = readTextsIn(folder.onDisk, { filePrefix, limit })
  if (found === null) return null
  const nameOf = await blobNames(repository)
  return new Map<string, Held>([
    ...[...found.texts].map(([path, bytes]) => [path, { blob: nameOf(bytes), place: path, bytes }] as const),
    ...[...found.tooLarge].map(
      ([path, size]) => [path, { blob: null, problem: tooLarge(path, size, reading.limits) }] as const,
    ),
    ...[...found.refused].map(([path, problem]) => [path, { blob: null, problem }] as const),
  ])
}

/** Names contents as git does. What git would convert, such as line ends, gets another name, and is read. */
async function blobNames(repository: Repository): Promise<(bytes: Uint8Array) => string> {
  const { stdout } = await must(repository, ['rev-parse', '--show-object-format'])
  const algorithm = stdout.toString('utf8').trim()
  return (bytes) => createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}

/** Reads the files that a listing names. */
async function readAll(repository: Repository, listing: Listing, limits: Limits): Promise<Documents> {
  const committed = [...listing.values()].flatMap((held) =>
    held.blob !== null && held.bytes === null ? [held.blob] : [],
  )
  const found = await contentsAt(repository, committed)
  const missing = committed.find((_, place) => found[place] === null)
  if (missing !== undefined) throw lacks(missing)
  const sizes = new Map(committed.map((blob, place) => [blob, found[place]?.bytes ?? 0]))
  const small = committed.filter((blob) => (sizes.get(blob) ?? 0) <= limits.bytes)
  const texts = await readBlobs(repository, small)
  return new Map(
    [...listing].map(([path, held]): [string, MenuDocument | Problem] => {
      if (held.blob === null) return [path, held.problem]
      const text = held.bytes ?? texts.get(held.blob)
      if (text === undefined) return [path, tooLarge(path, sizes.get(held.blob) ?? 0, limits)]
      return [path, readDocument(path, text, limits)]
    }),
  )
}

/**
 * The codes of the menus that only one side has, or has in another file: of several files with one code and context the
 * first is served, so that a new name alone may put another one in its place.
 */
function changedCodes(olds: Documents, news: Documents): Set<string> {
  const counts = new Map<string, { readonly code: string; count: number }>()
  const enter = (path: string, held: MenuDocument | Problem, step: number): void => {
    const claim = isDocument(held) ? claimOf(held) : null
    if (claim === null) return
    const key = `${keyOf(claim)} ${path}`
    const known = counts.get(key) ?? { code: claim.code, count: 0 }
    known.count += step
    counts.set(key, known)
  }
  for (const [path, held] of olds) enter(path, held, -1)
  for (const [path, held] of news) enter(path, held, 1)
  return new Set([...counts.values()].flatMap(({ code, count }) => (count === 0 ? [] : [code])))
}

function keyOf({ code, context }: Claim): string {
  return `${code} ${context === null ? '' : toContextKey(context)}`
}

/** A code that can be served. Another one stands in no other menu. */
const CODE = /^[\w.-]{1,64}$/

/** The files, of those that are the same, that may claim one of the codes. */
async function claiming(
  repository: Repository,
  codes: ReadonlySet<string>,
  same: Listing,
  commit: string | null,
  folder: string,
): Promise<Listing> {
  const known = [...codes].filter((code) => CODE.test(code))
  if (known.length === 0 || same.size === 0) return new Map()
  // Behind a backslash, a text in quotes spells any code.
  const texts = [...known, '\\']
  if (commit === null) {
    const has = (bytes: Uint8Array): boolean => texts.some((text) => Buffer.from(bytes).includes(text))
    return new Map([...same].filter(([, held]) => held.blob !== null && has(held.bytes ?? new Uint8Array())))
  }
  const found = await filesWith(repository, commit, texts, folder)
  return new Map([...same].filter(([, held]) => held.blob !== null && found.has(held.place)))
}

/** The files of a folder of a commit that have one of some texts in them. */
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
  // A file that cannot be looked into may be the one that is looked for.
  if (code < 0 || code > 1 || /^(error|fatal):/m.test(stderr))
    throw new GitError(`git grep failed: ${stderr.split('\n')[0] ?? ''}`)
  const names = stdout.toString('utf8').split('\0')
  return new Set(names.map((name) => name.slice(commit.length + 1)))
}
