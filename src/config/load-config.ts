import { readFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, relative, resolve } from 'node:path'
import { schemaIssues } from '../document/schema.js'
import { validateConfig } from '../document/validators.js'
import { isError, type Problem, toProblem } from '../model/problem.js'
import { toReason } from '../service/log.js'
import type { Options } from '../service/options.js'
import { checkOptions, type OptionFault } from './checks.js'
import { findConfigFile, readConfigFile, readTextMap } from './config-file.js'
import { type Environment, readEnvironment } from './environment.js'
import type { Layer, Origin } from './layer.js'
import { ALIASES, OPTION_ROWS, putAt, SECRETS, valueAt } from './option-table.js'

export interface ConfigInputs {
  /** Where to look for a configuration file when none is named; relative paths start at the file, and here without one. */
  readonly folder: string
  /** The file that was named by `--config`; null to look for one. */
  readonly file: string | null
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
}

const DEFAULT_ORIGIN: Origin = { kind: 'default', where: '' }

/** Lays the sources of options over each other: flag over environment over file over default. Never throws. */
export async function loadConfig({ folder, file, environment, flags }: ConfigInputs): Promise<Config> {
  const found = file === null ? findConfigFile(folder) : { file: resolve(folder, file), problems: [] }
  const layers = [
    ...(found.file === null ? [] : [await readConfigFile(found.file)]),
    readEnvironment(environment),
    toFlagLayer(flags),
  ]
  const base = found.file === null ? folder : dirname(found.file)
  const { values, origins } = merge(layers)
  const aliases = applyAliases(values, origins)
  const problems = [...found.problems, ...layers.flatMap((layer) => layer.problems), ...aliases.problems]
  if (!problems.some(isError)) problems.push(...readRoutes(values, base))
  const options = values as unknown as Options
  if (!problems.some(isError)) {
    problems.push(...toFaultProblems(checkOptions(options), origins))
  }
  const { connection, connections } = options.storage
  const menus: unknown = new Map(Object.entries(connections ?? {})).get(connection)
  return {
    options,
    origins,
    file: found.file,
    menusFolder: resolve(base, typeof menus === 'string' ? menus : 'menus'),
    policiesFile: typeof options.policies === 'string' ? resolve(base, options.policies) : null,
    problems: withoutSecrets(problems, layers),
    notes: aliases.notes,
  }
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

interface Merged {
  readonly values: Record<string, unknown>
  readonly origins: Map<string, Origin>
}

function merge(layers: readonly Layer[]): Merged {
  const values: Record<string, unknown> = {}
  const origins = new Map<string, Origin>()
  for (const { name, fallback } of OPTION_ROWS) {
    const layer = layers.findLast((each) => valueAt(each.values, name) !== undefined)
    putAt(values, name, layer === undefined ? fallback : valueAt(layer.values, name))
    origins.set(name, layer?.originOf(name) ?? DEFAULT_ORIGIN)
  }
  return { values, origins }
}

/** Moves what stands under a former name to the name of today. */
function applyAliases(values: Record<string, unknown>, origins: Map<string, Origin>) {
  const problems: Problem[] = []
  const notes: string[] = []
  for (const [alias, name] of ALIASES) {
    const origin = origins.get(alias) ?? DEFAULT_ORIGIN
    origins.delete(alias)
    if (origin.kind === 'default') continue
    if (origins.get(name)?.kind !== 'default') {
      const what = `${alias} is the former name of ${name}, and both are set.`
      problems.push(
        toProblem({ code: 'config-conflict', ...toPlace(origin), what, todo: `Delete ${alias}.` }),
      )
      continue
    }
    notes.push(`${origin.where}: ${alias} is now called ${name}.`)
    putAt(values, name, valueAt(values, alias))
    origins.set(name, origin)
  }
  delete values['doctrine']
  return { problems, notes }
}

/** Replaces the path of a file of routes by what the file holds. */
function readRoutes(values: Record<string, unknown>, base: string): readonly Problem[] {
  const routes = values['routes']
  if (typeof routes !== 'string') return []
  const path = isAbsolute(routes) ? routes : relative(base, resolve(base, routes))
  let bytes: Uint8Array
  try {
    bytes = readFileSync(resolve(base, routes))
  } catch (thrown) {
    return [
      toProblem({
        code: 'config-file',
        path,
        what: `The file of routes cannot be read: ${toReason(thrown)}.`,
      }),
    ]
  }
  const read = readTextMap(path, bytes)
  values['routes'] = read.value
  return read.problems
}

/** Messages repeat what is wrong and what stands around it; they end up in logs, where no secret may be. */
function withoutSecrets(problems: readonly Problem[], layers: readonly Layer[]): readonly Problem[] {
  const secrets = layers
    .flatMap(({ values }) => SECRETS.map((name) => valueAt(values, name)))
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .map(String)
    .filter((secret) => secret !== '')
  const mask = (text: string): string =>
    secrets.reduce((masked, secret) => masked.replaceAll(secret, '(secret)'), text)
  return problems.map((problem) => ({
    ...problem,
    what: mask(problem.what),
    todo: mask(problem.todo),
    frame: mask(problem.frame).replace(SECRET_ROW, '$1 (secret)'),
  }))
}

/** A row of a frame whose key is like a secret's: what stands there was perhaps never read under its right name. */
const SECRET_ROW = /^( *\d+ \|.*?(?:se[a-z]*cret|token|password)[\w-]*["']?\s*:).*$/gim

/** A fault between two options is told once, where one of them was set. */
function toFaultProblems(faults: readonly OptionFault[], origins: ReadonlyMap<string, Origin>): Problem[] {
  const originOf = ({ name }: OptionFault): Origin => origins.get(name) ?? DEFAULT_ORIGIN
  const set = faults.filter((fault) => originOf(fault).kind !== 'default')
  const told = faults.filter((fault) => set.includes(fault) || !set.some(({ what }) => what === fault.what))
  const first = told.filter(({ what }, place) => told.findIndex((each) => each.what === what) === place)
  return first.map(({ name, ...fault }) =>
    toProblem({ code: 'bad-option', ...toPlace(originOf({ name, ...fault })), ...fault }),
  )
}

function toPlace({ where }: Origin): { readonly path: string; readonly line: number } {
  const [, path = where, line = '1'] = /^(.*):(\d+)$/.exec(where) ?? []
  return { path: path === '' ? 'the defaults' : basename(path), line: Number(line) }
}
