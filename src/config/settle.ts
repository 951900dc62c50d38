import { basename, isAbsolute, relative, resolve } from 'node:path'
import { isError, type Problem, toProblem } from '../model/problem.js'
import { toReason } from '../service/log.js'
import { checkOptions, type OptionFault } from './checks.js'
import { readConfigBytes } from './config-bytes.js'
import { readTextMap, type TextMap } from './config-file.js'
import type { Layer, Origin } from './layer.js'
import { ALIASES, OPTION_ROWS, putAt, valueAt } from './option-table.js'
import type { Options } from './options.js'

/** Options that may name a file in place of a value. */
const NAMING_FILES = ['routes', 'permissions']

const DEFAULT_ORIGIN: Origin = { kind: 'default', where: '' }

/** The options that all sources together give. */
export interface SettledOptions {
  /** Meaningful only while `problems` has no error. */
  readonly options: Options
  readonly origins: ReadonlyMap<string, Origin>
  readonly problems: readonly Problem[]
  /** What deserves a word without being wrong, such as the use of a former name. */
  readonly notes: readonly string[]
  /** The absolute paths of the files that hold values of options. */
  readonly namedFiles: readonly string[]
}

/** The folder of the connection in use, given by itself. */
export interface GivenFolder {
  readonly folder: string
  readonly origin: Origin
}

/** Lays sources over each other, a later one wins, and judges the result; relative paths start at `base`. */
export function settleOptions(
  layers: readonly Layer[],
  base: string,
  menus: GivenFolder | null = null,
): SettledOptions {
  const { values, origins } = mergeLayers(layers)
  const namedFiles = NAMING_FILES.map((name) => values[name]).flatMap((named) =>
    typeof named === 'string' ? [resolve(base, named)] : [],
  )
  const aliases = applyAliases(values, origins)
  if (menus !== null) useFolder(menus, values, origins)
  const problems = [...layers.flatMap((layer) => layer.problems), ...aliases.problems]
  if (!problems.some(isError)) problems.push(...readRoutes(values, base), ...readPermissions(values, base))
  const options = values as unknown as Options
  if (!problems.some(isError)) problems.push(...toFaultProblems(checkOptions(options), origins))
  return { options, origins, problems, notes: aliases.notes, namedFiles }
}

interface Merged {
  readonly values: Record<string, unknown>
  readonly origins: Map<string, Origin>
}

function mergeLayers(layers: readonly Layer[]): Merged {
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
function applyAliases(
  values: Record<string, unknown>,
  origins: Map<string, Origin>,
): { readonly problems: readonly Problem[]; readonly notes: readonly string[] } {
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

/** Puts a folder in the place of what the connection in use says. */
function useFolder(
  { folder, origin }: GivenFolder,
  values: Merged['values'],
  origins: Merged['origins'],
): void {
  const connection = valueAt(values, 'storage.connection')
  const others = valueAt(values, 'storage.connections')
  if (typeof connection !== 'string' || typeof others !== 'object') return
  putAt(values, 'storage.connections', { ...others, [connection]: folder })
  origins.set('storage.connections', origin)
}

/** Replaces the path of a file of routes by what the file holds. */
function readRoutes(values: Record<string, unknown>, base: string): readonly Problem[] {
  const read = readNamedFile(values['routes'], base, 'routes')
  if (read === null) return []
  values['routes'] = read.value
  return read.problems
}

/** Replaces the path of a file of permissions by the keys that the file explains. */
function readPermissions(values: Record<string, unknown>, base: string): readonly Problem[] {
  const read = readNamedFile(values['permissions'], base, 'permissions')
  if (read === null) return []
  values['permissions'] = Object.keys(read.value)
  return read.problems
}

/** Reads the file that an option names in place of a value; null when it names none. */
function readNamedFile(named: unknown, base: string, noun: string): TextMap | null {
  if (typeof named !== 'string') return null
  const path = isAbsolute(named) ? named : relative(base, resolve(base, named))
  try {
    return readTextMap(path, readConfigBytes(resolve(base, named)))
  } catch (thrown) {
    const what = `The file of ${noun} cannot be read: ${toReason(thrown)}.`
    return { value: {}, problems: [toProblem({ code: 'config-file', path, what })] }
  }
}

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
