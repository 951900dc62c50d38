import { findItem } from '../../../change/actions/action.js'
import { describeOutcome, toName } from '../../../change/actions/outcome.js'
import { differences, type ItemDifference, isOwnChange } from '../../../change/compare/differences.js'
import { matchItems } from '../../../change/compare/match.js'
import { type Items, readItems, toAbove } from '../../../change/items.js'
import type { Locale } from '../../../model/locale.js'
import type { Draft } from '../../../store/drafts/read-draft.js'
import { moved, type Step, toChange } from '../../../store/drafts/steps.js'
import type { Texts } from '../../texts/language.js'

/** What was undone or redone, and where it can be seen. */
export interface TurnedStep {
  readonly text: string
  /** The pointer of the item that the step was about or, where it is gone, of one near it; null for none. */
  readonly at: string | null
}

/** The step that was undone or redone last; undefined for none. */
export function turnedIn({ steps: { all, position } }: Draft, way: 'undo' | 'redo'): Step | undefined {
  return all[position - (way === 'undo' ? 0 : 1)]
}

/** Says what was undone or redone, such as `Undone: hiding Blog.` or `Redone: Blog moved to position 2 of 4.` */
export function describeTurned(
  draft: Draft,
  items: Items,
  way: 'undo' | 'redo',
  { actions, editor, fill }: Texts,
  chain: readonly Locale[],
): TurnedStep {
  const isUndo = way === 'undo'
  const word = isUndo ? editor.undone : editor.redone
  const other = itemsBeside(draft, isUndo ? 1 : -1)
  if (other === null) return { text: word, at: null }
  const [before, after] = isUndo ? [items, other] : [other, items]
  const all = movedOnce(turnedIn(draft, way), before, after) ?? changedBetween(before, after)
  const [first] = all
  if (first === undefined) return { text: word, at: null }
  const { kind, was, is } = first
  // An item has the name that it has now, if it is still there.
  const isBefore = isUndo ? kind !== 'add' : kind === 'remove'
  const item = findItem(isBefore ? before : after, (isBefore ? was : is) ?? '')
  const name = toName(item?.item ?? {}, actions, chain)
  const describe = (): string => {
    const count = all.length
    if (isUndo && item === null) return word
    const shared = all.every((each) => each.kind === kind) ? kind : 'set'
    const named = count === 1 ? name : fill(editor.undid.more, { name, count: count - 1 })
    if (isUndo) return fill(editor.undid[shared], { name: named })
    const what =
      count > 1 || item === null
        ? fill(editor.changedItems, { count })
        : kind === 'set'
          ? fill(editor.edited, { name })
          : describeOutcome({ kind, item }, actions, chain)
    return fill(editor.redoneStep, { what })
  }
  const pointer = (isUndo ? was : is) ?? was ?? is ?? ''
  const near = [pointer, toAbove(pointer)].find((each) => findItem(items, each)?.parent)
  return { text: describe(), at: near ?? null }
}

/** What became of an item, with its pointers: null where it is not there. */
interface Turned {
  readonly kind: Exclude<keyof Texts['editor']['undid'], 'more'>
  readonly was: string | null
  readonly is: string | null
}

/** The one item that a step moved: of two that changed places, the difference may name the other one. */
function movedOnce(step: Step | undefined, before: Items, after: Items): readonly Turned[] | null {
  const moves = step?.kind === 'edit' ? step.operations.filter(({ op }) => op === 'move') : []
  const [only, ...others] = moves
  if (only?.op !== 'move' || others.length > 0) return null
  if (!findItem(before, only.from)?.parent || !findItem(after, only.path)?.parent) return null
  return [{ kind: 'move', was: only.from, is: only.path }]
}

/** What differs between two states of a draft, without what came or went with an item above it. */
function changedBetween(before: Items, after: Items): readonly Turned[] {
  const own = differences(matchItems(before, after)).items.filter(isOwnChange)
  const all = own.map((each) => ({
    ...{ kind: kindOf(each), was: each.before?.pointer ?? null, is: each.after?.pointer ?? null },
  }))
  const isWithin = (each: Turned, above: Turned): boolean =>
    each.kind === above.kind &&
    (each.was === null || each.is === null) &&
    `${each.was ?? each.is}`.startsWith(`${above.was ?? above.is}/`)
  return all.filter((each) => !all.some((above) => isWithin(each, above)))
}

/** The items of a draft with a step more or less; null where that cannot be known. */
export function itemsBeside({ steps, base }: Draft, by: -1 | 1): Items | null {
  const other = moved(steps, by)
  const { value } = other === null ? { value: null } : toChange(other, base.value ?? {}, base.limits)
  return value === null ? null : readItems(value.value)
}

function kindOf({ kind, moved, fields }: ItemDifference): Turned['kind'] {
  if (kind !== 'changed') return kind === 'added' ? 'add' : 'remove'
  if (moved) return 'move'
  const [only, ...others] = fields
  if (only?.kind !== 'hidden' || others.length > 0) return 'set'
  return only.to === true ? 'hide' : 'show'
}
