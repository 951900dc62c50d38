import type { ErrorObject, ValidateFunction } from 'ajv'
import { isPlace } from '../../model/json.js'
import { parsePointer, type Steps } from '../../model/pointer.js'
import { PROBLEM_KINDS } from '../../model/problem-codes.js'
import { toNearest } from '../did-you-mean.js'
import { type Issue, quote } from '../issue.js'

/** The text of a value as it is written in the file, where the message is about how YAML read it. */
export type WrittenAs = (pointer: Steps) => string | null

interface SchemaNode {
  readonly properties?: Readonly<Record<string, unknown>>
  readonly patternProperties?: Readonly<Record<string, unknown>>
  readonly patternErrorMessage?: string
  readonly errorMessage?: string
}

type Keys = readonly string[]

/** Errors that only report that a combination failed; what failed in it is reported separately. */
const SILENT = new Set(['if', 'propertyNames', 'minProperties'])
/** Places whose rules have their own messages (see `rules.ts`). */
const JUDGED_ELSEWHERE = [
  '#/definitions/url/pattern',
  '#/definitions/time/pattern',
  '#/definitions/label/then/propertyNames/pattern',
]
/** A label that is null is an empty one. */
const LABEL_TYPE = '#/definitions/label/else/type'

/** What is wrong with the form of a value, in words for people. */
export function schemaIssues(validate: ValidateFunction, value: unknown, writtenAs: WrittenAs): Issue[] {
  return countedIssues(validate, value, writtenAs, Number.POSITIVE_INFINITY).issues
}

/** As many issues as there is room for, and how many more there are: messages for a hundred thousand take a second. */
export function countedIssues(
  validate: ValidateFunction,
  value: unknown,
  writtenAs: WrittenAs,
  room: number,
): { readonly issues: Issue[]; readonly more: number } {
  if (validate(value)) return { issues: [], more: 0 }
  const errors = (validate.errors ?? []).filter(({ keyword, schemaPath, data }) => {
    if (SILENT.has(keyword) || JUDGED_ELSEWHERE.includes(schemaPath)) return false
    return data !== null || schemaPath !== LABEL_TYPE
  })
  const issues = errors.slice(0, room).map((error) => {
    const pointer = parsePointer(error.instancePath) ?? []
    return { pointer, ...(WORDS[error.keyword] ?? badForm)(error, pointer, writtenAs) }
  })
  return { issues: withoutEchoes(issues), more: Math.max(0, errors.length - room) }
}

/** An issue; without a pointer, at the value of the error. */
type Words = Omit<Issue, 'pointer'> & { readonly pointer?: Keys }

/** The words for an error of the validator, by its keyword. */
const WORDS: Readonly<Record<string, (error: ErrorObject, pointer: Keys, writtenAs: WrittenAs) => Words>> = {
  additionalProperties: unknownKey,
  required: missingKey,
  'false schema': forbidden,
  type: wrongType,
  const: notTheOne,
  enum: notAllowed,
}

function unknownKey({ params, parentSchema }: ErrorObject, pointer: Keys): Words {
  const key: string = params['additionalProperty']
  const what = `${quote(key)} is not a key of ${nounFor(pointer)}`
  const place = { pointer: [...pointer, key], part: 'key' } as const
  const isAttribute = pointer.at(-1) === 'attributes'
  if (key === 'aria-current' && isAttribute) {
    const todo = 'Delete the key; the link to the current page gets it automatically.'
    const why = `${what}: a menu does not know the current page.`
    return { code: 'unknown-key', ...place, what: why, todo }
  }
  const { properties = {}, patternProperties = {} } = parentSchema as SchemaNode
  const free = Object.hasOwn(patternProperties, '^x-')
  const own = free ? ', or a key of your own that starts with x-' : isAttribute ? ', data-… or aria-…' : ''
  const { suggestion, todo } = adviceOn(key, Object.keys(properties), own)
  const advice = suggestion !== null && free ? {} : { todo }
  return { code: 'unknown-key', ...place, what: `${what}.`, suggestion, ...advice }
}

function adviceOn(key: string, known: Keys, more = ''): { suggestion: string | null; todo: string } {
  const suggestion = toNearest(key, known)
  const todo = `Use one of ${known.join(', ')}${more}.`
  return { suggestion, todo: suggestion === null ? todo : 'Correct the key, or delete it.' }
}

function missingKey({ params }: ErrorObject, pointer: Keys): Words {
  const key: string = params['missingProperty']
  // Only a link that has no url needs a routeName.
  if (key === 'routeName') return { code: 'link-without-destination', what: 'This link leads nowhere.' }
  const noun = nounFor(pointer)
  const what = `${noun.charAt(0).toUpperCase()}${noun.slice(1)} needs ${quote(key)}.`
  return { code: 'missing-key', what, suggestion: key }
}

/** A known key where its item cannot have it. */
function forbidden(_: ErrorObject, pointer: Keys): Words {
  const key = pointer.at(-1)
  if (key === 'children')
    return { code: 'divider-children', part: 'key', what: 'A divider cannot have children.' }
  if (key === 'url') return { code: 'section-url', part: 'key', what: 'A section cannot have a url.' }
  const what = 'This link has both routeName and url.'
  return { code: 'link-with-two-destinations', pointer: pointer.slice(0, -1), what }
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  object: 'a map',
  array: 'a list',
  boolean: 'true or false',
  number: 'a number',
  integer: 'a whole number',
  null: 'null',
}

