import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { GitError } from './git-error.js'
import { mergeLines, type Versions } from './merge.js'
import { createGit, type RunGit } from './process.js'

/** Merges three texts line by line; `mine` wins where both changed the same lines. Throws GitError when git fails. */
export async function mergeTexts(texts: Versions<string>): Promise<string> {
  const names = { base: 'base', mine: 'mine', theirs: 'theirs' }
  const merged = await withTexts(Object.entries(texts), (git) => mergeLines(git, names, ['--ours']))
  // One side in place of both would lose the other.
  if (merged === null) throw new GitError('git merge-file failed')
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(merged.bytes)
}

/** Runs git in a temporary folder with these texts, outside any repository. */
async function withTexts<T>(
  files: readonly (readonly [path: string, text: string])[],
  work: (git: RunGit) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'menuscript-'))
  try {
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    return await work(createGit(folder, { ...OF_NO_MACHINE, GIT_CEILING_DIRECTORIES: dirname(folder) }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Without the settings of a user, a machine or a surrounding repository, which change the form of differences. */
const OF_NO_MACHINE = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_COUNT: undefined,
  GIT_CONFIG_PARAMETERS: undefined,
}
