import { readItems } from '../../change/items.js'
import { isMap, type Json, type JsonMap, own } from '../../model/json.js'
import { toLabelText } from '../../model/label.js'
import { type Locale, type Locales, labelChain, toLocale } from '../../model/locale.js'
import { toPointer } from '../../model/pointer.js'
import { toLabel } from '../read/to-menu.js'

/** What of a menu can be translated: the labels of its items, and its own. */
export type TranslatableField = 'label' | 'display.label'

/**
 * A text of a menu that can be translated. It is found again by its key, which survives edits elsewhere:
 *
 * - `menu` for the label of the menu itself,
 * - `#help` for the item with the id `help`,
 * - else the key of the item above it and a step of kind and label in the default locale, such as `#shop/link:Shoes` or
 *   `/section:Shop/link:Shoes`, where `~0` is `~` and `~1` is `/` (RFC 6901). Long labels are cut.
 *
 * Of several items with one key, the second has `~#2` at the end.
 */
export interface Translatable {
  readonly key: string
  readonly field: TranslatableField
  /** The JSON Pointer of the label. */
  readonly pointer: string
  /** As the file has it. */
  readonly label: Json
  /** What visitors read in the default locale. */
  readonly source: string
}

/** The key of the menu itself. */
const MENU_KEY = 'menu'
/** Characters of a label in a key. */
const MAX_STEP = 60

/** The texts of a valid menu, in reading order. */
export function translatablesOf(value: JsonMap, locales: Locales): readonly Translatable[] {
  const chain = labelChain(locales.defaultLocale, locales)
  const sourceOf = (label: Json): string => toLabelText(toLabel(label), chain).text
  const found: Translatable[] = []
  const add = (key: string, field: TranslatableField, pointer: string, label: Json | undefined): void => {
    if (typeof label !== 'string' && !isMap(label)) return
    found.push({ key, field, pointer, label, source: sourceOf(label) })
  }
  const display = own(value, 'display')
  if (isMap(display)) add(MENU_KEY, 'display.label', '/display/label', own(display, 'label'))
  const keys = new Map<string, string>([['', '']])
  const counts = new Map<string, number>()
  for (const { item, pointer, parent } of readItems(value).all) {
    const [id, label, type = 'link'] = [own(item, 'id'), own(item, 'label'), own(item, 'type')]
    const text = typeof label === 'string' || isMap(label) ? sourceOf(label) : ''
    const step = toPointer([`${String(type)}:${[...text].slice(0, MAX_STEP).join('')}`])
    const plain = typeof id === 'string' ? `#${id}` : (keys.get(parent?.pointer ?? '') ?? '') + step
    const count = (counts.get(plain) ?? 0) + 1
    counts.set(plain, count)
    const key = count === 1 ? plain : `${plain}~#${count}`
    keys.set(pointer, key)
    if (type !== 'divider') add(key, 'label', `${pointer}/label`, label)
  }
  return found
}

/** The text of a label in one locale; null for none. One text for all is that of the default locale. */
export function textIn(label: Json, locale: Locale, { defaultLocale }: Locales): string | null {
  if (typeof label === 'string') return locale === defaultLocale ? label : null
  const texts = toLabel(label)
  return typeof texts !== 'string' && Object.hasOwn(texts, locale) ? (texts[locale] ?? null) : null
}

/** A label with other texts in some locales; what it has besides stays as it is written. */
export function withTexts(label: Json, texts: ReadonlyMap<Locale, string>, { defaultLocale }: Locales): Json {
  if (!isMap(label)) {
    const only = texts.size === 1 ? texts.get(defaultLocale) : undefined
    return only ?? Object.fromEntries(new Map([[defaultLocale, String(label)], ...texts]))
  }
  const tags = Object.keys(label)
  const changed = [...texts].map(
    ([locale, text]) => [tags.find((tag) => toLocale(tag) === locale) ?? locale, text] as const,
  )
  return { ...label, ...Object.fromEntries(changed) }
}
