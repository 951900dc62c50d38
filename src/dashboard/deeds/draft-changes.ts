import { differences, type ItemMark, isOwnChange, markOf } from '../../change/compare/differences.js'
import { byLocale } from '../../change/compare/field-changes.js'
import { matchMenus } from '../../change/compare/match.js'
import { derived } from '../../model/derived.js'
import type { Draft } from '../../store/drafts/read-draft.js'

const differencesOf = derived(({ base, change }: Draft) =>
  differences(matchMenus(base.value ?? {}, change.value)),
)

/**
 * How many changes a draft makes to the text that it began with, counted as its review lists them: steps that cancel each other
 * out are none; what no sentence tells is one, as it is published all the same. Computed once for each state of a draft.
 */
export const countChanges: (draft: Draft) => number = derived((draft: Draft) => {
  const { fields, items } = differencesOf(draft)
  const own = items.filter(isOwnChange)
  const counts = own.map(({ kind, moved, fields }) =>
    kind === 'changed' ? Math.max(1, Number(moved) + fields.flatMap(byLocale).length) : 1,
  )
  return counts.reduce((sum, count) => sum + count, fields.length)
})

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
