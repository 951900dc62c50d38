import { basename } from 'node:path'
import { isError, type Problem, toProblem } from '../model/problem.js'
import { checkOptions } from './checks.js'
import { namedFiles, readNamedFiles } from './named-files.js'
import { formProblems } from './option-form.js'
import { ALIASES, OPTION_ROWS, optionAt, putAt } from './option-table.js'
import type { Options } from './options.js'

/** Where a value comes from: a kind, and the file with its line, the variable, the flag or the member. */
export interface Origin {
  readonly kind: 'default' | 'file' | 'environment' | 'flag' | 'code'
  /** `menuscript.config.yaml:3`, `MENUSCRIPT_SERVER_PORT`, `--port`, `options.locales`, or `''` for a default. */
  readonly where: string
}

const DEFAULT_ORIGIN: Origin = { kind: 'default', where: '' }

/** The values that one source gives, nested as in a file. */
export interface Layer {
  readonly kind: Origin['kind']
  readonly values: Readonly<Record<string, unknown>>
  /** Where in the source an option is, as `Origin` has it. */
  readonly whereOf: (name: string) => string
  readonly problems: readonly Problem[]
}

/** A menus folder from a flag or a variable, and what names it. */
export interface GivenMenus {
  readonly path: string
  readonly origin: Origin
}

/** The options that all sources together give. */
export interface CombinedOptions {
  /** Meaningful only while `problems` has no error. */
  readonly options: Options
  readonly origins: ReadonlyMap<string, Origin>
  readonly problems: readonly Problem[]
  /** What is worth a note without being wrong, such as the use of a former name. */
  readonly notes: readonly string[]
  /** The absolute paths of the files that hold values of options. */
  readonly files: readonly string[]
}

/**
 * Lays sources over each other and over the defaults, a later one wins, and judges the result; relative paths start at
 * `base`. `menus`, with an absolute path, is the folder of the connection in use.
 */
export function combineLayers(
  layers: readonly Layer[],
  base: string,
  menus: GivenMenus | null = null,
): CombinedOptions {
  const values: Record<string, unknown> = {}
  const origins = new Map<string, Origin>()
  const problems = layers.flatMap((layer) => layer.problems)
  const notes: string[] = []
  for (const { name, fallback, isAlias } of OPTION_ROWS) {
    const layer = layers.findLast((each) => optionAt(each.values, name) !== undefined)
    if (layer === undefined && isAlias) continue
    putAt(values, name, layer === undefined ? fallback : optionAt(layer.values, name))
    origins.set(name, layer === undefined ? DEFAULT_ORIGIN : { kind: layer.kind, where: layer.whereOf(name) })
  }
  // A value under a former name moves to the present name.
  for (const [alias, name] of ALIASES) {
    const origin = origins.get(alias)
    if (origin === undefined) continue
    origins.delete(alias)
    if (origins.get(name)?.kind !== 'default') {
      const what = `${alias} is the former name of ${name}, and both are set.`
      const todo = `Delete ${alias}.`
      problems.push(toProblem({ code: 'config-conflict', ...toPlace(origin), what, todo }))
      continue
    }
    notes.push(`${origin.where}: ${alias} is now called ${name}.`)
    putAt(values, name, optionAt(values, alias))
    origins.set(name, origin)
  }
  delete values['doctrine']
  const connections = optionAt(values, 'storage.connections')
  if (menus !== null && typeof connections === 'object') {
    const inUse = String(optionAt(values, 'storage.connection'))
    putAt(values, 'storage.connections', { ...connections, [inUse]: menus.path })
    origins.set('storage.connections', menus.origin)
  }
  const files = namedFiles(values, base)
  const options = values as unknown as Options
  if (!problems.some(isError))
    problems.push(
      ...readNamedFiles(values, files, base, (given, path) => formProblems(given, () => path, null)),
    )
  if (!problems.some(isError)) problems.push(...faultsOf(options, origins))
  return { options, origins, problems, notes, files: [...files.values()] }
}

/** What is wrong with the options together, each where the first of them was set that it is about. */
function faultsOf(options: Options, origins: ReadonlyMap<string, Origin>): Problem[] {
  return [...checkOptions(options)].map(({ names, ...fault }) => {
    const all = names.map((name) => origins.get(name) ?? DEFAULT_ORIGIN)
    const origin = all.find(({ kind }) => kind !== 'default') ?? DEFAULT_ORIGIN
    return toProblem({ code: 'bad-option', ...toPlace(origin), ...fault })
  })
}

/** The file and the line of an origin, for a problem. */
function toPlace({ where }: Origin): { readonly path: string; readonly line: number } {
  const [, path = where, line = '1'] = /^(.*):(\d+)$/.exec(where) ?? []
  return { path: path === '' ? 'the defaults' : basename(path), line: Number(line) }
}
