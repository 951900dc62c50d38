import { isError, type Problem, toProblem } from '../model/problem.js'
import { checkOptions } from './checks.js'
import { DEFAULT_ORIGIN, type Layer, mergeLayers, type Origin, toPlace } from './layers.js'
import { namedFiles, readNamedFiles } from './named-files.js'
import { optionAt, putAt } from './option-table.js'
import type { Options } from './options.js'

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

/** The folder of the connection in use, given by itself. */
export interface GivenFolder {
  readonly folder: string
  readonly origin: Origin
}

/** Lays sources over each other, a later one wins, and judges the result; relative paths start at `base`. */
export function combineLayers(
  layers: readonly Layer[],
  base: string,
  menus: GivenFolder | null = null,
): CombinedOptions {
  const { values, origins, problems, notes } = mergeLayers(layers)
  const connections = optionAt(values, 'storage.connections')
  if (menus !== null && typeof connections === 'object') {
    const inUse = String(optionAt(values, 'storage.connection'))
    putAt(values, 'storage.connections', { ...connections, [inUse]: menus.folder })
    origins.set('storage.connections', menus.origin)
  }
  const files = namedFiles(values, base)
  const options = values as unknown as Options
  if (!problems.some(isError)) problems.push(...readNamedFiles(values, files, base))
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
