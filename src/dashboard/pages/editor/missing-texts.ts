import { toName } from '../../../change/actions/outcome.js'
import { isMap, type Json, valueAt } from '../../../model/json.js'
import { type Locales, labelChain } from '../../../model/locale.js'
import { toLanguageNames } from '../../../model/locale-name.js'
import { parsePointer } from '../../../model/pointer.js'
import type { Problem } from '../../../model/problem.js'
import type { Texts } from '../../texts/language.js'
import { itemPointer, missingIn } from './rows.js'

/** The languages in which an item, or the menu itself, has no text. */
export interface MissingText {
  /** Null for the menu. */
  readonly pointer: string | null
  readonly name: string
  /** `German and Arabic are missing.` */
  readonly text: string
}

/** What a problem of the value of a menu says about missing texts, in the words of a page; null for any other problem. */
export function toMissingText(
  { code, pointer }: Problem,
  value: Json,
  { locales, t }: { readonly locales: Locales; readonly t: Texts },
): MissingText | null {
  const missing = missingIn(valueAt(value, parsePointer(pointer) ?? []), locales.locales)
  if (code !== 'missing-translation' || missing.length === 0) return null
  const at = itemPointer(pointer)
  const item = at === null ? null : valueAt(value, parsePointer(at) ?? [])
  return {
    pointer: at,
    name: isMap(item) ? toName(item, t.actions, labelChain(t.lang, locales)) : t.languages.menu,
    text: t.fill(t.languages.areMissing, {
      count: missing.length,
      locales: toLanguageNames(missing, t.lang),
    }),
  }
}
