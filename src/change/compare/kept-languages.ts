import { isMap, type Json } from '../../model/json.js'
import type { Locale, Locales } from '../../model/locale.js'
import type { FieldChange } from './field-changes.js'

/**
 * The languages whose texts stay as they are while that of the default language, which they translate, becomes a new one.
 *
 * @param fields what changed of an item, its label by language
 */
export function keptLanguages(
  fields: readonly FieldChange[],
  { locales, defaultLocale }: Pick<Locales, 'locales' | 'defaultLocale'>,
  label: Json | undefined,
): readonly Locale[] {
  const labels = fields.filter(({ kind, part }) => kind === 'label' && part !== null)
  const source = labels.find(({ part }) => part === defaultLocale)
  if (!isMap(label) || typeof source?.from !== 'string' || typeof source.to !== 'string') return []
  return locales.filter((each) => Object.hasOwn(label, each) && !labels.some(({ part }) => part === each))
}
