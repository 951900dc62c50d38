import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLargeFolder, type MenusFolder } from './menus-folder.js'

type Files = Readonly<Record<string, string | Uint8Array>>

/** Who made a commit, and when; what is left out is Ana Núñez, a day after the commit before. */
export interface CommitDetails {
  readonly author?: string
  /** ISO 8601. */
  readonly date?: string
}

/** A git repository with a work tree. */
export interface TestRepository extends MenusFolder {
  /** Runs git in its work tree; answers what it printed, without the last line break. Throws when git fails. */
  readonly git: (...args: readonly string[]) => string
  /** Writes these files, commits all that differs, and answers the full name of the commit. */
  readonly commit: (subject: string, files?: Files, details?: CommitDetails) => string
}

/** The settings of the machine must not decide what a test finds, and what a hook was told is not for these repositories. */
export const GIT_ENVIRONMENT: Readonly<Record<string, string>> = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
}
for (const name of Object.keys(process.env)) if (name.startsWith('GIT_')) delete process.env[name]
Object.assign(process.env, GIT_ENVIRONMENT)

/** Who commits; and no work that only later commands would profit from. */
const SETTINGS = `[user]
	name = Committer
	email = committer@example.org
[commit]
	gpgSign = false
[core]
	fsync = none
[maintenance]
	auto = false
`

/** As little as git makes, since most of it would be read by no test. */
const INIT = ['--quiet', '--template=', '--initial-branch=main']

const FIRST_DAY = Date.UTC(2026, 0, 1, 9)
const DAY = 86_400_000

/** Creates a repository with the branch `main`; `args` are for `git init`. Without files it has no commit. */
export function createRepository(files: Files = {}, args: readonly string[] = []): TestRepository {
  const folder = createLargeFolder()
  let days = 0
  const git: TestRepository['git'] = (...words) => run(folder.dir, words)
  const commit: TestRepository['commit'] = (subject, changed = {}, details = {}) => {
    for (const [path, content] of Object.entries(changed)) folder.write(path, content)
    const { author = 'Ana Núñez <ana@example.org>', date = new Date(FIRST_DAY + days * DAY).toISOString() } =
      details
    days++
    git('add', '--all')
    const when = { GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date }
    run(folder.dir, ['commit', '--quiet', '--allow-empty', '--message', subject, '--author', author], when)
    return headOf(folder.dir)
  }
  if (args.length === 0) initFolder(folder.dir)
  else git('init', ...INIT, ...args)
  appendFileSync(join(folder.dir, '.git/config'), SETTINGS)
  if (Object.keys(files).length > 0) commit('First', files)
  return { ...folder, git, commit }
}

let emptyRepository: string | null = null

/** Makes a repository without commits of a folder: git makes one for each process, and the others are copies of it. */
export function initFolder(dir: string): void {
  if (emptyRepository === null) {
    emptyRepository = createLargeFolder().dir
    run(emptyRepository, ['init', ...INIT])
  }
  cpSync(join(emptyRepository, '.git'), join(dir, '.git'), { recursive: true })
}

function run(cwd: string, words: readonly string[], env: NodeJS.ProcessEnv = {}): string {
  const options = { cwd, encoding: 'utf8' as const, env: { ...process.env, ...env } }
  const { status, stdout, stderr } = spawnSync('git', words, options)
  if (status !== 0) throw new Error(`git ${words.join(' ')}: ${stderr}`)
  return stdout.replace(/\n$/, '')
}

/** Runs git in a folder, and answers what it printed, without the last line break. Throws when git fails. */
export function gitIn(dir: string, ...words: readonly string[]): string {
  const who = ['-c', 'user.name=Committer', '-c', 'user.email=committer@example.org']
  return run(dir, [...who, '-c', 'commit.gpgSign=false', ...words])
}

/** Makes a repository of a folder; its first commit has these paths. */
export function commitFolder(dir: string, ...paths: readonly string[]): void {
  initFolder(dir)
  gitIn(dir, 'add', '--force', ...paths)
  gitIn(dir, 'commit', '-q', '-m', 'First')
}

/** The full name of the commit that was just made, without a git to be started for it. */
export function headOf(dir: string): string {
  const read = (path: string) => readFileSync(join(dir, '.git', path), 'utf8').trimEnd()
  const head = read('HEAD')
  return head.startsWith('ref: ') ? read(head.slice('ref: '.length)) : head
}

/** Runs a test in a repository, which goes behind it. */
export async function inRepository(
  files: Files,
  test: (repository: TestRepository) => Promise<void>,
  args: readonly string[] = [],
): Promise<void> {
  const repository = createRepository(files, args)
  try {
    await test(repository)
  } finally {
    repository.close()
  }
}
