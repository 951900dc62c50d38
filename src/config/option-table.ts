import configSchema from '../../schemas/config.schema.json' with { type: 'json' }
import { valueAt } from '../model/json.js'

/** One option as the schema describes it. */
export interface OptionRow {
  /** Its name with its sections, such as `api.path_prefix`. */
  readonly name: string
  readonly description: string
  readonly fallback: unknown
  readonly isList: boolean
  readonly isText: boolean
  /** Whether it is another option's former name. */
  readonly isAlias: boolean
}

interface SchemaNode {
  readonly description: string
  readonly type?: string | readonly string[]
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly if?: unknown
  readonly additionalProperties?: unknown
  readonly properties?: Readonly<Record<string, SchemaNode>>
}

/** Former names and what they are called now. */
export const ALIASES: ReadonlyMap<string, string> = new Map([
  ['doctrine.connection', 'storage.connection'],
  ['doctrine.table_prefix', 'storage.file_prefix'],
])

/** Options whose values are never shown. */
export const SECRETS: readonly string[] = ['dashboard.session_secret']

/** Every option, in the order of the schema: the one source of names, meanings and defaults. */
export const OPTION_ROWS: readonly OptionRow[] = [...toRows(configSchema as unknown as SchemaNode, '')]

function* toRows(node: SchemaNode, name: string): Generator<OptionRow> {
  if (node.properties !== undefined && node.additionalProperties === false) {
    for (const [key, child] of Object.entries(node.properties))
      yield* toRows(child, name === '' ? key : `${name}.${key}`)
    return
  }
  const types = [node.type ?? []].flat()
  yield {
    name,
    description: node.description,
    fallback: node.default ?? null,
    isList: types.includes('array') || node.if !== undefined,
    isText: types.includes('string') || (node.enum ?? []).some((each) => typeof each === 'string'),
    isAlias: ALIASES.has(name),
  }
}

/** The environment variable of an option: `MENUSCRIPT_API_PATH_PREFIX` for `api.path_prefix`. */
export function toVariable(name: string): string {
  return `MENUSCRIPT_${name.replaceAll('.', '_').toUpperCase()}`
}

/** The value at a dotted name of a nested map; undefined when there is none. */
export function optionAt(values: unknown, name: string): unknown {
  return valueAt(values, name.split('.'))
}

/** Puts a value at a dotted name of a nested map. */
export function putAt(values: Record<string, unknown>, name: string, value: unknown): void {
  const sections = name.split('.')
  const last = sections.pop() ?? ''
  let section = values
  for (const key of sections) {
    section[key] ??= {}
    section = section[key] as Record<string, unknown>
  }
  section[last] = value
}
