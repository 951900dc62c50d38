import { done, failed, type Result } from '../../model/result.js'
import { type DraftFiles, isDraftFile } from '../drafts/draft-copy.js'
import { isName } from '../drafts/draft-folder.js'
import { blobsAt, readBlobs } from '../git/objects.js'
import { linesOf, must, type Repository } from '../git/repository.js'
import type { Remote } from './remote.js'

/** Where the drafts of all services on a remote are: a ref each, whose commit has the files of the draft. */
const REFS = 'refs/menuscript/drafts'
/** The same in the clone, as they were fetched last. */
const FETCHED = 'refs/menuscript/fetched'
/** A ref of the clone that new commits are made on. */
const MADE = 'refs/menuscript/made'
/** Refs that are looked at; a service has as many drafts at most. */
const MAX_REFS = 1_000
/** Bytes of a list of files, and of all files of a draft. */
const MAX_TREE = 1_048_576
const MAX_FILES = 33_554_432

export function toDraftRef(name: string): string {
  return `${REFS}/${name}`
}

/** A ref beside those of drafts that a service makes: a repository without it is another one, or was made again. */
export const MARK = 'known'

/** What the remote has: the commits of drafts by the names of the drafts, and whether a service has been there. */
export interface DraftRefs {
  readonly commits: ReadonlyMap<string, string>
  readonly isKnown: boolean
}

/** Fetches all drafts; the fault says why that cannot be. */
export async function fetchDraftRefs(remote: Remote): Promise<Result<DraftRefs, string>> {
  const { fault } = await remote.fetch(`+${REFS}/*:${FETCHED}/*`)
  if (fault !== null) return failed(fault)
  const lines = await linesOf(remote.repository, [
    'for-each-ref',
    '--format=%(refname:lstrip=3) %(objectname)',
    FETCHED,
  ])
  const refs = lines.map((line) => line.split(' ') as [name: string, commit: string])
  const commits = new Map(refs.filter(([name]) => isName(name)).slice(0, MAX_REFS))
  return done({ commits, isKnown: refs.some(([name]) => name === MARK) })
}

/** The files of the drafts in commits, one after the other; null for what is no draft, or too large. Anybody may have pushed them. */
export async function* readDrafts(
  { repository }: Remote,
  commits: readonly string[],
): AsyncGenerator<DraftFiles | null> {
  const trees = await blobsAt(
    repository,
    commits.map((commit) => `${commit}^{tree}`),
    'tree',
  )
  const hashes = trees.map((tree) => (tree !== null && tree.bytes <= MAX_TREE ? tree.blob : null))
  const lists = await readBlobs(
    repository,
    hashes.flatMap((hash) => hash ?? []),
  )
  for (const hash of hashes) {
    const files = hash === null ? null : toFiles(lists.get(hash) ?? new Uint8Array(), hash.length / 2)
    yield files && (await readFiles(repository, files))
  }
}

/** The files in a tree object, by their names; null where it has anything else (gitformat-pack, gitdatamodel: "tree"). */
function toFiles(tree: Uint8Array, hashBytes: number): ReadonlyMap<string, string> | null {
  const bytes = Buffer.from(tree)
  const files = new Map<string, string>()
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0, at)
    const [mode, name = ''] = bytes.toString('latin1', at, end).split(' ')
    if (mode !== '100644' || !isDraftFile(name)) return null
    at = end + 1 + hashBytes
    files.set(name, bytes.toString('hex', end + 1, at))
  }
  return files
}

async function readFiles(
  repository: Repository,
  files: ReadonlyMap<string, string>,
): Promise<DraftFiles | null> {
  const found = await blobsAt(repository, [...files.values()])
  const bytes = found.reduce((sum, blob) => sum + (blob?.bytes ?? MAX_FILES), 0)
  if (bytes > MAX_FILES) return null
  const texts = await readBlobs(repository, files.values())
  return new Map([...files].map(([name, blob]) => [name, texts.get(blob) ?? new Uint8Array()]))
}

/**
 * Makes a commit of the files of each draft, by its name, without a parent, so that the remote keeps no former state. The same
 * files make the same commit.
 */
export async function commitDrafts(
  { repository }: Remote,
  drafts: ReadonlyMap<string, DraftFiles>,
): Promise<ReadonlyMap<string, string>> {
  if (drafts.size === 0) return new Map()
  const parts = [...drafts.values()].flatMap((files, at): Uint8Array[] => [
    text(`reset ${MADE}\n\ncommit ${MADE}\nmark :${at + 1}\n${COMMITTER}data 5\ndraft\n`),
    ...[...files].flatMap(([name, bytes]) => [
      text(`M 100644 inline ${name}\ndata ${bytes.length}\n`),
      bytes,
      text('\n'),
    ]),
    text(`\nget-mark :${at + 1}\n`),
  ])
  const { stdout } = await must(repository, ['fast-import', '--quiet', '--force'], Buffer.concat(parts))
  const commits = stdout.toString('utf8').split('\n')
  return new Map(Array.from(drafts.keys(), (name, at) => [name, commits[at] ?? '']))
}

const COMMITTER = 'committer Menuscript <Menuscript@menuscript.invalid> 0 +0000\n'

function text(words: string): Uint8Array {
  return Buffer.from(words)
}