function wrongType({ params, data }: ErrorObject, pointer: Keys, writtenAs: WrittenAs): Words {
  const types = [params['type']].flat().map(String)
  const wanted = types.map((type) => TYPE_NAMES[type] ?? type).join(' or ')
  const last = pointer.at(-1)
  const isEntry = last !== undefined && isPlace(last)
  const name = last === undefined ? 'The file' : isEntry ? 'This value' : quote(last)
  const what = `${name} must be ${wanted}, and is ${describe(data)}.`
  const todo = toTypeAdvice(types, data, last, () => writtenAs(pointer))
  return { code: 'wrong-type', what, ...(todo !== null && { todo }) }
}

/** What to write in place of a value of another type; null where its code is explanation enough. */
function toTypeAdvice(
  types: Keys,
  value: unknown,
  key: string | undefined,
  writtenAs: () => string | null,
): string | null {
  const [type] = types
  const size = typeof value === 'object' && value !== null ? Object.keys(value).length : -1
  if (type === 'boolean' && types.length === 1) return 'Write true or false, without quotes.'
  if (value === null && key !== undefined && isPlace(key)) return 'Write what is meant, or delete the entry.'
  if (type === 'array' && size > 0 && (key === 'items' || key === 'children'))
    return 'Write a dash before each item, or [ ] around an item in braces.'
  const text = typeof value === 'string' ? value.trim() : ''
  if (type === 'array' && text !== '' && key === 'permissions')
    return `Write a list: [${JSON.stringify(text)}].`
  // An explicit "none", in one form or another.
  const isNothing = value === null || value === '' || size === 0
  if (isNothing && type === 'array') return 'Write [] for none.'
  if (isNothing && type === 'object') return 'Write {} for none.'
  const isPlain = typeof value === 'number' || typeof value === 'boolean'
  const written = isPlain && types.includes('string') ? writtenAs() : null
  return written === null ? null : `Quote it: "${written}".`
}

function notTheOne({ data, params, parentSchema }: ErrorObject): Words {
  const { errorMessage } = parentSchema as SchemaNode
  if (errorMessage !== undefined)
    return { code: 'bad-value', what: `${quote(data)} is not valid. ${errorMessage}` }
  const what = `${quote(data)} is not a format version that this release can read.`
  const isQuoted = data === String(params['allowedValue'])
  return { code: 'bad-version', what, ...(isQuoted && { todo: `Remove the quotes: version: ${data}.` }) }
}

function notAllowed({ data, params, propertyName: name }: ErrorObject, pointer: Keys): Words {
  const allowed = (params['allowedValues'] as unknown[]).map(String)
  if (name === undefined) {
    const suggestion = typeof data === 'string' ? toNearest(data, allowed) : null
    return { code: 'bad-value', what: `${quote(data)} is not one of ${allowed.join(', ')}.`, suggestion }
  }
  // A name in a map whose names are listed: the codes of the rules that a project may change.
  const place = { pointer: [...pointer, name], part: 'key' } as const
  if (Object.hasOwn(PROBLEM_KINDS, name)) {
    const what = `${quote(name)} is an error that withholds its file, so its severity cannot be changed.`
    return { code: 'bad-value', ...place, what, todo: 'Delete the key: only warnings can be changed.' }
  }
  const what = `${quote(name)} is not the code of a warning.`
  return { code: 'unknown-key', ...place, what, ...adviceOn(name, allowed) }
}

function badForm(error: ErrorObject, pointer: Keys): Words {
  const { keyword, propertyName: name, data, params, message, parentSchema } = error
  const place = name === undefined ? {} : ({ pointer: [...pointer, name], part: 'key' } as const)
  const form = (parentSchema as SchemaNode).patternErrorMessage ?? 'of the right form'
  const limit = LIMIT_TEXTS[keyword]?.replace('N', String(params['limit']))
  const fault =
    keyword === 'pattern' ? `is not ${form.replace(/^Must be /, '')}` : (limit ?? message ?? 'is not allowed')
  return { code: 'bad-value', ...place, what: `${quote(name ?? data)} ${fault}.` }
}

/** The message for an exceeded limit of the schema. */
const LIMIT_TEXTS: Readonly<Record<string, string>> = {
  minimum: 'is less than N',
  maximum: 'is more than N',
  exclusiveMinimum: 'is not more than N',
  minLength: 'has fewer than N characters',
  maxLength: 'has more than N characters',
  minItems: 'has fewer entries than N',
  maxItems: 'has more entries than N',
  minProperties: 'has fewer entries than N',
  uniqueItems: 'has an entry twice',
}

/** A misspelt key is the reason why the right one is missing: reported once. */
function withoutEchoes(issues: readonly Issue[]): Issue[] {
  const meant = new Set<string>()
  for (const { code, pointer, suggestion } of issues) {
    if (code === 'unknown-key' && suggestion) meant.add([...pointer.slice(0, -1), suggestion].join('/'))
  }
  const isEcho = ({ code, pointer, suggestion }: Issue) => {
    if (code === 'missing-key') return meant.has([...pointer, suggestion].join('/'))
    if (code !== 'link-without-destination') return false
    return ['routeName', 'url', 'type'].some((key) => meant.has([...pointer, key].join('/')))
  }
  return issues.filter((issue) => !isEcho(issue))
}

function nounFor(pointer: readonly string[]): string {
  const last = pointer.at(-1)
  if (last === undefined) return 'the file'
  if (isPlace(last)) return 'an item'
  return quote(last)
}

function describe(value: unknown): string {
  if (value === null) return 'empty'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'a map'
  if (typeof value === 'string') return `the text ${quote(value)}`
  return `${typeof value === 'number' ? 'the number ' : ''}${quote(value)}`
}
