import { join } from 'node:path'
import { ConfigurationError } from '../../src/config/errors.js'
import { type Config, loadConfig } from '../../src/config/load-config.js'
import { OPTION_ROWS, optionAt } from '../../src/config/option-table.js'
import { loadPolicies } from '../../src/config/policies.js'
import type { Problem } from '../../src/model/problem.js'
import type { Policies } from '../../src/service/hooks.js'
import { createMenusFolder } from '../support/menus-folder.js'

export interface LoadOptions {
  readonly environment?: Readonly<Record<string, string>>
  /** Options by flag, by dotted name. */
  readonly flags?: Readonly<Record<string, unknown>>
  /** The file that `--config` names, relative to the folder. */
  readonly file?: string
}

export interface Loaded {
  readonly config: Config
  /** The folder that the files were in. */
  readonly dir: string
}

/** Loads the configuration of a folder with these files, from an environment that holds nothing but what is told. */
export async function load(
  files: Readonly<Record<string, string>> = {},
  { environment = {}, flags = {}, file }: LoadOptions = {},
): Promise<Loaded> {
  const folder = createMenusFolder(files)
  const named = file === undefined ? null : join(folder.dir, file)
  const config = await loadConfig({ folder: folder.dir, file: named, environment, flags })
  folder.close()
  return { config, dir: folder.dir }
}

/** Loads a configuration that has to be faultless. */
export async function loadFaultless(...inputs: Parameters<typeof load>): Promise<Loaded> {
  const loaded = await load(...inputs)
  const [problem] = loaded.config.problems
  if (problem !== undefined) throw new Error(`${toLine(problem)} ${problem.what}`)
  return loaded
}

/** The only problem of a configuration that has to have exactly one. */
export async function onlyProblemOf(...inputs: Parameters<typeof load>): Promise<Problem> {
  const { config } = await load(...inputs)
  const [problem, ...more] = config.problems
  if (problem === undefined || more.length > 0) {
    throw new Error(`not exactly one problem: ${config.problems.map(toLine).join(', ')}`)
  }
  return problem
}

/** The hooks of a module, or the problems that prevent their use. */
export interface LoadedPolicies {
  readonly policies: Policies
  readonly problems: readonly Problem[]
}

/** Loads a policies module from a place. */
export async function loadHooksAt(file: string): Promise<LoadedPolicies> {
  try {
    return { policies: await loadPolicies(file), problems: [] }
  } catch (thrown) {
    if (thrown instanceof ConfigurationError) return { policies: {}, problems: thrown.problems }
    throw thrown
  }
}

/** Loads a policies module with this text. */
export async function loadHooks(text: string, ending: string = 'mjs'): Promise<LoadedPolicies> {
  const folder = createMenusFolder({ [`policies.${ending}`]: text })
  const loaded = await loadHooksAt(join(folder.dir, `policies.${ending}`))
  folder.close()
  return loaded
}

/** What a call throws or rejects with. */
export async function thrownBy(call: () => unknown): Promise<Error> {
  try {
    await call()
  } catch (thrown) {
    return thrown as Error
  }
  throw new Error('nothing was thrown')
}

/** A problem in short: `path:line code`. */
export function toLine({ path, line, code }: Problem): string {
  return `${path}:${line} ${code}`
}

/** The value of an option and where it came from. */
export function optionOf({ options, origins }: Config, name: string): readonly [unknown, string] {
  const { kind, where } = origins.get(name) ?? { kind: 'default', where: 'no origin' }
  return [optionAt(options, name), where === '' ? kind : where]
}

/** The names of all options that are set under their own name. */
export const OPTION_NAMES: readonly string[] = OPTION_ROWS.filter(({ isAlias }) => !isAlias).map(
  ({ name }) => name,
)

/** The content of a file that sets one option. */
export function nest(name: string, value: unknown): unknown {
  const [first = '', ...rest] = name.split('.')
  return { [first]: rest.length === 0 ? value : nest(rest.join('.'), value) }
}
