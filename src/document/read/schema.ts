import type { ErrorObject, ValidateFunction } from 'ajv'
import { isPlace } from '../../model/json.js'
import { parsePointer } from '../../model/pointer.js'
import { PROBLEM_KINDS } from '../../model/problem-codes.js'
import { type Issue, quote } from '../issue.js'
import { toNearest } from '../nearest.js'
import type { Pointer } from '../value.js'

/** The text of a value as it is written in the file, where the message is about how YAML read it. */
export type WrittenAs = (pointer: Pointer) => string | null

interface SchemaNode {
  readonly properties?: Readonly<Record<string, unknown>>
  readonly patternProperties?: Readonly<Record<string, unknown>>
  readonly patternErrorMessage?: string
  readonly errorMessage?: string
}

type Keys = readonly string[]

/** Errors that only report that a combination failed; what failed in it is reported by itself. */
const SILENT = new Set(['if', 'propertyNames', 'minProperties'])
/** Places whose rules have their own messages (see `rules.ts`). */
const JUDGED_ELSEWHERE = ['#/definitions/url/pattern', '#/definitions/label/then/propertyNames/pattern']

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
  const errors = (validate.errors ?? []).filter((error) => !isSilent(error))
  const issues = errors.slice(0, room).map((error) => toIssue(error, writtenAs))
  return { issues: withoutEchoes(issues), more: Math.max(0, errors.length - room) }
}

function isSilent({ keyword, schemaPath, data }: ErrorObject): boolean {
  return (
    SILENT.has(keyword) ||
    JUDGED_ELSEWHERE.includes(schemaPath) ||
    (data === null && schemaPath === LABEL_TYPE)
  )
}

function toIssue(error: ErrorObject, writtenAs: WrittenAs): Issue {
  const pointer = parsePointer(error.instancePath) ?? []
  switch (error.keyword) {
    case 'additionalProperties':
      return unknownKey(error, pointer)
    case 'required':
      return missingKey(error, pointer)
    case 'false schema':
      return forbidden(pointer)
    case 'type':
      return wrongType(error, pointer, writtenAs)
    case 'const':
      return notTheOne(error, pointer)
    case 'enum':
      if (error.propertyName !== undefined) return unknownName(error, pointer, error.propertyName)
      return notAllowed(error, pointer)
    default:
      return badForm(error, pointer)
  }
}

function unknownKey(error: ErrorObject, pointer: Keys): Issue {
  const key: string = error.params['additionalProperty']
  if (key === 'aria-current' && pointer.at(-1) === 'attributes') {
    const what = `${quote(key)} is not a key of ${nounFor(pointer)}: a menu does not know which page is shown.`
    const todo = 'Delete the key; the link to the page that is shown gets it by itself.'
    return { code: 'unknown-key', pointer: [...pointer, key], part: 'key', what, todo }
  }
  const { properties = {}, patternProperties = {} } = error.parentSchema as SchemaNode
  const known = Object.keys(properties)
  const suggestion = toNearest(key, known)
  const free = Object.hasOwn(patternProperties, '^x-')
  const more = free
    ? ', or a key of your own that starts with x-'
    : pointer.at(-1) === 'attributes'
      ? ', data-… or aria-…'
      : ''
  return {
    code: 'unknown-key',
    pointer: [...pointer, key],
    part: 'key',
    what: `${quote(key)} is not a key of ${nounFor(pointer)}.`,
    suggestion,
    ...(suggestion === null && { todo: `Use one of ${known.join(', ')}${more}.` }),
    ...(suggestion !== null && !free && { todo: 'Correct the key, or delete it.' }),
  }
}

/** A name in a map whose names are listed: the codes of the rules that a project may change. */
function unknownName(error: ErrorObject, pointer: Keys, name: string): Issue {
  const place = { pointer: [...pointer, name], part: 'key' } as const
  if (Object.hasOwn(PROBLEM_KINDS, name)) {
    const what = `${quote(name)} is an error that withholds its file, so it has no severity of its own here.`
    return { code: 'bad-value', ...place, what, todo: 'Delete the key: only warnings can be changed.' }
  }
  const known = (error.params['allowedValues'] as unknown[]).map(String)
  const suggestion = toNearest(name, known)
  return {
    code: 'unknown-key',
    ...place,
    what: `${quote(name)} is not the code of a warning.`,
    suggestion,
    todo: suggestion === null ? `Use one of ${known.join(', ')}.` : 'Correct the key, or delete it.',
  }
}

