import { relative, resolve, sep } from 'node:path'
import type { Environment } from '../config/environment.js'
import { type Config, loadConfig } from '../config/load-config.js'
import { isError, type Problem } from '../model/problem.js'
import { toProblemText } from './problem-text.js'
import type { Terminal } from './terminal.js'

/** What every command is given. */
export interface CommandContext {
  readonly terminal: Terminal
  readonly folder: string
  readonly environment: Environment
  /** The version of the package. */
  readonly version: string
}

/** What `--config` and the flags for options say. */
export interface ConfigFlags {
  readonly config?: string | undefined
  /** The menus folder, from the folder that the command runs in. */
  readonly menus?: string | undefined
  readonly host?: string | undefined
  readonly port?: string | undefined
}

/** The configuration, once it is faultless; null after its problems were told. */
export async function loadConfigOrTell(context: CommandContext, flags: ConfigFlags): Promise<Config | null> {
  const config = await loadConfigOf(context, flags)
  for (const note of config.notes) context.terminal.err(`note: ${note}`)
  if (!config.problems.some(isError)) return config
  tellProblems(context.terminal, config.problems)
  return null
}

/** The configuration with whatever is wrong with it. */
export function loadConfigOf({ folder, environment }: CommandContext, flags: ConfigFlags): Promise<Config> {
  const { config: file = null, menus: path } = flags
  const menus = path === undefined ? null : { path, origin: { kind: 'flag', where: '--menus' } as const }
  return loadConfig({ folder, file, environment, flags: toOptionFlags(flags), menus })
}

function toOptionFlags({ host, port }: ConfigFlags): Readonly<Record<string, unknown>> {
  return {
    ...(host !== undefined && { 'server.host': host }),
    ...(port !== undefined && { 'server.port': Number(port) }),
  }
}

/** Tells the problems of a configuration on standard error. */
export function tellProblems({ err, paintErr }: Terminal, problems: readonly Problem[]): void {
  for (const problem of problems) err(`${toProblemText(problem, placeOf(problem), paintErr)}\n`)
}

/** Tells problems of menus on standard error, placed as `lint` places them; the folder itself stands for what has no file. */
export function tellMenuProblems(
  { terminal, folder }: CommandContext,
  menusFolder: string,
  problems: readonly Problem[],
): void {
  for (const problem of problems) {
    const at = `${toSeen(folder, menusFolder, problem.path)}:${problem.line}:${problem.column}`
    terminal.err(`${toProblemText(problem, at, terminal.paintErr)}\n`)
  }
}

/** A variable, a flag or a module has no lines to speak of. */
function placeOf({ path, line, column, frame }: Problem): string {
  if (frame !== '') return `${path}:${line}:${column}`
  return /\.(ya?ml|json)$/.test(path) ? `${path}:${line}` : path
}

/** A file of the menus folder, or the folder itself, as it is seen from the folder that the command runs in, with `/`. */
export function toSeen(folder: string, menusFolder: string, path: string): string {
  return toSlashes(relative(folder, resolve(menusFolder, path))) || '.'
}

/** A path of this machine with `/`, as paths are told everywhere. */
export function toSlashes(path: string): string {
  return path.split(sep).join('/')
}
