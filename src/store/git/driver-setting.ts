import { must, type Repository } from './repository.js'

/** The section of git's settings that names the merge driver (gitattributes, "Defining a custom merge driver"). */
export const DRIVER = 'merge.menuscript'
/** The files that the driver is given. A path may begin with a dash. */
export const DRIVER_FILES = '-- %O %A %B %P'

/** The driver that makes one version to begin from, where two branches have merged each other before. */
const ANCESTOR = 'menuscript-ancestor'

/** The commands of the driver, and of the one for versions to begin from. */
export interface DriverSetting {
  readonly command: string
  readonly ancestor: string
}

/**
 * Sets the driver of this clone, or with null takes it away; answers whether something was otherwise. With `isDry`
 * nothing is written.
 */
export async function setDriver(
  repository: Repository,
  setting: DriverSetting | null,
  isDry: boolean,
): Promise<boolean> {
  const before = await readSettings(repository, ['--local'])
  const wanted = new Map(setting === null ? [] : toSettings(setting))
  const isSame = before.size === wanted.size && [...wanted].every(([key, value]) => before.get(key) === value)
  if (isSame || isDry) return !isSame
  const sections = new Set([...before.keys()].map((key) => key.slice(0, key.lastIndexOf('.'))))
  for (const section of sections) await must(repository, ['config', '--local', '--remove-section', section])
  for (const [key, value] of wanted) await must(repository, ['config', '--local', key, value])
  return true
}

/** Whether attributes ask for the driver at a file, and this clone has none, or an old setting of it. */
export async function lacksDriver(repository: Repository, path: string): Promise<boolean> {
  const { stdout } = await must(repository, ['check-attr', '-z', 'merge', '--', path])
  if (stdout.toString('utf8').split('\0')[2] !== 'menuscript') return false
  const settings = await readSettings(repository, [])
  const hasFiles = settings.get(`${DRIVER}.driver`)?.includes(DRIVER_FILES) === true
  return !hasFiles || settings.get(`${DRIVER}.recursive`) !== ANCESTOR
}

function toSettings({ command, ancestor }: DriverSetting): (readonly [string, string])[] {
  return [
    [`${DRIVER}.name`, 'Menuscript: menus item by item'],
    [`${DRIVER}.recursive`, ANCESTOR],
    [`${DRIVER}.driver`, command],
    [`merge.${ANCESTOR}.name`, 'Menuscript: versions to begin from'],
    [`merge.${ANCESTOR}.driver`, ancestor],
  ]
}

async function readSettings(
  { run }: Repository,
  where: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { stdout } = await run([
    'config',
    ...where,
    '-z',
    '--get-regexp',
    '^merge\\.menuscript(-ancestor)?\\.[a-z]+$',
  ])
  const entries = stdout.toString('utf8').split('\0')
  return new Map(
    entries.flatMap((entry) => {
      const [key = '', ...lines] = entry.split('\n')
      return key === '' ? [] : [[key, lines.join('\n')] as const]
    }),
  )
}
