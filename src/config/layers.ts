import { basename } from 'node:path'
import type { Issue } from '../document/issue.js'
import { schemaIssues } from '../document/read/schema.js'
import { validateConfig } from '../document/read/validators.js'
import { type Problem, toProblem } from '../model/problem.js'
import { ALIASES, OPTION_ROWS, optionAt, putAt } from './option-table.js'

/** Where a value comes from: a kind, and the file with its line, the variable, the flag or the member. */
export interface Origin {
  readonly kind: 'default' | 'file' | 'environment' | 'flag' | 'code'
  /** `menuscript.config.yaml:3`, `MENUSCRIPT_SERVER_PORT`, `--port`, `options.locales`, or `''` for a default. */
  readonly where: string
}

export const DEFAULT_ORIGIN: Origin = { kind: 'default', where: '' }

/** The values that one source gives, nested as in a file. */
export interface Layer {
  readonly kind: Origin['kind']
  readonly values: Readonly<Record<string, unknown>>
  /** Where in the source an option is, as `Origin` has it. */
  readonly whereOf: (name: string) => string
  readonly problems: readonly Problem[]
}

/** What is wrong with the form of values, and where their source has them. `todo` replaces the advice for files. */
export function formProblems(values: unknown, whereOf: Layer['whereOf'], todo: string | null): Problem[] {
  return schemaIssues(validateConfig, values, () => null).map((issue: Issue) => {
    const { code, what, pointer, suggestion = null } = issue
    const advice = todo ?? issue.todo
    const path = whereOf(pointer.join('.'))
    return toProblem({ code, path, what, suggestion, ...(advice !== undefined && { todo: advice }) })
  })
}

/** The values of all layers, a later one over an earlier one over the defaults, each with where it came from. */
export interface Merged {
  readonly values: Record<string, unknown>
  readonly origins: Map<string, Origin>
  readonly problems: Problem[]
  /** The former names that were used. */
  readonly notes: readonly string[]
}

export function mergeLayers(layers: readonly Layer[]): Merged {
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
  return { values, origins, problems, notes }
}

/** The file and the line of an origin, for a problem. */
export function toPlace({ where }: Origin): { readonly path: string; readonly line: number } {
  const [, path = where, line = '1'] = /^(.*):(\d+)$/.exec(where) ?? []
  return { path: path === '' ? 'the defaults' : basename(path), line: Number(line) }
}
