import { isMap, type Json, type JsonMap } from '../json.js'

/** What people call an item: its label in the first of the locales that has a text, else any text, else its destination. */
export function nameOf(item: JsonMap, locales: readonly string[]): string {
  const label = item['label']
  if (isText(label)) return label
  if (isMap(label)) {
    for (const locale of [...locales, ...Object.keys(label)]) {
      const text = Object.hasOwn(label, locale) ? label[locale] : undefined
      if (isText(text)) return text
    }
  }
  if (item['type'] === 'divider') return 'divider'
  return [item['routeName'], item['url']].find(isText) ?? 'item without a label'
}

/** What an item may lead to. */
interface Destination {
  readonly routeName?: Json | undefined
  readonly routeParams?: Json | undefined
  readonly url?: Json | undefined
}

/** Where an item leads: its address, or `route shop.room (room: kitchen)`; `''` for nowhere. */
export function targetOf({ routeName, routeParams, url }: Destination): string {
  if (!isText(routeName)) return isText(url) ? url : ''
  const params = isMap(routeParams) ? Object.entries(routeParams) : []
  const told = params.map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return `route ${routeName}${told.length === 0 ? '' : ` (${told.join(', ')})`}`
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}
