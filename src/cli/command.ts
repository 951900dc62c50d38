import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Environment } from '../config/environment.js'
import { ConfigurationError } from '../config/errors.js'
import { type Config, loadConfig } from '../config/load-config.js'
import { toPlainJson } from '../model/plain-json.js'
import { isError, type Problem } from '../model/problem.js'
import type { Paint } from '../review/ink.js'
import { toPlace, toProblemText, toSeenProblem } from '../review/problem-text.js'
import { refuse } from '../review/refusal.js'
import { type Site, toSeen } from '../review/site.js'
import { toReason } from '../service/log.js'
import { isClone } from '../store/remote/clone-folder.js'
import { withoutUser } from '../store/remote/credentials.js'
import type { Ending } from './exit-codes.js'
import type { Terminal } from './terminal.js'

/** What every command is given. */
export interface CommandContext {
  readonly terminal: Terminal
  readonly folder: string
  readonly environment: Environment
  /** The version of the package. */
  readonly version: string
  /** The file that runs this program. */
  readonly programFile: string
}

/**
 * The flags of a command by name: those that are on or off, and those with a text, with the ones that set options. What
 * each means is its help in `program.ts`.
 */
export type Flags<Switches extends string = never, Texts extends string = never> = {
  readonly [Name in Switches]: boolean
} & { readonly [Name in Texts | 'config' | 'menus' | 'host' | 'port' | 'static']?: string | undefined }

/** What commander calls: the arguments, the flags and the command. A command is loaded then: git starts one for each file. */
export type Run = (
  load: () => Promise<
    (context: CommandContext, flags: never, ...words: never[]) => Promise<Ending | undefined>
  >,
) => (...given: unknown[]) => Promise<void>

/** Prints a result: for programs as JSON, else as text. */
export function print(
  { terminal }: CommandContext,
  isJson: boolean,
  result: object,
  toText: (paint: Paint) => string = () => '',
): void {
  terminal.out(isJson ? toPlainJson({ version: 1, ...result }, 2) : toText(terminal.paintOut))
}

/** Prints notes on standard error; null is none. */
export function note({ terminal }: CommandContext, ...lines: readonly (string | null)[]): void {
  for (const line of lines) if (line !== null) terminal.err(`note: ${line}`)
}

/** The configuration without errors. Throws ConfigurationError where it has some. */
export async function needConfig(context: CommandContext, flags: Flags): Promise<Site> {
  const config = await loadConfigOf(context, flags)
  note(context, ...config.notes)
  if (config.problems.some(isError)) throw new ConfigurationError(config.problems)
  return { ...config, folder: context.folder }
}

/** The same, to read or write menus. Those of a remote repository are read in the clone that the service makes, and not written. */
export async function needMenus(
  context: CommandContext,
  flags: Flags,
  use: 'read' | 'write' = 'read',
): Promise<Site> {
  const site = await needConfig(context, flags)
  if (site.remote === null) return site
  const { folder } = site.remote
  const url = withoutUser(site.remote.url)
  if (use === 'write')
    refuse('configuration', `the menus are in ${url}; edit them in the dashboard, or push a commit`)
  if (!isClone(folder))
    refuse('configuration', `there is no clone of ${url} in ${folder} yet; menuscript serve makes it`)
  return site
}

/** The configuration with its problems. */
export function loadConfigOf({ folder, environment }: CommandContext, flags: Flags): Promise<Config> {
  const { config: file = null, menus: path, host, port, static: site } = flags
  const menus = path === undefined ? null : { path, origin: { kind: 'flag', where: '--menus' } as const }
  const options = {
    ...(host !== undefined && { 'server.host': host }),
    ...(port !== undefined && { 'server.port': Number(port) }),
    // As the menus folder, from the current folder; an empty path is refused.
    ...(site !== undefined && { 'server.static': site && resolve(folder, site) }),
  }
  return loadConfig({ folder, file, environment, flags: options, menus })
}

/** Reports the problems of a configuration on standard error. */
export function reportProblems({ err, paintErr }: Terminal, problems: readonly Problem[]): void {
  for (const problem of problems) {
    const { path, line, frame } = problem
    // A variable, a flag or a module has no lines to speak of.
    const place = /\.(ya?ml|json)$/.test(path) ? `${path}:${line}` : path
    err(`${toProblemText(problem, paintErr, frame === '' ? place : toPlace(problem))}\n`)
  }
}

/** Reports problems of menus on standard error, as `lint` does; the folder itself is in the place of what has no file. */
export function reportMenuProblems(
  { err, paintErr }: Terminal,
  site: Site,
  problems: readonly Problem[],
): void {
  for (const problem of problems) {
    const seen = toSeenProblem(problem, (path) => toSeen(site, path))
    err(`${toProblemText(seen, paintErr)}\n`)
  }
}

/** Writes what a flag names as the file for a result. */
export function saveAs({ folder }: CommandContext, file: string, text: string): void {
  try {
    writeFileSync(resolve(folder, file), text)
  } catch (thrown) {
    refuse('configuration', `${file} cannot be written: ${toReason(thrown)}`)
  }
}
