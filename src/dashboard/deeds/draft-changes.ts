import { differences, isOwnChange } from '../../change/compare/differences.js'
import { matchMenus } from '../../change/compare/match.js'
import { derived } from '../../model/derived.js'
import type { Draft } from '../../store/drafts/open-drafts.js'

/**
 * How many changes a draft makes to the text that it began with, counted as its review lists them: steps that cancel each other
 * out are none. Computed once for each state of a draft.
 */
export const countChanges: (draft: Draft) => number = derived(({ base, change }: Draft) => {
  const { fields, items } = differences(matchMenus(base.value ?? {}, change.value))
  const own = items.filter(isOwnChange)
  const counts = own.map(({ kind, moved, fields }) =>
    kind === 'changed' ? Number(moved) + fields.length : 1,
  )
  return counts.reduce((sum, count) => sum + count, fields.length)
})
