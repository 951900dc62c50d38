import { Document, isCollection, isPair, isScalar, type Pair, visit } from 'yaml'
import { changeInPlace } from '../change/change.js'
import type { Json, JsonMap } from '../model/json.js'
import type { Context } from '../model/menu.js'
import { writeChange } from './edit/write-change.js'
import type { MenuDocument } from './menu-document.js'

/** The content of a new file. */
export interface NewMenu {
  /** The path from the file to the schema, for editors; null leaves the modeline out. */
  readonly schema: string | null
  readonly code: string
  readonly name: string
  readonly context: Context
  /** Whether it has no items, not even an example. Default: false. */
  readonly isEmpty?: boolean
}

/** The text of a new menu file with one link as an example. */
export function toNewMenuText({ schema, code, name, context, isEmpty = false }: NewMenu): string {
  const hasContext = Object.keys(context).length > 0
  const items = isEmpty ? [] : [{ label: 'Home', url: '/' }]
  return toMenuText(schema, { version: 1, code, name, ...(hasContext && { context }), items })
}

/**
 * The text of a new menu file with this value, its keys in the order given. Maps and lists of texts, numbers and the like are on
 * one line, in brackets. `schema` is the path from the file to the schema; null leaves the modeline out.
 */
export function toMenuText(schema: string | null, value: JsonMap): string {
  const document = new Document(value, { aliasDuplicateObjects: false })
  visit(document, {
    Pair(_, { key, value: node }) {
      // Plain, this key would be a merge key.
      if (isScalar(key) && key.value === '<<') key.type = 'QUOTE_DOUBLE'
      if (isCollection(node)) node.flow = node.items.every(isPlain)
    },
  })
  return toModeline(schema, '\n') + document.toString({ lineWidth: 0 })
}

/** Whether an entry of a map or of a list has nothing below it, and fits on a line. */
function isPlain(entry: unknown): boolean {
  const node = isPair(entry) ? (entry as Pair).value : entry
  // In brackets, the library writes `"-\n"` without quotes, which is not YAML.
  return isScalar(node) && !(typeof node.value === 'string' && /[\n\r]/.test(node.value))
}

/** The first line of a menu file, which leads editors to the schema; `''` where it is null. */
export function toModeline(schema: string | null, eol: string): string {
  return schema === null ? '' : `# yaml-language-server: $schema=${schema}${eol}`
}

/** A text without its first modeline. */
function withoutModeline(text: string): string {
  const lines = text.split('\n')
  const place = lines.findIndex((line) => line.startsWith('#') && line.includes('yaml-language-server:'))
  return place < 0 ? text : lines.toSpliced(place, 1).join('\n')
}

/** The keys of a menu in their usual order. */
const BEFORE_CONTEXT = ['version', 'code', 'name']

/**
 * The text of a menu with another's content, comments, form and ids, for its own code and context and under its own name; its
 * modeline points to the schema from its own folder. Null where that text cannot be edited this way.
 *
 * @param visibleFrom when visitors see it, instead of the time of the other; null for that one
 */
export function toCopiedText(
  document: MenuDocument,
  { schema, code, name, context }: Omit<NewMenu, 'isEmpty'>,
  visibleFrom: string | null = null,
): string | null {
  const replaced = ['context', ...(visibleFrom === null ? [] : ['visibleFrom'])]
  const entries = Object.entries(document.value ?? {}).filter(([key]) => !replaced.includes(key))
  const place = entries.findLastIndex(([key]) => BEFORE_CONTEXT.includes(key)) + 1
  const after = Object.fromEntries([
    ...entries.slice(0, place),
    ...(Object.keys(context).length === 0 ? [] : [['context', context as Json]]),
    ...(visibleFrom === null ? [] : [['visibleFrom', visibleFrom]]),
    ...entries.slice(place),
  ])
  const edited = writeChange(document, changeInPlace({ ...after, code, name } as Json)).value
  if (edited === null) return null
  const eol = /\r\n/.test(document.text) ? '\r\n' : '\n'
  return toModeline(schema, eol) + withoutModeline(edited.text)
}

/** A name for people from a code: `partner-sidebar` becomes `Partner sidebar`. */
export function toMenuName(code: string): string {
  const words = code
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[\s._-]+/)
    .filter((word) => word !== '')
  const text = words.join(' ').toLowerCase()
  return text === '' ? code : text.charAt(0).toUpperCase() + text.slice(1)
}
