import { isMap, type Json } from '../../model/json.js'
import { toLabelText } from '../../model/label.js'
import { type Locale, type Locales, labelChain } from '../../model/locale.js'
import type { Fields } from '../page.js'
import { isUntouched } from './typed-text.js'

/** The field of a label in one locale. */
export interface LabelField {
  readonly name: string
  readonly locale: Locale
  readonly text: string
  /** What visitors get while there is no text. */
  readonly fallback: string
  /** The locale whose text can be copied: that of the fallback, else the default one; null for none. */
  readonly source: Locale | null
  /** Whether the label may stay one text for all locales: it has no texts by locale. */
  readonly isForAll: boolean
}

/** The fields of a label: the configured locales, and those that it has besides. One text for all is that of the default locale. */
export function toLabelFields(label: Json | undefined, all: Locales): readonly LabelField[] {
  const { locales, defaultLocale } = all
  const own = isMap(label) ? Object.keys(label) : []
  return [...new Set([...locales, ...own])].map((locale) => {
    const others = [...labelChain(locale, all), ...own].filter((each) => each !== locale)
    const found = others.find((each) => textIn(label, each, defaultLocale) !== '')
    return {
      name: `label:${locale}`,
      locale,
      text: textIn(label, locale, defaultLocale),
      fallback: toLabelText(isMap(label) ? { ...label, [locale]: '' } : label, labelChain(locale, all)).text,
      isForAll: !isMap(label),
      source: found ?? (locale === defaultLocale ? null : defaultLocale),
    }
  })
}

/** Whether a label is a single text for all locales, such as a proper name, and needs no translation. */
export function isForAll(label: Json | undefined, locales: readonly Locale[]): boolean {
  return locales.length > 1 && typeof label === 'string'
}

/**
 * The label that was typed; the present one where nothing was, undefined where all fields are empty. `wish`: whether one
 * text is to be for all locales; null where nobody was asked, and one text in the default locale stays that.
 */
export function readLabel(
  form: Fields,
  label: Json | undefined,
  all: Locales,
  wish: boolean | null = null,
): Json | undefined {
  const fields = toLabelFields(label, all)
  const typed = fields.map(({ name, locale, text }) => {
    const now = form.get(name) ?? text
    return { locale, text: isUntouched(text, now) ? text : now.trim(), isTouched: !isUntouched(text, now) }
  })
  const isWished = wish ?? isForAll(label, all.locales)
  if (isWished === isForAll(label, all.locales) && !typed.some(({ isTouched }) => isTouched)) return label
  const texts = typed.filter(({ text }) => text.trim() !== '')
  const [only] = texts
  if (only === undefined) return undefined
  // A translation that was typed into a form for one text is never dropped.
  const isOne =
    wish === null
      ? texts.length === 1 && only.locale === all.defaultLocale && !isMap(label)
      : wish && (texts.length === 1 || typeof label !== 'string')
  return isOne ? only.text : Object.fromEntries(texts.map(({ locale, text }) => [locale, text]))
}

function textIn(label: Json | undefined, locale: Locale, defaultLocale: Locale): string {
  if (typeof label === 'string') return locale === defaultLocale ? label : ''
  const text = isMap(label) && Object.hasOwn(label, locale) ? label[locale] : ''
  return typeof text === 'string' ? text : ''
}
