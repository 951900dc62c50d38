import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createLoneGit, toReasonOfGit } from './git/process.js'
import { GitError } from './git/repository.js'

/** A text before and after a change, under the path that the difference shows. */
export interface TextPair {
  /** With `/`; what leads out of the folder that one is in is left out of it. */
  readonly path: string
  readonly before: string
  readonly after: string
}

/** The unified difference of texts, as `git apply` takes it; `''` when there is none. Throws GitError when git cannot tell. */
export async function diffTexts(pairs: readonly TextPair[]): Promise<string> {
  if (pairs.every(({ before, after }) => before === after)) return ''
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'menuscript-diff-'))
  try {
    for (const { path, before, after } of pairs) {
      const inside = path.replace(/^(?:\.\.?\/)+/, '')
      put(join(folder, 'a', inside), before)
      put(join(folder, 'b', inside), after)
    }
    const { code, stdout, stderr } = await createLoneGit(folder)(ASKED)
    if (code !== 0 && code !== 1) throw new GitError(`git diff failed: ${toReasonOfGit(stderr)}`)
    return stdout.toString('utf8')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const ASKED = [
  ...['-c', 'core.autocrlf=false', '-c', 'core.quotePath=false'],
  ...['diff', '--no-index', '--no-prefix', '--no-color', '--no-ext-diff', '--no-textconv', '--no-renames'],
  ...['--text', '--', 'a', 'b'],
]

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
