import { isMap, type Json } from '../../model/json.js'
import type { Locale } from '../../model/locale.js'
import type { FieldChange } from './field-changes.js'

/**
 * The languages whose texts stay as they are while that of another one becomes a new one: they may not fit any longer.
 *
 * @param fields what changed of an item, its label by language
 */
export function keptLanguages(
  fields: readonly FieldChange[],
  locales: readonly Locale[],
  label: Json | undefined,
): readonly Locale[] {
  const labels = fields.filter(({ kind, part }) => kind === 'label' && part !== null)
  if (!isMap(label) || !labels.some(({ from, to }) => typeof from === 'string' && typeof to === 'string'))
    return []
  return locales.filter((each) => Object.hasOwn(label, each) && !labels.some(({ part }) => part === each))
}
