import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { filesAt, type TreeFile } from './objects.js'
import { GitError, type RunGit, toReasonOfGit } from './process.js'
import { hashOf, must, type Repository, toTreePath } from './repository.js'

/** A file that cannot be committed, and why, in words. */
export interface LeftFile {
  readonly path: string
  readonly reason: string
}

/** The attributes by which a program, or only git itself, converts a file. */
const REWRITING = ['filter', 'ident', 'working-tree-encoding']

/**
 * Which of some files can be committed. Left out are files behind links, files in place of links, ignored ones, and those that
 * git rewrites by more than line ends. `repository` runs git as `runAsAdd` does.
 */
export async function judgeFiles(
  repository: Repository,
  all: readonly string[],
): Promise<{ readonly paths: readonly string[]; readonly left: readonly LeftFile[] }> {
  const plain = new Set(all.filter((path) => isPlain(repository, path)))
  const committed = await committedOf(repository, [...plain])
  const links = new Set(committed.flatMap(({ path, isLink }) => (isLink ? [path] : [])))
  const known = new Set(committed.map(({ path }) => path))
  // A deletion can always be committed.
  const there = [...plain].filter((path) => existsSync(join(repository.root, path)))
  const [ignored, rewriting] = await Promise.all([
    ignoredOf(
      repository,
      there.filter((path) => !known.has(path)),
    ),
    rewritingOf(repository, there),
  ])
  const left = new Map<string, string>()
  for (const path of there) {
    const what = ignored.has(path)
      ? 'is ignored by git'
      : links.has(path)
        ? 'is a link in the last commit'
        : rewriting.get(path)
    if (what !== undefined) left.set(path, what)
  }
  for (const path of all) if (!plain.has(path)) left.set(path, 'is not a file of the work tree')
  return {
    paths: all.filter((path) => !left.has(path)),
    left: Array.from(left, ([path, what]) => ({ path, reason: `${JSON.stringify(path)} ${what}` })),
  }
}

/** Whether a path leads to a place of the work tree without links, and is one that git can be given. */
function isPlain(repository: Repository, path: string): boolean {
  const isText = !path.includes('\0') && Buffer.from(path).toString('utf8') === path
  return isText && path !== '' && toTreePath(repository, join(repository.root, path)) === path
}

/** What the last commit has of some files; nothing where there is no commit yet. */
async function committedOf(repository: Repository, paths: readonly string[]): Promise<readonly TreeFile[]> {
  const head = paths.length === 0 ? null : await hashOf(repository, 'HEAD')
  return head === null ? [] : filesAt(repository, head, paths)
}

/** The paths that git ignores; none that the index has. */
async function ignoredOf({ runWith }: Repository, paths: readonly string[]): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set()
  // This command knows no literal paths; behind `./` nothing in them is magic.
  const run = runWith({ GIT_LITERAL_PATHSPECS: '0' })
  const asked = ['check-ignore', '-z', '--stdin']
  const { code, stdout, stderr } = await run(asked, paths.map((path) => `./${path}\0`).join(''))
  // 1: it ignores none of them.
  if (code !== 0 && code !== 1) throw new GitError(toReasonOfGit(stderr))
  const found = stdout.toString('utf8').split('\0')
  return new Set(found.map((path) => path.slice(2)))
}

/** Why only `git add` by hand can commit a file, by its path. */
async function rewritingOf(
  repository: Repository,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const asked = ['check-attr', '-z', '--stdin', ...REWRITING]
  const { stdout } = await must(repository, asked, paths.map((path) => `${path}\0`).join(''))
  // For each path and attribute: the path, the attribute, its value.
  const words = stdout.toString('utf8').split('\0')
  const found = new Map<string, string>()
  for (let at = 0; at + 2 < words.length; at += 3) {
    const [path = '', name, value = ''] = words.slice(at, at + 3)
    if (/^un(?:set|specified)$/.test(value) || found.has(path)) continue
    found.set(path, `has the attribute ${name}=${value}, by which only \`git add\` can convert it`)
  }
  return found
}

/** An empty variable: a name with a `=` in it is a setting only with the value in a variable. */
const EMPTY = 'MENUSCRIPT_EMPTY'

/**
 * Makes a function that runs git with the attributes and settings that `git add` obeys, those of the user included, but
 * without filters, which are programs (gitattributes, "filter"): git runs those of files that were written as late as the
 * index, whenever it writes the index.
 */
export async function runAsAdd(
  { run, runWith }: Repository,
  variables: Readonly<Record<string, string>>,
): Promise<RunGit> {
  const [named, attributes] = await Promise.all([
    run(['config', '-z', '--name-only', '--get-regexp', '^filter\\..*\\.(clean|process|required)$']),
    run(['config', '-z', '--type=path', '--get-all', 'core.attributesFile']),
  ])
  // No answer does not mean that nothing is set.
  if (named.code === -1) throw new GitError(toReasonOfGit(named.stderr))
  const filters = [...new Set(named.stdout.toString('utf8').split('\0').filter(Boolean))]
  const odd = filters.find((name) => name.includes('\ufffd'))
  if (odd !== undefined) throw new GitError(`the setting ${odd} is not UTF-8`)
  const home = process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config')
  // The last value is the one that every call of git is given.
  const file = attributes.stdout.toString('utf8').split('\0').at(-3) ?? join(home, 'git', 'attributes')
  const options = [
    ...['-c', `core.attributesFile=${file}`, '-c', 'core.safecrlf=false'],
    ...filters.map((name) => `--config-env=${name}=${EMPTY}`),
  ]
  const asAdd = runWith({ ...variables, GIT_ATTR_NOSYSTEM: '0', [EMPTY]: '' })
  return (args, input) => asAdd([...options, ...args], input)
}
