import { spawnSync } from 'node:child_process'
import type { Snapshot } from '../../../src/model/snapshot.js'
import type { Store } from '../../../src/store/live/open-store.js'
import { menuText, type OpenOptions, openedOn } from '../../store/opening.js'
import { createLargeFolder, createMenusFolder, type MenusFolder } from '../../support/menus-folder.js'
import { runProcess } from '../../support/process.js'

/** Nothing from the person who runs the tests: no name, no hooks, no keys. */
const IDENTITY = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'commit.gpgsign=false']
const ENVIRONMENT = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null', GIT_EDITOR: 'true' }

/** A git work tree with menus, and a store that follows them. */
export interface WorkTree {
  readonly folder: MenusFolder
  readonly store: Store
  readonly errors: () => readonly string[]
  /** Runs git without holding up the store; answers its exit code. */
  readonly git: (...args: string[]) => Promise<number | null>
  /** Runs git and throws when it fails. */
  readonly must: (...args: string[]) => Promise<void>
}

export interface WorkTreeOptions extends OpenOptions {
  /** Where the menus lie in the work tree. Default: `menus`. */
  readonly menus?: string
  /** Whether there are thousands of them. Default: no. */
  readonly large?: boolean
}

/** Opens a store on a folder of a new repository, whose branches each hold the files told. */
export async function inWorkTree(
  branches: Readonly<Record<string, Readonly<Record<string, string>>>>,
  test: (tree: WorkTree) => Promise<void>,
  { menus = 'menus', large = false, ...options }: WorkTreeOptions = {},
): Promise<void> {
  const folder = large ? createLargeFolder() : createMenusFolder()
  const [first = 'main', ...others] = Object.keys(branches)
  const now = (...args: string[]): void => {
    const { status, stderr } = spawnSync('git', [...IDENTITY, ...args], {
      cwd: folder.dir,
      encoding: 'utf8',
      env: { ...process.env, ...ENVIRONMENT },
    })
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  }
  const commit = (branch: string): void => {
    for (const [path, text] of Object.entries(branches[branch] ?? {})) folder.write(`${menus}/${path}`, text)
    now('add', '-A')
    now('commit', '--quiet', '--allow-empty', '-m', branch)
  }
  now('init', '--quiet', `--initial-branch=${first}`)
  commit(first)
  for (const branch of others) {
    now('checkout', '--quiet', '-b', branch, first)
    // What a branch holds is all that it holds.
    if (Object.keys(branches[branch] ?? {}).length > 0) folder.remove(menus)
    commit(branch)
  }
  now('checkout', '--quiet', first)
  const git: WorkTree['git'] = async (...args) => {
    const { code } = await runProcess('git', [...IDENTITY, ...args], { cwd: folder.dir, env: ENVIRONMENT })
    return code
  }
  const must: WorkTree['must'] = async (...args) => {
    const { code, stdout, stderr } = await runProcess('git', [...IDENTITY, ...args], {
      cwd: folder.dir,
      env: ENVIRONMENT,
    })
    if (code !== 0) throw new Error(`git ${args.join(' ')}: ${code} ${stdout}${stderr}`)
  }
  const work = (store: Store): Promise<void> => {
    const errors = (): string[] =>
      store.current.problems
        .filter(({ severity }) => severity === 'error')
        .map(({ path, line, code }) => `${path}:${line} ${code}`)
    return test({ folder, store, errors, git, must })
  }
  try {
    await openedOn(`${folder.dir}/${menus}`, work, options)
  } finally {
    folder.close()
  }
}

/** So many menus in ten folders, all of one name. */
export function menusNamed(name: string, count: number): Record<string, string> {
  const entry = (place: number) => [`f${place % 10}/m${place}.yaml`, menuText(`m${place}`, name)] as const
  return Object.fromEntries(Array.from({ length: count }, (_, place) => entry(place)))
}

/** The names of what a snapshot serves, with how many menus have each. */
export function namesIn({ served }: Snapshot): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { menu } of served.values()) counts[menu.name] = (counts[menu.name] ?? 0) + 1
  return counts
}

/** Whether a snapshot serves so many menus, and all of this one name. */
export function isAll(name: string, count: number): (snapshot: Snapshot) => boolean {
  return (snapshot) => {
    const [[only, number] = [], more] = Object.entries(namesIn(snapshot))
    return more === undefined && only === name && number === count
  }
}
