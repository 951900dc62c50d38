import { toClosed } from '../model/direction.js'

/** A sentence for each plural category of `{count}` (CLDR). In every language, `zero` is for none, where it is there. */
export type Plurals = { readonly [category in Intl.LDMLPluralRule]?: string } & { readonly other: string }

export type Values = Readonly<Record<string, string | number>>

/** Puts values where a sentence has their names in braces. */
export function fill(sentence: string, values: Values): string {
  return sentence.replace(/\{(\w+)\}/g, (found, name: string) =>
    Object.hasOwn(values, name) ? toClosed(String(values[name])) : found,
  )
}

/** `fill` for a language, which also chooses among sentences by `count`. */
export function createFill(lang: string): (text: string | Plurals, values: Values) => string {
  const rules = new Intl.PluralRules(lang)
  return (text, values) => {
    if (typeof text === 'string') return fill(text, values)
    const count = Number(values['count'])
    return fill(text[count === 0 ? 'zero' : rules.select(count)] ?? text.other, values)
  }
}
