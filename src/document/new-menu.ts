import { Document, isMap, isScalar } from 'yaml'
import type { Context } from '../model/menu.js'

/** What a new file says. */
export interface NewMenu {
  /** The path from the file to the schema, for editors; null leaves the modeline out. */
  readonly schema: string | null
  readonly code: string
  readonly name: string
  readonly context: Context
}

/** The text of a new menu file with one link, so that there is something to see and to copy. */
export function toNewMenuText({ schema, code, name, context }: NewMenu): string {
  const hasContext = Object.keys(context).length > 0
  const document = new Document({
    version: 1,
    code,
    name,
    ...(hasContext && { context }),
    items: [{ label: 'Home', url: '/' }],
  })
  const node = document.get('context', true)
  if (isMap(node)) {
    node.flow = true
    // Plain, this key would be a merge key.
    for (const { key } of node.items) if (isScalar(key) && key.value === '<<') key.type = 'QUOTE_DOUBLE'
  }
  const modeline = schema === null ? '' : `# yaml-language-server: $schema=${schema}\n`
  return modeline + document.toString({ lineWidth: 0 })
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
