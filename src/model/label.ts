import { isMap } from './json.js'
import type { Locale } from './locale.js'

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

/** Where an item leads: its address, or `route shop.room (room: kitchen)`; `''` for nowhere. */
export function targetOf({ routeName, routeParams, url }: NamedItem): string {
  if (!isText(routeName)) return isText(url) ? url : ''
  const params = isMap(routeParams) ? Object.entries(routeParams) : []
  const listed = params.map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return `route ${routeName}${listed.length === 0 ? '' : ` (${listed.join(', ')})`}`
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}
