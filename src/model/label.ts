import type { Locale } from './locale.js'
import type { Label } from './menu.js'

/** A text with the locale that it came from; null where the label is one text for every locale. */
export interface LabelText {
  readonly text: string
  readonly locale: Locale | null
}

/** The text of a label: the first locale of the chain that has one, else any text. Never escaped: it is data. */
export function toLabelText(label: Label, chain: readonly Locale[]): LabelText {
  if (typeof label === 'string') return { text: label, locale: null }
  for (const locale of chain) {
    if (Object.hasOwn(label, locale)) return { text: label[locale] ?? '', locale }
  }
  const [locale, text] = Object.entries(label)[0] ?? [null, '']
  return { text, locale }
}
