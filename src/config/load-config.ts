import { dirname, resolve } from 'node:path'
import { schemaIssues } from '../document/read/schema.js'
import { validateConfig } from '../document/read/validators.js'
import { type Problem, toProblem } from '../model/problem.js'
import { findConfigFile, readConfigFile } from './config-file.js'
import { type Environment, MENUS_VARIABLE, readEnvironment } from './environment.js'
import type { Layer, Origin } from './layer.js'
import { putAt, SECRETS, valueAt } from './option-table.js'
import type { Options } from './options.js'
import { settleOptions } from './settle.js'

/** A menus folder that is given by itself, and what names it. */
export interface GivenMenus {
  readonly path: string
  readonly origin: Origin
}

export interface ConfigInputs {
  /** Where to look for a configuration file when none is named; relative paths start at the file, and here without one. */
  readonly folder: string
  /** The file that was named by `--config`; null to look for one, false to read none. */
  readonly file: string | null | false
  readonly environment: Environment
  /** Options by flag, such as `{'server.port': 8080}`. */
  readonly flags: Readonly<Record<string, unknown>>
  /** The folder of the connection in use, from `folder`; it goes over MENUSCRIPT_MENUS. */
  readonly menus?: GivenMenus | null
}

/** Every option with where it came from, and the folders that they lead to. */
export interface Config {
  /** Meaningful only while `problems` has no error. */
  readonly options: Options
  readonly origins: ReadonlyMap<string, Origin>
  /** The file that was read; null when there is none. */
  readonly file: string | null
  /** The absolute folder of the menus. */
  readonly menusFolder: string
  /** The absolute path of the `policies` module. */
  readonly policiesFile: string | null
  readonly problems: readonly Problem[]
  /** What deserves a word without being wrong, such as the use of a former name. */
  readonly notes: readonly string[]
  /** The absolute paths of all files that it is made of: itself, and those that it names. */
  readonly inputFiles: readonly string[]
}

/** Lays the sources of options over each other: flag over environment over file over default. Never throws. */
export async function loadConfig(inputs: ConfigInputs): Promise<Config> {
  const { folder, file, environment, flags } = inputs
  const found = findFile(folder, file)
  const menus = inputs.menus ?? menusOf(environment)
  const layers = [
    ...(found.file === null ? [] : [await readConfigFile(found.file)]),
    readEnvironment(environment),
    toFlagLayer(flags),
  ]
  const base = found.file === null ? folder : dirname(found.file)
  const menusProblems = judgeMenus(menus)
  const given =
    menus === null || menusProblems.length > 0
      ? null
      : { folder: resolve(folder, menus.path), origin: menus.origin }
  const { options, origins, notes, namedFiles, ...settled } = settleOptions(layers, base, given)
  const problems = [...found.problems, ...menusProblems, ...settled.problems]
  const { connection, connections } = options.storage
  const menusPath: unknown = new Map(Object.entries(connections ?? {})).get(connection)
  const policies = typeof options.policies === 'string' ? resolve(base, options.policies) : null
  return {
    options,
    origins,
    file: found.file,
    menusFolder: resolve(base, typeof menusPath === 'string' ? menusPath : 'menus'),
    policiesFile: policies,
    problems: withoutSecrets(problems, layers),
    notes,
    inputFiles: [found.file, policies, ...namedFiles].filter((each) => each !== null),
  }
}

function menusOf(environment: Environment): GivenMenus | null {
  const path = environment[MENUS_VARIABLE]
  return path === undefined ? null : { path, origin: { kind: 'environment', where: MENUS_VARIABLE } }
}

/** An empty text would be the current folder, with whatever YAML files are in it. */
function judgeMenus(menus: GivenMenus | null): Problem[] {
  if (menus === null || (typeof menus.path === 'string' && menus.path.trim() !== '')) return []
  const { where } = menus.origin
  const what = `${where} must be the path of the menus folder.`
  return [toProblem({ code: 'bad-value', path: where, what, todo: 'Give it a path, or leave it out.' })]
}

function findFile(folder: string, file: ConfigInputs['file']): ReturnType<typeof findConfigFile> {
  if (file === null) return findConfigFile(folder)
  return { file: file === false ? null : resolve(folder, file), problems: [] }
}

function toFlagLayer(flags: ConfigInputs['flags']): Layer {
  const values: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(flags)) putAt(values, name, value)
  const flagOf = (name: string): string => `--${name.split('.').at(-1)}`
  const problems = schemaIssues(validateConfig, values, () => null).map(({ code, what, pointer }) =>
    toProblem({
      code,
      path: flagOf(pointer.join('.')),
      what,
      todo: 'Give the flag another value, or leave it out.',
    }),
  )
  return { values, originOf: (name) => ({ kind: 'flag', where: flagOf(name) }), problems }
}

/** Messages repeat what is wrong; they end up in logs, where no secret may be. */
function withoutSecrets(problems: readonly Problem[], layers: readonly Layer[]): readonly Problem[] {
  const secrets = layers
    .flatMap(({ values }) => SECRETS.map((name) => valueAt(values, name)))
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .map(String)
    .filter((secret) => secret !== '')
  const mask = (text: string): string =>
    secrets.reduce((masked, secret) => masked.replaceAll(secret, '(secret)'), text)
  return problems.map((problem) => ({ ...problem, what: mask(problem.what), todo: mask(problem.todo) }))
}