function missingKey(error: ErrorObject, pointer: Keys): Issue {
  const key: string = error.params['missingProperty']
  // Only a link that has no url needs a routeName.
  if (key === 'routeName') {
    return { code: 'link-without-destination', pointer, what: 'This link leads nowhere.' }
  }
  return {
    code: 'missing-key',
    pointer,
    what: `${capital(nounFor(pointer))} needs ${quote(key)}.`,
    suggestion: key,
  }
}

/** A known key where its item cannot have it. */
function forbidden(pointer: Keys): Issue {
  switch (pointer.at(-1)) {
    case 'children':
      return { code: 'divider-children', pointer, part: 'key', what: 'A divider cannot have children.' }
    case 'url':
      return { code: 'section-url', pointer, part: 'key', what: 'A section cannot have a url.' }
    default: {
      const what = 'This link has both routeName and url.'
      return { code: 'link-with-two-destinations', pointer: pointer.slice(0, -1), what }
    }
  }
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  object: 'a map',
  array: 'a list',
  boolean: 'true or false',
  number: 'a number',
  integer: 'a whole number',
  null: 'null',
}

function wrongType({ params, data }: ErrorObject, pointer: Keys, writtenAs: WrittenAs): Issue {
  const types = [params['type']].flat().map(String)
  const wanted = types.map((type) => TYPE_NAMES[type] ?? type).join(' or ')
  const last = pointer.at(-1)
  const isEntry = last !== undefined && isPlace(last)
  const name = last === undefined ? 'The file' : isEntry ? 'This value' : quote(last)
  const what = `${name} must be ${wanted}, and is ${describe(data)}.`
  const todo = toTypeAdvice(types, data, last, () => writtenAs(pointer))
  return { code: 'wrong-type', pointer, what, ...(todo !== null && { todo }) }
}

/** What to write in place of a value of another type; null where its code is explanation enough. */
function toTypeAdvice(
  types: Keys,
  value: unknown,
  key: string | undefined,
  writtenAs: () => string | null,
): string | null {
  const [type] = types
  if (type === 'boolean' && types.length === 1) return 'Write true or false, without quotes.'
  if (value === null && key !== undefined && isPlace(key)) return 'Write what is meant, or delete the entry.'
  const entry = type === 'array' ? toEntryAdvice(key, value) : null
  if (entry !== null) return entry
  if (isNothing(value) && type === 'array') return 'Write [] for none.'
  if (isNothing(value) && type === 'object') return 'Write {} for none.'
  const isPlain = typeof value === 'number' || typeof value === 'boolean'
  const written = isPlain && types.includes('string') ? writtenAs() : null
  return written === null ? null : `Quote it: "${written}".`
}

/** Whether the value is an explicit "none", in one form or another. */
function isNothing(value: unknown): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)
}

/** How a value that is not a list becomes the one entry of a list; null where it cannot. */
function toEntryAdvice(key: string | undefined, value: unknown): string | null {
  const isMap = typeof value === 'object' && value !== null && Object.keys(value).length > 0
  if (isMap && (key === 'items' || key === 'children'))
    return 'Write a dash before each item, or [ ] around an item in braces.'
  const text = typeof value === 'string' ? value.trim() : ''
  return text !== '' && key === 'permissions' ? `Write a list: [${JSON.stringify(text)}].` : null
}

function notTheOne({ data, params, parentSchema }: ErrorObject, pointer: Keys): Issue {
  const { errorMessage } = parentSchema as SchemaNode
  if (errorMessage !== undefined)
    return { code: 'bad-value', pointer, what: `${quote(data)} is not right. ${errorMessage}` }
  const what = `${quote(data)} is not a format version that this release reads.`
  const isQuoted = data === String(params['allowedValue'])
  return {
    code: 'bad-version',
    pointer,
    what,
    ...(isQuoted && { todo: `Take the quotes away: version: ${data}.` }),
  }
}

function notAllowed({ data, params }: ErrorObject, pointer: Keys): Issue {
  const allowed = (params['allowedValues'] as unknown[]).map(String)
  const suggestion = typeof data === 'string' ? toNearest(data, allowed) : null
  const what = `${quote(data)} is not one of ${allowed.join(', ')}.`
  return { code: 'bad-value', pointer, what, suggestion }
}

function badForm(
  { keyword, propertyName: name, data, params, message, parentSchema }: ErrorObject,
  pointer: Keys,
): Issue {
  const place = name === undefined ? { pointer } : ({ pointer: [...pointer, name], part: 'key' } as const)
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

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function describe(value: unknown): string {
  if (value === null) return 'empty'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'a map'
  if (typeof value === 'string') return `the text ${quote(value)}`
  return `${typeof value === 'number' ? 'the number ' : ''}${quote(value)}`
}
