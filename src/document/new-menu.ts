import { Document, isMap, isScalar } from 'yaml'
import { changeInPlace } from '../change/change.js'
import type { Json } from '../model/json.js'
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
  const document = new Document({
    version: 1,
    code,
    name,
    ...(hasContext && { context }),
    items: isEmpty ? [] : [{ label: 'Home', url: '/' }],
  })
  const node = document.get('context', true)
  if (isMap(node)) {
    node.flow = true
    // Plain, this key would be a merge key.
    for (const { key } of node.items) if (isScalar(key) && key.value === '<<') key.type = 'QUOTE_DOUBLE'
  }
  return toModeline(schema, '\n') + document.toString({ lineWidth: 0 })
}

function toModeline(schema: string | null, eol: string): string {
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
 * The text of a variant with another's content, comments, form and ids, for another context and under another name; its
 * modeline points to the schema from its own folder. Null where that text cannot be edited this way.
 */
export function toVariantText(
  document: MenuDocument,
  { schema, name, context }: Omit<NewMenu, 'code'>,
): string | null {
  const entries = Object.entries(document.value ?? {}).filter(([key]) => key !== 'context')
  const place = entries.findLastIndex(([key]) => BEFORE_CONTEXT.includes(key)) + 1
  const after = Object.fromEntries([
    ...entries.slice(0, place),
    ['context', context as Json],
    ...entries.slice(place),
  ])
  const edited = writeChange(document, changeInPlace({ ...after, name } as Json)).value
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
