import { differences, type ItemMark, markOf, numberOfChanges } from '../../change/compare/differences.js'
import { byLocale } from '../../change/compare/field-changes.js'
import { keptLanguages } from '../../change/compare/kept-languages.js'
import { matchMenus } from '../../change/compare/match.js'
import { derived } from '../../model/derived.js'
import { valueAt } from '../../model/json.js'
import type { Locale, Locales } from '../../model/locale.js'
import { parsePointer } from '../../model/pointer.js'
import type { Draft } from '../../store/drafts/read-draft.js'
import { asideOf } from '../../store/drafts/steps.js'

const differencesOf = derived(({ base, change }: Draft) =>
  differences(matchMenus(base.value ?? {}, change.value)),
)

/**
 * How many changes a draft makes to the text that it began with. Steps that cancel each other out are none. Computed once for each
 * state of a draft.
 */
export const countChanges: (draft: Draft) => number = derived((draft: Draft) => {
  const { fields, items } = differencesOf(draft)
  return numberOfChanges(items, fields.length > 0)
})

/** Whether nothing would be lost with a draft: it changes nothing, and no version is put aside in it. */
export function isSpent(draft: Draft): boolean {
  return countChanges(draft) === 0 && asideOf(draft.steps) === null
}

/** How the items of a draft differ from the text that it began with, by their pointers. */
export type ItemMarks = { readonly [pointer: string]: ItemMark }

export const marksOf: (draft: Draft) => ItemMarks = derived((draft: Draft) =>
  Object.fromEntries(
    differencesOf(draft).items.flatMap((item) => {
      const mark = markOf(item)
      return mark === null || item.after === null ? [] : [[item.after.pointer, mark]]
    }),
  ),
)

/** The languages of each item whose texts a draft leaves as they are while it changes the one that they translate, by the pointers of the items. */
export function outdatedIn(draft: Draft, locales: Locales): ReadonlyMap<string, readonly Locale[]> {
  return new Map(
    differencesOf(draft).items.flatMap(({ before, after, fields }) => {
      if (before === null || after === null) return []
      const label = valueAt(draft.change.value, parsePointer(`${after.pointer}/label`) ?? [])
      const kept = keptLanguages(fields.flatMap(byLocale), locales, label)
      return kept.length > 0 ? [[after.pointer, kept] as const] : []
    }),
  )
}

/** Whether a draft takes something from visitors: it deletes items, or some may no longer see one. */
export function isTakingAway(draft: Draft): boolean {
  return differencesOf(draft).items.some(({ after, narrows }) => after === null || narrows)
}

/** The pointers of the items that a draft adds, or shows to others than before. */
export const newAudiencesOf: (draft: Draft) => ReadonlySet<string> = derived(
  (draft: Draft) =>
    new Set(
      differencesOf(draft).items.flatMap(({ before, after, fields }) =>
        after !== null &&
        (before === null || fields.some(({ kind }) => kind === 'permissions' || kind === 'hidden'))
          ? [after.pointer]
          : [],
      ),
    ),
)
