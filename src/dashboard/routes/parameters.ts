import { TRANSLATION_FORMATS } from '../../document/exchange/translation-rows.js'
import { parseTime } from '../../model/window.js'
import { malformedPercentAt } from '../../web/percent.js'
import { Refusal } from '../refusal.js'

/** The schema of a parameter: a text, one of some texts, or a whole number. */
interface ParameterSchema {
  readonly type?: 'string' | 'integer'
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly contentMediaType?: string
  readonly format?: 'date-time'
  readonly description: string
}

export type ParameterName =
  | ('file' | 'file?' | 'version' | 'dry_run' | 'q' | 'limit' | 'mode' | 'notes' | 'format' | 'outdated')
  | ('code' | 'name' | 'locale' | 'context_sets' | 'permissions' | 'now' | 'guarded_last')

const FILE: ParameterSchema = {
  type: 'string',
  description: 'The path of a menu file from the menus folder, with `/`.',
}

/** Every parameter of a query; `file?` is a file that need not be named. */
export const PARAMETERS: Readonly<Record<ParameterName, ParameterSchema>> = {
  file: FILE,
  'file?': FILE,
  version: {
    type: 'string',
    description: 'The version of the file that was shown. Default: the present one.',
  },
  dry_run: { enum: ['true', 'false'], description: 'Validates the request without writing.' },
  q: { type: 'string', description: 'Words that an entry has to contain.' },
  limit: { type: 'integer', minimum: 1, maximum: 1_000, description: 'At most this many entries.' },
  guarded_last: {
    enum: ['true', 'false'],
    description: 'Whether routes whose items need a permission come last.',
  },
  mode: { enum: ['skip', 'replace'], description: 'What to do with existing menus. Default: skip.' },
  notes: { enum: ['true', 'false'], description: 'Whether what each menu loses is listed, too.' },
  format: { enum: TRANSLATION_FORMATS, description: 'The format of the file. Default: csv.' },
  outdated: {
    enum: ['true', 'false'],
    description: 'Whether texts are imported even if the source text has changed since the export.',
  },
  code: { type: 'string', description: 'The code of a menu.' },
  name: { type: 'string', description: 'The name of an icon, as `GET /icons` lists it in `drawn`.' },
  locale: { type: 'string', description: 'A BCP 47 tag. Without it: Accept-Language.' },
  context_sets: {
    type: 'string',
    contentMediaType: 'application/json',
    description: 'The context sets in JSON, in the order of preference.',
  },
  permissions: { type: 'string', description: 'The permissions of the viewer, separated by commas.' },
  now: { type: 'string', format: 'date-time', description: 'The time of the request. Default: the present.' },
}

/** What a request lacks without a parameter; those that are not here can be left out. */
const NEEDED: Partial<Record<ParameterName, string>> = {
  file: 'The request needs ?file=, the path of a menu file.',
  name: 'The request needs ?name=, the name of an icon.',
  code: 'The request needs ?code=.',
}

export function isNeeded(name: ParameterName): boolean {
  return NEEDED[name] !== undefined
}

export type Query = ReadonlyMap<string, string>

/** The parameters of a query string, each at most once; a request that writes has no others than its own. */
export function readQuery(text: string, own: readonly ParameterName[], isWriting: boolean): Query {
  const query = new Map<string, string>()
  if (malformedPercentAt(text) !== null) throw new Refusal('malformed-percent')
  const known: readonly string[] = ['dry_run', ...own.map((name) => name.replace('?', ''))]
  for (const [name, value] of new URLSearchParams(text)) {
    if (query.has(name)) throw new Refusal('repeated-parameter', { parameter: name })
    // A misspelt `dry_run` must not publish.
    if (isWriting && !known.includes(name)) throw badParameter(name, 'The request has no such parameter.')
    const schema = known.includes(name) ? PARAMETERS[name as ParameterName] : undefined
    if (schema !== undefined && !isValid(schema, value))
      throw badParameter(name, `${name} is ${describe(schema)}.`)
    query.set(name, value)
  }
  return query
}

/** Throws where a query lacks something. */
export function needAll(query: Query, own: readonly ParameterName[]): void {
  const name = own.find((each) => isNeeded(each) && !query.has(each))
  if (name !== undefined) throw new Refusal('missing-parameter', { parameter: name }, NEEDED[name])
}

export function badParameter(parameter: string, detail: string): Refusal {
  return new Refusal('bad-parameter', { parameter }, detail)
}

function isValid({ enum: values, minimum, maximum, format }: ParameterSchema, value: string): boolean {
  if (format !== undefined) return parseTime(value) !== null
  if (values !== undefined) return values.includes(value)
  if (minimum === undefined || maximum === undefined) return true
  return /^\d{1,6}$/.test(value) && Number(value) >= minimum && Number(value) <= maximum
}

function describe({ enum: values, minimum, maximum, format }: ParameterSchema): string {
  if (format !== undefined) return `a date and time with an offset, such as 2026-12-01T00:00:00+01:00`
  return values === undefined ? `a whole number from ${minimum} to ${maximum}` : values.join(' or ')
}
