import { createGit, GitError, type RunGit, toReasonOfGit } from './process.js'
import { must, type Repository } from './repository.js'

/** The section of git's settings that names the merge driver (gitattributes, "Defining a custom merge driver"). */
export const DRIVER = 'merge.menuscript'
/** The files passed to the driver. A path may begin with a dash. */
export const DRIVER_FILES = '-- %O %A %B %P'

/** The driver for virtual ancestors, where two branches have merged each other before. */
const ANCESTOR = 'menuscript-ancestor'
const DRIVERS = '^merge\\.menuscript(-ancestor)?\\.[a-z]+$'
const CONFIGS = '^menuscript\\..*\\.config$'
/** Represents the top of the work tree, since a setting needs a name. */
const TOP = '.'

/**
 * Sets the commands of this clone's driver, and of the one for virtual ancestors, or removes both for null; returns whether
 * something changed. With `isDry` nothing is written.
 */
export async function setDriver(
  repository: Repository,
  setting: { readonly command: string; readonly ancestor: string } | null,
  isDry: boolean,
): Promise<boolean> {
  const before = await readSettings(repository.run, ['--local'], DRIVERS)
  const wanted = Object.entries<string>(
    setting === null
      ? {}
      : {
          [`${DRIVER}.name`]: 'Menuscript: menus item by item',
          [`${DRIVER}.recursive`]: ANCESTOR,
          [`${DRIVER}.driver`]: setting.command,
          [`merge.${ANCESTOR}.name`]: 'Menuscript: versions to begin from',
          [`merge.${ANCESTOR}.driver`]: setting.ancestor,
        },
  )
  const isSame = before.size === wanted.length && wanted.every(([key, value]) => before.get(key) === value)
  if (isSame || isDry) return !isSame
  const sections = new Set([...before.keys()].map((key) => key.slice(0, key.lastIndexOf('.'))))
  for (const section of sections) await must(repository, ['config', '--local', '--remove-section', section])
  for (const [key, value] of wanted) await must(repository, ['config', '--local', key, value])
  return true
}

/** Whether attributes assign the driver to a file, and this clone has none, or an old setting of it. */
export async function lacksDriver(repository: Repository, path: string): Promise<boolean> {
  const { stdout } = await must(repository, ['check-attr', '-z', 'merge', '--', path])
  if (stdout.toString('utf8').split('\0')[2] !== 'menuscript') return false
  const settings = await readSettings(repository.run, [], DRIVERS)
  const hasFiles = settings.get(`${DRIVER}.driver`)?.includes(DRIVER_FILES) === true
  return !hasFiles || settings.get(`${DRIVER}.recursive`) !== ANCESTOR
}

/**
 * Sets the configuration file named for a menus folder as a setting of the clone, or removes it for null; returns whether
 * something changed. Both paths start at the top of the work tree.
 */
export async function nameConfig(
  repository: Repository,
  menus: string,
  file: string | null,
): Promise<boolean> {
  const key = `menuscript.${menus === '' ? TOP : menus}.config`
  const before = (await readSettings(repository.run, ['--local'], CONFIGS)).get(key) ?? null
  if (before === file) return false
  const change = file === null ? ['--unset-all', key] : ['--replace-all', key, file]
  await must(repository, ['config', '--local', ...change])
  return true
}

/** The configuration file named for the innermost menus folder around a path; null without one. */
export async function namedConfig(folder: string, path: string): Promise<string | null> {
  const settings = await readSettings(createGit(folder), ['--local'], CONFIGS)
  const folderOf = (key: string): string => key.slice('menuscript.'.length, -'.config'.length)
  const around = [...settings].filter(
    ([key]) => folderOf(key) === TOP || path.startsWith(`${folderOf(key)}/`),
  )
  const depth = (key: string): number => (folderOf(key) === TOP ? 0 : key.length)
  return around.sort(([a], [b]) => depth(b) - depth(a))[0]?.[1] ?? null
}

/** The settings whose keys match a pattern; of several values the one that counts. */
export async function readSettings(
  run: RunGit,
  where: readonly string[],
  pattern: string,
): Promise<ReadonlyMap<string, string>> {
  const { code, stdout, stderr } = await run(['config', ...where, '-z', '--get-regexp', pattern])
  // No answer does not mean that nothing is set.
  if (code === -1) throw new GitError(toReasonOfGit(stderr))
  const entries = stdout.toString('utf8').matchAll(/([^\0\n]+)\n?([^\0]*)/g)
  return new Map(Array.from(entries, ([, key = '', value = '']) => [key, value] as const))
}
