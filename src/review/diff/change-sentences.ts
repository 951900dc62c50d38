import { goneBranches, isOwnChange } from '../../change/compare/differences.js'
import { byLocale, type FieldChange } from '../../change/compare/field-changes.js'
import { describeField, FIELD_WORDS, toNewPlace } from '../../change/compare/field-words.js'
import { createFill, fill } from '../../change/fill.js'
import type { ItemReport, MenuReport } from './report.js'

/** The sentences for what changed. Names in braces are replaced by what they are about. */
const words = {
  ...FIELD_WORDS,
  theMenu: 'the menu',
  addsMenu: { one: 'adds the menu with 1 item', other: 'adds the menu with {count} items' },
  removesMenu: 'removes the menu',
  breaks: 'breaks the file',
  fixes: 'fixes the file',
  movesFile: 'moves the file to {to}',
  adds: 'adds {name}',
  removes: 'removes {name}',
  removesBranch: { one: 'removes {name} with 1 item', other: 'removes {name} with {count} items' },
  hides: 'hides {name}',
  shows: 'shows {name}',
  visibleFrom: 'makes {name} visible from {to}',
  visibleUntil: 'makes {name} visible until {to}',
  noVisibleFrom: 'makes {name} visible from the start',
  noVisibleUntil: 'makes {name} visible without an end',
  moves: 'moves {name} to {to}',
  renames: 'renames {from} to {to}',
  renamesIn: 'renames {from} to {to} ({locale})',
  addsField: 'adds {what} {to} to {name}',
  removesField: 'removes {what} of {name}',
  changesField: 'changes {what} of {name} to {to}',
}

const choose = createFill('en')

/** Each change of a menu in words, in the present tense: `renames Sales to Revenue`. What is removed comes first, once for a branch. */
export function changesOf({ status, counts, files, fields, items }: MenuReport): readonly string[] {
  if (status === 'added') return [choose(words.addsMenu, { count: counts.added })]
  if (status === 'removed') return [words.removesMenu]
  if (status === 'broken') return [words.breaks]
  if (status === 'fixed') return [words.fixes]
  const { before, after } = files
  const removals = removalsOf(items)
  return [
    ...removals.map(({ name, below: count }) =>
      count === 0 ? fill(words.removes, { name }) : choose(words.removesBranch, { name, count }),
    ),
    ...(before !== null && after !== null && before !== after ? [fill(words.movesFile, { to: after })] : []),
    ...fields.map((field) => toChange(field, words.theMenu)),
    ...items.filter(isOwnChange).flatMap((item) => toItemChanges(item)),
  ]
}

/** The removed branches, and how many items went with each: the largest first. */
export function removalsOf(
  items: readonly ItemReport[],
): readonly { readonly name: string; readonly below: number }[] {
  const gone = items.filter(({ before, after }) => before !== null && after === null)
  const isBelowGone = goneBranches(gone)
  const below = gone.filter(isBelowGone)
  return gone
    .filter((item) => !isBelowGone(item))
    .map(({ before }) => ({
      name: before?.name ?? '',
      below: below.filter((each) => each.before?.pointer.startsWith(`${before?.pointer}/`)).length,
    }))
    .toSorted((one, other) => other.below - one.below)
}

function toItemChanges({ before, after, moved, fields }: ItemReport): readonly string[] {
  if (after === null) return []
  const { name } = after
  if (before === null) return [fill(words.adds, { name })]
  return [
    ...(moved ? [fill(words.moves, { name, to: toNewPlace(before, after, words) })] : []),
    ...fields.flatMap(byLocale).map((field) => toChange(field, name)),
  ]
}

/** `hides Sales`, `changes icon of Sales to lucide:tag`. */
function toChange(field: FieldChange, name: string): string {
  const { what, from, to } = describeField(field, words)
  if (field.kind === 'hidden') return fill(field.to === true ? words.hides : words.shows, { name })
  if (field.kind === 'window') {
    const isFrom = field.key === 'visibleFrom'
    if (to === null) return fill(isFrom ? words.noVisibleFrom : words.noVisibleUntil, { name })
    return fill(isFrom ? words.visibleFrom : words.visibleUntil, { name, to })
  }
  if (field.kind === 'label' && from !== null && to !== null)
    return field.part === null
      ? fill(words.renames, { from, to })
      : fill(words.renamesIn, { from, to, locale: field.part })
  if (from === null) return fill(words.addsField, { what, to: to ?? '', name })
  return to === null ? fill(words.removesField, { what, name }) : fill(words.changesField, { what, name, to })
}
