import { isMap } from './json.js'
import type { Locale } from './locale.js'
import type { Label } from './menu.js'

/** A text with the locale that it came from; null where the label is one text for every locale. */
export interface LabelText {
  readonly text: string
  readonly locale: Locale | null
}

/**
 * The text of a label, as a menu has it or as a file has it: the first locale of the chain that has one, else any text, else
 * `''`. A blank translation counts as absent. Never escaped: it is data.
 */
export function toLabelText(label: unknown, chain: readonly Locale[]): LabelText {
  if (typeof label === 'string') return { text: label, locale: null }
  if (!isMap(label)) return { text: '', locale: null }
  const hasText = (locale: Locale): boolean => Object.hasOwn(label, locale) && isText(label[locale])
  const locale = chain.find(hasText) ?? Object.keys(label).find(hasText) ?? null
  return { text: locale === null ? '' : String(label[locale]), locale }
}

/** What names an item, of a menu that is served or of a map in a file. */
type NamedItem = { readonly [key in 'type' | 'label' | 'routeName' | 'routeParams' | 'url']?: unknown }

/** What people call an item: its label, else its destination. */
export function nameOf(item: NamedItem, chain: readonly Locale[]): string {
  const { text } = toLabelText(item.label, chain)
  if (isText(text)) return text
  if (item.type === 'divider') return 'divider'
  return [item.routeName, item.url].find(isText) ?? 'item without a label'
}

/** All texts of a label. */
export function textsOf(label: Label): readonly string[] {
  return typeof label === 'string' ? [label] : Object.values(label)
}

/** Where an item leads: its address, or `route shop.room (room: kitchen)`; `''` for nowhere. */
export function targetOf(item: NamedItem): string {
  const { routeName, url } = item
  if (!isText(routeName)) return isText(url) ? url : ''
  const params = paramsIn(item)
  return `route ${routeName}${params === '' ? '' : ` (${params})`}`
}

/** The parameters that an item gives its route, some of them without their names: `kitchen, floor: 2`. */
export function paramsIn(
  { routeParams }: NamedItem,
  nameless: readonly string[] = [],
  toName = (name: string): string => name,
): string {
  return Object.entries(isMap(routeParams) ? routeParams : {})
    .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const)
    .map(([name, text]) => (nameless.includes(name) ? text : `${toName(name)}: ${text}`))
    .join(', ')
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}
