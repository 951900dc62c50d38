import { describeRefusal } from '../../../change/actions/outcome.js'
import { levelOf } from '../../../change/actions/places.js'
import type { Items, PlacedItem } from '../../../change/items.js'
import { type Locales, labelChain } from '../../../model/locale.js'
import type { StepFault } from '../../deeds/steps.js'
import { type Trouble, toError } from '../../forms/trouble.js'
import type { Fields } from '../../page.js'
import type { Texts } from '../../texts/language.js'

/** An item under which others can be put, as a list of choices shows it. */
interface Parent {
  readonly pointer: string
  readonly name: string
}

/** The items under which another one can be put; a branch cannot be put into itself. */
export function toParents(
  items: Items,
  nameOf: (item: PlacedItem) => string,
  branch: PlacedItem | null,
): readonly Parent[] {
  return items.all
    .filter(({ item }) => item['type'] !== 'divider')
    .filter(({ pointer }) => branch === null || !`${pointer}/`.startsWith(`${branch.pointer}/`))
    .map((each) => ({
      pointer: each.pointer,
      name: `${'\u2003'.repeat(levelOf(each) - 1)}${nameOf(each)}`,
    }))
}

/** The position that was typed, from 0; the end where that is no number. */
export function readPosition(form: Fields): number {
  const typed = form.get('position')?.trim() ?? ''
  return /^\d{1,6}$/.test(typed) ? Math.max(0, Number(typed) - 1) : Number.MAX_SAFE_INTEGER
}

/** What a form says of a step that puts an item under a parent. */
export function toStepTrouble(
  t: Texts,
  fault: StepFault,
  item: PlacedItem | null,
  locales: Locales,
): Trouble {
  if (fault === 'stale') return { errors: [toError(null, t.editor.stale)], status: 409 }
  const text = describeRefusal(fault, item, t.actions, labelChain(t.lang, locales))
  return { errors: [toError('parent', text)] }
}
