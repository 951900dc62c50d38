import { dirname, resolve } from 'node:path'
import { schemaIssues } from '../document/schema.js'
import { validateConfig } from '../document/validators.js'
import { type Problem, toProblem } from '../model/problem.js'
import type { Options } from '../service/options.js'
import { findConfigFile, readConfigFile } from './config-file.js'
import { type Environment, readEnvironment } from './environment.js'
import type { Layer, Origin } from './layer.js'
import { putAt, SECRETS, valueAt } from './option-table.js'
import { settleOptions } from './settle.js'

export interface ConfigInputs {
  /** Where to look for a configuration file when none is named; relative paths start at the file, and here without one. */
  readonly folder: string
  /** The file that was named by `--config`; null to look for one, false to read none. */
  readonly file: string | null | false
  readonly environment: Environment
  /** Options by flag, such as `{'server.port': 8080}`. */
  readonly flags: Readonly<Record<string, unknown>>
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
export async function loadConfig({ folder, file, environment, flags }: ConfigInputs): Promise<Config> {
  const found = findFile(folder, file)
  const layers = [
    ...(found.file === null ? [] : [await readConfigFile(found.file)]),
    readEnvironment(environment),
    toFlagLayer(flags),
  ]
  const base = found.file === null ? folder : dirname(found.file)
  const { options, origins, notes, namedFiles, ...settled } = settleOptions(layers, base)
  const problems = [...found.problems, ...settled.problems]
  const { connection, connections } = options.storage
  const menus: unknown = new Map(Object.entries(connections ?? {})).get(connection)
  const policies = typeof options.policies === 'string' ? resolve(base, options.policies) : null
  return {
    options,
    origins,
    file: found.file,
    menusFolder: resolve(base, typeof menus === 'string' ? menus : 'menus'),
    policiesFile: policies,
    problems: withoutSecrets(problems, layers),
    notes,
    inputFiles: [found.file, policies, ...namedFiles].filter((each) => each !== null),
  }
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
