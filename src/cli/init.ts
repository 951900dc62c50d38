import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { toVisible } from '../document/source.js'
import { planNewMenu } from '../review/new-menu.js'
import { refuse } from '../review/refusal.js'
import { type Site, toSeen, toSlashes } from '../review/site.js'
import {
  SITES,
  type SiteKind,
  toCiJob,
  toFirstLines,
  toPreCommitHook,
  toSiteKind,
  toStarterConfig,
} from '../review/starter.js'
import { toReason } from '../service/log.js'
import { openRepository, type Repository, toLine, toTreePath } from '../store/git/repository.js'
import { SCHEMA_TEXT } from '../store/publish/new-file.js'
import { type CommandContext, type Flags, needMenus, note, print } from './command.js'
import type { Ending } from './exit-codes.js'
import { needFolder } from './new.js'
import { readMenus } from './read-menus.js'

type InitFlags = Flags<'json'> & { readonly site?: SiteKind }

/**
 * `menuscript init`: writes a first menu and, in a git work tree, the job and the hook that check menus; never over a file.
 * On a terminal it asks for what no flag says.
 */
export async function init(context: CommandContext, flags: InitFlags): Promise<Ending> {
  const { folder, terminal } = context
  const packages = readPackages(folder)
  const { file, menusFolder } = await needMenus(context, { ...flags, menus: undefined }, 'write')
  // A configuration says where the menus are.
  if (flags.menus !== undefined && file !== null)
    refuse('usage', `${toSlashes(relative(folder, file))} says where the menus are; change it there`)
  const { menus, kind } = await asking(process.stdin.isTTY && !flags.json, async (ask) => ({
    menus:
      flags.menus ??
      (file === null ? await ask('Folder of the menus', toSeen({ folder, menusFolder }, '')) : undefined),
    kind: flags.site ?? toKnown(await ask(`Site (${Object.keys(SITES).join(', ')})`, toSiteKind(packages))),
  }))
  const site = await needMenus(context, { ...flags, menus }, 'write')
  const record = createRecord(context, flags.json)
  const place = toSeen(site, '')
  if (file === null && place !== 'menus')
    record.write(resolve(folder, 'menuscript.config.yaml'), toStarterConfig(place))
  await writeFirstMenu(context, site, record)
  const { value: repository } = await openRepository(folder)
  if (repository !== null) await writeChecks(context, repository, place, record)
  else
    note(
      context,
      'this is not a git work tree; run this again after git init, for a CI job and a pre-commit hook',
    )
  const isInstalled = packages.has('menuscript')
  if (repository !== null && !isInstalled) note(context, 'the CI job needs menuscript in package.json')
  const { written, kept } = record
  if (flags.json) print(context, true, { menus: place, site: kind, written, kept })
  else
    for (const line of ['', `Next: ${isInstalled ? 'npx ' : ''}menuscript serve`, ...toFirstLines(kind)])
      terminal.out(line)
  return 'fine'
}

/** The files of a run, as seen from where it runs. */
interface Record {
  readonly written: string[]
  readonly kept: string[]
  /** Writes a file, and the folders on the way to it, where there is none. */
  readonly write: (path: string, text: string, mode?: number) => void
}

function createRecord({ folder, terminal }: CommandContext, isSilent: boolean): Record {
  const written: string[] = []
  const kept: string[] = []
  return {
    written,
    kept,
    write(path, text, mode = 0o666) {
      const seen = toSlashes(relative(folder, path))
      const isThere = existsSync(path)
      try {
        if (!isThere) mkdirSync(dirname(path), { recursive: true })
        if (!isThere) writeFileSync(path, text, { flag: 'wx', mode })
      } catch (thrown) {
        refuse('configuration', `${seen} cannot be written: ${toReason(thrown)}`)
      }
      ;(isThere ? kept : written).push(seen)
      if (!isSilent) terminal.out(`${isThere ? 'kept ' : 'wrote'} ${toVisible(seen)}`)
    },
  }
}

/** Writes the menu `main` where there is no menu file at all. */
async function writeFirstMenu(context: CommandContext, site: Site, { write }: Record): Promise<void> {
  needFolder(site)
  const snapshot = await readMenus(context, site)
  const request = { code: 'main', context: {}, name: null, path: null, isEmpty: false, copiesSchema: true }
  const { value: plan } = planNewMenu(site, snapshot, request)
  const [first] = snapshot.files
  if (first !== undefined) return write(resolve(site.menusFolder, first.path), '')
  if (plan === null) return
  write(resolve(site.menusFolder, plan.path), plan.text)
  if (plan.schema.copy !== null) write(plan.schema.copy, SCHEMA_TEXT)
}

/** Writes what checks menus before a merge and before a commit. */
async function writeChecks(
  context: CommandContext,
  repository: Repository,
  menus: string,
  { write }: Record,
): Promise<void> {
  const own = toTreePath(repository, context.folder) ?? ''
  const remotes = (await repository.run(['remote', '--verbose'])).stdout.toString('utf8')
  const isGitlab = existsSync(resolve(repository.root, '.gitlab-ci.yml')) || /gitlab/i.test(remotes)
  const job = toCiJob({ folder: own, menus, host: isGitlab ? 'gitlab' : 'github' })
  write(resolve(repository.root, job.path), job.text)
  const folder = await hooksFolderOf(repository)
  if (folder !== null) write(resolve(folder, 'pre-commit'), toPreCommitHook(own), 0o777)
  else note(context, 'core.hooksPath leads out of this repository: call menuscript lint in your own hook')
}

/** Where git looks for the hooks of a repository; null where those are not its own. */
async function hooksFolderOf({ root, run }: Repository): Promise<string | null> {
  const common = resolve(root, toLine(await run(['rev-parse', '--git-common-dir'])))
  const set = toLine(await run(['config', '--show-scope', '--type=path', '--get-all', 'core.hooksPath']))
  // Our own git runs no hooks: it sets the option for its command.
  const named = set.split('\n').findLast((line) => line !== '' && !line.startsWith('command\t'))
  if (named === undefined) return resolve(common, 'hooks')
  const folder = resolve(root, named.slice(named.indexOf('\t') + 1))
  return [root, common].some((top) => folder.startsWith(`${top}${sep}`)) ? folder : null
}

/** The names of the packages that a project installs. */
function readPackages(folder: string): ReadonlySet<string> {
  try {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(
      readFileSync(resolve(folder, 'package.json'), 'utf8'),
    )
    return new Set([...Object.keys(dependencies), ...Object.keys(devDependencies)])
  } catch {
    return new Set()
  }
}

function toKnown(answer: string): SiteKind {
  if (Object.hasOwn(SITES, answer)) return answer as SiteKind
  return refuse(
    'usage',
    `${JSON.stringify(answer)} is not a site; choose from ${Object.keys(SITES).join(', ')}`,
  )
}

type Ask = (what: string, usual: string) => Promise<string>

/** Gives what asks questions on a terminal; where nobody can be asked, each has its usual answer. */
async function asking<T>(isOpen: boolean, run: (ask: Ask) => Promise<T>): Promise<T> {
  if (!isOpen) return run(async (_, usual) => usual)
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const ended = new AbortController()
  lines.once('close', () => ended.abort())
  try {
    return await run(async (what, usual) => {
      const answer = lines.question(`${what} [${usual}]: `, { signal: ended.signal })
      return (
        (await answer.catch(() => refuse('findings', 'no answer was given; nothing was changed'))).trim() ||
        usual
      )
    })
  } finally {
    lines.close()
  }
}
