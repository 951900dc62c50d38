import { existsSync, statSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import type { Config } from '../config/load-config.js'
import type { Problem } from '../model/problem.js'
import { countProblems, type Snapshot } from '../model/snapshot.js'
import { type CommandContext, type ConfigFlags, loadConfigOrTell, tellProblems, toSeen } from './command.js'
import { EXIT } from './exit-codes.js'
import { formatReport } from './lint-formats.js'
import type { LintFormat, LintReport } from './lint-report.js'

export interface LintFlags extends ConfigFlags {
  readonly format: LintFormat
  /** More warnings than this are findings; null allows any number. */
  readonly maxWarnings: number | null
}

/** Reads all menus of a configuration, as the service would. */
export type ReadMenus = (
  config: Config,
  onProgress: (read: number, total: number) => void,
) => Promise<{ readonly snapshot: Snapshot | null; readonly problems: readonly Problem[] }>

/** `menuscript lint`: judges all menu files exactly as the service does; `paths` keep what is told to some of them. */
export async function lint(
  context: CommandContext,
  flags: LintFlags,
  paths: readonly string[],
  readMenus: ReadMenus,
): Promise<number> {
  const { terminal, folder, version } = context
  const missing = paths.find((path) => !existsSync(resolve(folder, path)))
  if (missing !== undefined) {
    terminal.err(`error: there is no ${missing}`)
    return EXIT.usage
  }
  const config = await loadConfigOrTell(context, flags)
  if (config === null) return EXIT.configuration
  const { snapshot, problems } = await readMenus(config, (read, total) =>
    terminal.progress(`reading ${read} of ${total} files`),
  )
  terminal.progress(null)
  if (snapshot === null) {
    tellProblems(terminal, problems)
    return EXIT.configuration
  }
  const scopes = paths.map((path) => resolve(folder, path))
  const stranger = scopes.findIndex(
    (scope) =>
      !(isIn(scope, config.menusFolder) || isIn(config.menusFolder, scope)) ||
      !isMenuOrFolder(scope, config, snapshot),
  )
  if (stranger !== -1) {
    terminal.err(`error: ${paths[stranger]} is no menu file of ${config.menusFolder}`)
    return EXIT.usage
  }
  const report = toReport(snapshot, config.menusFolder, folder, scopes)
  if (snapshot.files.length === 0) terminal.err(`note: there is no menu file in ${config.menusFolder}`)
  const text = formatReport(report, flags.format, terminal.paintOut, version)
  if (text !== '') terminal.out(text)
  if (snapshot.problems.some(({ code }) => code === 'folder-missing')) return EXIT.configuration
  const tooManyWarnings = flags.maxWarnings !== null && report.warnings > flags.maxWarnings
  return report.errors > 0 || tooManyWarnings ? EXIT.findings : EXIT.fine
}

/** Whether a path is a folder, or a file that is read as a menu. */
function isMenuOrFolder(path: string, { menusFolder }: Config, { files }: Snapshot): boolean {
  return isFolder(path) || files.some((file) => resolve(menusFolder, file.path) === path)
}

function toReport(
  { files, problems }: Snapshot,
  menusFolder: string,
  folder: string,
  scopes: readonly string[],
): LintReport {
  const isAsked = (path: string): boolean =>
    scopes.length === 0 || scopes.some((scope) => isIn(resolve(menusFolder, path), scope))
  const asked = files.filter(({ path }) => isAsked(path))
  const listed = problems.filter(({ path }) => path === '' || isAsked(path))
  return {
    files: asked.length,
    ...countProblems(listed, asked),
    problems: listed.map((problem) => ({
      problem,
      file: toSeen(folder, menusFolder, problem.path) || '.',
    })),
  }
}

/** Whether a path is a folder or lies in it; a file has only itself. */
function isIn(path: string, scope: string): boolean {
  return path === scope || path.startsWith(scope.endsWith(sep) ? scope : scope + sep)
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
