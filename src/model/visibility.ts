import { childrenOf, type MenuItem } from './menu.js'
import { isOpen } from './window.js'

/** Whether a viewer's permissions suffice for an item: our own checker, which runs for each item of each request. */
export function permits(
  { permissions: needed, permissionMode }: Pick<MenuItem, 'permissions' | 'permissionMode'>,
  permissions: ReadonlySet<string>,
): boolean {
  const isHeld = (key: string): boolean => permissions.has(key)
  return needed.length === 0 || (permissionMode === 'any' ? needed.some(isHeld) : needed.every(isHeld))
}

/**
 * What becomes of an item on a tree. `shown`; `hidden` by the file; `outside` its time window; `denied` to the viewer;
 * `emptied`, a section that lost all it had but dividers; `loose`, a divider that separates nothing any more.
 */
export type Fate = 'shown' | 'hidden' | 'outside' | 'denied' | 'emptied' | 'loose'

/** An item with its outcome and, where examined, those of the items below it. */
export interface JudgedItem {
  readonly item: MenuItem
  readonly fate: Fate
  readonly children: readonly JudgedItem[]
}

/**
 * Decides which items of a list a viewer sees at a time, from the deepest level up; without a time, windows do not matter.
 * Subtrees that go are not examined.
 */
export function judgeItems(
  items: readonly MenuItem[],
  canSee: (item: MenuItem) => boolean,
  now: number | null,
): readonly JudgedItem[] {
  const judged = items.map((item) => judgeItem(item, canSee, now))
  const lostSome = judged.some(({ fate }) => fate !== 'shown')
  return lostSome ? withoutLooseDividers(judged) : judged
}

function judgeItem(item: MenuItem, canSee: (item: MenuItem) => boolean, now: number | null): JudgedItem {
  const fate = fateOf(item, canSee, now)
  const below = fate === 'shown' ? childrenOf(item) : []
  const children = judgeItems(below, canSee, now)
  const isEmptied = item.type === 'section' && below.length > 0 && !children.some(isShownContent)
  return { item, fate: isEmptied ? 'emptied' : fate, children }
}

function fateOf(item: MenuItem, canSee: (item: MenuItem) => boolean, now: number | null): Fate {
  if (item.hidden) return 'hidden'
  if (!isOpen(item, now)) return 'outside'
  return canSee(item) ? 'shown' : 'denied'
}

function isShownContent({ item, fate }: JudgedItem): boolean {
  return fate === 'shown' && item.type !== 'divider'
}

/** Takes away the dividers that lead, trail or repeat among what is shown. */
function withoutLooseDividers(judged: readonly JudgedItem[]): readonly JudgedItem[] {
  const lastContent = judged.findLastIndex(isShownContent)
  let separates = false
  return judged.map((entry, place) => {
    if (entry.fate !== 'shown') return entry
    const isDivider = entry.item.type === 'divider'
    const isLoose = isDivider && !(separates && place < lastContent)
    separates = !isDivider
    return isLoose ? { ...entry, fate: 'loose' } : entry
  })
}
