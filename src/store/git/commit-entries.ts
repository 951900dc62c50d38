import { lstatSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { GitError } from './git-error.js'
import { blobsAt, filesAt, readBlobs, type TreeFile } from './objects.js'
import { toReasonOfGit } from './process.js'
import { linesOf, type Repository, toTreePath } from './repository.js'
import type { CommitSettings } from './settings.js'
import { asCommitted, conversionsOf } from './text-conversion.js'

/** What a commit changes: the content of a file, or with null its end. */
export interface Entry {
  readonly path: string
  readonly blob: string | null
  readonly isExecutable: boolean
  /** What the last commit has there; null where that is no file. */
  readonly before: TreeFile | null
}

/** A file that cannot be committed, and why, in words. */
export interface LeftFile {
  readonly path: string
  readonly reason: string
}

/** The bytes that files have now, by path from the top of the work tree with `/`; null where one was deleted. */
export type NewFiles = ReadonlyMap<string, Uint8Array | null>

/** Files that are to be committed. */
export interface WrittenFiles {
  /** As they are on the disk by now. */
  readonly files: NewFiles
  /**
   * Whether a file still has what we wrote last. One that a pull or a person has changed since is left out: on top of their
   * commit, its text would undo what they did.
   */
  readonly isOurs: (path: string) => boolean
}

const NONE: ReadonlySet<string> = new Set()

export interface Judged {
  readonly entries: readonly Entry[]
  readonly left: readonly LeftFile[]
  /** The files that somebody else has written since, as the last commit has them. */
  readonly foreign: readonly Entry[]
}

/**
 * Judges what a commit on top of another one (null for none) changes to get these files, and stores their contents. Left out
 * are ignored files, those behind links, and those that git converts by more than line ends. `folder` is a temporary one.
 */
export async function judgeFiles(
  repository: Repository,
  settings: CommitSettings,
  head: string | null,
  { files, isOurs }: WrittenFiles,
  folder: string,
): Promise<Judged> {
  const plain = [...files.keys()].filter((path) => isPlain(repository, path))
  const committed = head === null || plain.length === 0 ? [] : await filesAt(repository, head, plain)
  const before = new Map(committed.map((file) => [file.path, file]))
  const left: LeftFile[] = []
  const foreign: Entry[] = []
  const reachable = [...files].filter(([path]) => {
    const isReachable = isPlain(repository, path)
    if (!isReachable) left.push({ path, reason: `${JSON.stringify(path)} is not a file of the work tree` })
    else if (!isOurs(path)) {
      left.push({ path, reason: `${JSON.stringify(path)} has been changed again` })
      const old = before.get(path) ?? null
      foreign.push({ path, blob: old?.blob ?? null, isExecutable: old?.isExecutable ?? false, before: old })
      return false
    }
    return isReachable
  })
  const deleted = reachable.filter(([, bytes]) => bytes === null)
  const written = reachable.flatMap(([path, bytes]) => (bytes === null ? [] : [{ path, bytes }]))
  const paths = written.map(({ path }) => path)
  const fresh = paths.filter((path) => !before.has(path))
  const [ignored, conversions] = await Promise.all([
    fresh.length === 0 ? NONE : ignoredOf(repository, fresh),
    conversionsOf(repository, settings, paths),
  ])
  const texts: { readonly path: string; readonly bytes: Uint8Array; readonly isExecutable: boolean }[] = []
  for (const [place, { path, bytes }] of written.entries()) {
    const old = before.get(path)
    const { lineEnds, fault } = conversions[place] ?? { lineEnds: 'kept', fault: null }
    const what = ignored.has(path)
      ? 'is ignored by git'
      : old?.isLink
        ? 'is a link in the last commit'
        : fault
    if (what !== null) {
      left.push({ path, reason: `${JSON.stringify(path)} ${what}` })
      continue
    }
    const isExecutable = old?.isExecutable ?? (settings.keepsModes && isExecutableIn(repository, path))
    const bytesBefore = (): Promise<Uint8Array | null> => stagedContentOf(repository, path)
    texts.push({ path, bytes: await asCommitted(bytes, lineEnds, bytesBefore), isExecutable })
  }
  const blobs = await store(repository, texts, folder)
  return {
    entries: [
      ...deleted.map(([path]) => ({
        path,
        blob: null,
        isExecutable: false,
        before: before.get(path) ?? null,
      })),
      ...texts.map(({ path, isExecutable }, place) => ({
        ...{ path, blob: blobs[place] ?? '', isExecutable },
        before: before.get(path) ?? null,
      })),
    ],
    left,
    foreign,
  }
}

/** Whether a path leads to a place of the work tree without links, and is one that git can be given. */
function isPlain(repository: Repository, path: string): boolean {
  const isText = !path.includes('\0') && Buffer.from(path).toString('utf8') === path
  return isText && path !== '' && toTreePath(repository, join(repository.root, path)) === path
}

/** The paths that git ignores; none that the index has. */
async function ignoredOf(repository: Repository, paths: readonly string[]): Promise<ReadonlySet<string>> {
  // This command knows no literal paths; behind `./` nothing in them is magic.
  const run = repository.runWith({ GIT_LITERAL_PATHSPECS: '0' })
  const asked = ['check-ignore', '-z', '--stdin']
  const { code, stdout, stderr } = await run(asked, paths.map((path) => `./${path}\0`).join(''))
  // 1: it ignores none of them.
  if (code !== 0 && code !== 1) throw new GitError(toReasonOfGit(stderr))
  return new Set(
    stdout
      .toString('utf8')
      .split('\0')
      .map((path) => path.slice(2)),
  )
}

function isExecutableIn({ root }: Repository, path: string): boolean {
  const mode = lstatSync(join(root, path), { throwIfNoEntry: false })?.mode ?? 0
  return (mode & 0o100) !== 0
}

/** The content that the index has for a file, where git looks as well; during a merge, that of our side. */
async function stagedContentOf(repository: Repository, path: string): Promise<Uint8Array | null> {
  const [own = null, ours = null] = await blobsAt(repository, [`:0:${path}`, `:2:${path}`])
  const { blob } = own ?? ours ?? {}
  return blob === undefined ? null : ((await readBlobs(repository, [blob])).get(blob) ?? null)
}

/** Stores contents, as they are, and answers their hashes. */
async function store(
  repository: Repository,
  contents: readonly { readonly bytes: Uint8Array }[],
  folder: string,
): Promise<readonly string[]> {
  const names = contents.map((_, place) => join(folder, `${place}`))
  for (const [place, { bytes }] of contents.entries()) writeFileSync(names[place] ?? '', bytes)
  const asked = ['hash-object', '-w', '--no-filters', '--stdin-paths']
  return linesOf(repository, asked, names.map((name) => `${name}\n`).join(''))
}
