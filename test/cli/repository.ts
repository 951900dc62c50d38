import { createMenusFolder, type MenusFolder } from '../support/menus-folder.js'
import { runProcess } from '../support/process.js'
import { built } from './built.js'
import type { Outcome } from './command.js'

/** Commits of all machines and days are the same, down to their names. */
export const STEADY: Readonly<Record<string, string>> = {
  GIT_AUTHOR_NAME: 'Ana',
  GIT_AUTHOR_EMAIL: 'ana@example.org',
  GIT_AUTHOR_DATE: '2026-01-02T03:04:05Z',
  GIT_COMMITTER_NAME: 'Ana',
  GIT_COMMITTER_EMAIL: 'ana@example.org',
  GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
}

/** A git repository while a test uses it. */
export interface TestRepository extends MenusFolder {
  /** Runs git in it and gives what it said; throws when it failed. */
  readonly git: (...args: readonly string[]) => Promise<string>
  /** Commits all that is on the disk. */
  readonly commit: (message: string) => Promise<void>
  /** Runs the built `menuscript` in it. */
  readonly run: (...args: readonly string[]) => Promise<Outcome>
}

/** Runs a test in a repository whose branch `main` has one commit with these files; it goes behind it. */
export async function inRepository(
  files: Readonly<Record<string, string | Uint8Array>>,
  test: (repository: TestRepository) => Promise<void>,
): Promise<void> {
  const folder = createMenusFolder(files)
  const git: TestRepository['git'] = async (...args) => {
    const { code, stdout, stderr } = await runProcess('git', args, { cwd: folder.dir, env: STEADY })
    if (code !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
    return stdout
  }
  const commit: TestRepository['commit'] = async (message) => {
    await git('add', '--all')
    await git('commit', '--quiet', '--message', message)
  }
  const run: TestRepository['run'] = (...args) => built(args, { cwd: folder.dir, env: STEADY })
  try {
    await git('init', '--quiet', '--initial-branch=main')
    await commit('first')
    await test({ ...folder, git, commit, run })
  } finally {
    folder.close()
  }
}
