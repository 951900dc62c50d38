import { isMap, type JsonMap } from './json.js'

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

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}
