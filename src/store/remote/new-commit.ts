import { type Author, toVariables } from '../git/author.js'
import { writeTree } from '../git/commit.js'
import { filesAt } from '../git/objects.js'
import { must, type Repository, toLine } from '../git/repository.js'

/** What a commit stands on. */
export interface Onto {
  readonly parent: string
  /** More parents, and the tree in which they are merged. Default: none, and the tree of the parent. */
  readonly merging?: { readonly parent: string; readonly tree: string }
}

/** A commit that changes some files of another one. */
export interface NewCommit extends Onto {
  /** Each with its path from the top of the repository, and its bytes; null deletes it. */
  readonly files: readonly (readonly [path: string, bytes: Uint8Array | null])[]
  readonly author: Author
  readonly message: string
}

/** As whom the service commits, and the absolute path of the ssh key that signs its commits; null signs none. */
export interface Committer extends Author {
  readonly signingKey: string | null
}

/**
 * Makes a commit in the repository without touching branch, index and work tree, and returns its hash. Files keep their modes.
 * Throws where a path is that of a link, and where the commit cannot be signed.
 */
export async function makeCommit(
  repository: Repository,
  { parent, merging, files, author, message }: NewCommit,
  committer: Committer,
): Promise<string> {
  const from = merging?.tree ?? parent
  const paths = files.map(([path]) => path)
  const before = new Map((await filesAt(repository, from, paths)).map((file) => [file.path, file]))
  const link = [...before.values()].find(({ isLink }) => isLink)
  if (link !== undefined) throw new Error(`${JSON.stringify(link.path)} is a link in the repository`)
  const entries: string[] = []
  for (const [path, bytes] of files) {
    const blob =
      bytes && toLine(await must(repository, ['hash-object', '-w', '--no-filters', '--stdin'], bytes))
    const mode = before.get(path)?.isExecutable === true ? '100755' : '100644'
    entries.push(blob === null ? `0 ${'0'.repeat(parent.length)}\t${path}\0` : `${mode} ${blob}\t${path}\0`)
  }
  const tree = await writeTree(repository, from, entries)
  const run = repository.runWith(toVariables(author, committer))
  const { signingKey } = committer
  const settings = signingKey === null ? [] : ['-c', 'gpg.format=ssh', '-c', `user.signingKey=${signingKey}`]
  const sign = signingKey === null ? [] : ['-S']
  const parents = [parent, merging?.parent ?? []].flat().flatMap((each) => ['-p', each])
  const making = ['-c', 'i18n.commitEncoding=UTF-8', ...settings, 'commit-tree', tree, ...parents, ...sign]
  return toLine(await must({ ...repository, run }, making, `${message.replaceAll('\0', '').trimEnd()}\n`))
}
