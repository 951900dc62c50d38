import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { inRepository, type TestRepository } from '../support/repository.js'
import { menuscript } from './command.js'
import { STACK } from './project.js'

/** The menu that is merged. */
export const FILE = 'menus/main.yaml'

/** The menu before, null where it was not there, and on both branches. */
export interface Sides {
  readonly base: string | null
  readonly ours: string
  readonly theirs: string
}

/** What became of a merge. */
export interface Answer {
  readonly code: number | null
  readonly text: string
  /** What git and the driver said. */
  readonly said: string
}

/** Merges the branch `theirs` into the branch `ours` with git, in a repository that was set up; `use` looks at the result. */
export async function merging(
  { base, ours, theirs }: Sides,
  use: (answer: Answer, repository: TestRepository) => void | Promise<void>,
  options: { readonly config?: readonly string[]; readonly files?: Readonly<Record<string, string>> } = {},
): Promise<void> {
  await inRepository(
    { 'README.md': 'Menus\n', ...options.files, ...(base !== null && { [FILE]: base }) },
    async (repository) => {
      const setup = await menuscript(['git', 'setup'], { cwd: repository.dir })
      assert.is(setup.code, 0, setup.stderr)
      repository.commit('Set up')
      repository.git('checkout', '--quiet', '-b', 'theirs')
      repository.commit('Theirs', { [FILE]: theirs })
      repository.git('checkout', '--quiet', '-b', 'ours', 'main')
      repository.commit('Ours', { [FILE]: ours })
      const args = [
        ...(options.config ?? []).flatMap((each) => ['-c', each]),
        'merge',
        '-m',
        'Merged',
        'theirs',
      ]
      const { status, stdout, stderr } = spawnSync('git', args, { cwd: repository.dir, encoding: 'utf8' })
      assert.not.match(stderr, STACK)
      const text = readFileSync(join(repository.dir, FILE), 'utf8')
      await use({ code: status, text, said: stdout + stderr }, repository)
    },
  )
}

/** A menu up to its items. */
export const HEAD: string = 'version: 1\ncode: main\nname: Main\nitems:\n'
/** The lines of a link that leads to `/LABEL`. */
export const item = (label: string, more = ''): string =>
  `  - label: ${label}\n    url: /${label.toLowerCase()}\n${more}`

/** A text with one side of each conflict, the other taken out with the marks. */
export function resolved(text: string, side: 'ours' | 'theirs'): string {
  const pattern =
    /^<{7} ours\r?\n([\s\S]*?)(?:^\|{7} base\r?\n[\s\S]*?)?^={7}\r?\n([\s\S]*?)^>{7} theirs\r?\n/gm
  return text.replace(pattern, (_, ours: string, theirs: string) => (side === 'ours' ? ours : theirs))
}

/** Sides with one conflict, beside which everything merges. */
export const CONFLICT: Sides & { readonly base: string } = {
  base: HEAD + item('A') + item('B') + item('C'),
  ours: HEAD + item('A').replace('A', 'Ours') + item('B') + item('C', '    icon: lucide:c\n'),
  theirs: HEAD + item('A').replace('A', 'Theirs') + item('C') + item('B') + item('D'),
}
