import { childrenOf, type MenuItem } from './menu.js'

/** What decides who may see an item, of a menu that is served or of a map in a file. */
export interface GuardedItem {
  readonly permissions?: unknown
  readonly permissionMode?: unknown
}

/** A viewer with at least one key of each clause may see what is behind them; no clauses let everybody in. */
export type Clauses = readonly (readonly string[])[]

const EVERYBODY: Clauses = []

/** What an item itself requires of its viewer, regardless of the items above it. */
export function clausesOf({ permissions, permissionMode }: GuardedItem): Clauses {
  if (!Array.isArray(permissions) || permissions.length === 0) return EVERYBODY
  const keys = [...new Set(permissions.filter((key) => typeof key === 'string'))].sort()
  if (keys.length === 0) return EVERYBODY
  return permissionMode === 'any' ? [keys] : keys.map((key) => [key])
}

/** Whether a viewer's permissions suffice for an item: our own checker, which runs for each item of each request. */
export function permits(
  { permissions: needed, permissionMode }: Pick<MenuItem, 'permissions' | 'permissionMode'>,
  permissions: ReadonlySet<string>,
): boolean {
  const isHeld = (key: string): boolean => permissions.has(key)
  return needed.length === 0 || (permissionMode === 'any' ? needed.some(isHeld) : needed.every(isHeld))
}

/**
 * What becomes of an item on a tree. `shown`; `hidden` by the file; `denied` to the viewer; `emptied`, a section that
 * lost all it had but dividers; `loose`, a divider that separates nothing any more.
 */
export type Fate = 'shown' | 'hidden' | 'denied' | 'emptied' | 'loose'

/** An item with its outcome and, where examined, those of the items below it. */
export interface JudgedItem {
  readonly item: MenuItem
  readonly fate: Fate
  readonly children: readonly JudgedItem[]
}

/** Decides which items of a list a viewer sees, from the deepest level up. Subtrees that go are not examined. */
export function judgeItems(
  items: readonly MenuItem[],
  canSee: (item: MenuItem) => boolean,
): readonly JudgedItem[] {
  const judged = items.map((item) => judgeItem(item, canSee))
  const lostSome = judged.some(({ fate }) => fate !== 'shown')
  return lostSome ? withoutLooseDividers(judged) : judged
}

function judgeItem(item: MenuItem, canSee: (item: MenuItem) => boolean): JudgedItem {
  if (item.hidden) return { item, fate: 'hidden', children: [] }
  if (!canSee(item)) return { item, fate: 'denied', children: [] }
  const below = childrenOf(item)
  if (below.length === 0) return { item, fate: 'shown', children: [] }
  const children = judgeItems(below, canSee)
  const emptied = item.type === 'section' && !children.some(isShownContent)
  return { item, fate: emptied ? 'emptied' : 'shown', children }
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
    if (entry.item.type !== 'divider') {
      separates = true
      return entry
    }
    if (separates && place < lastContent) {
      separates = false
      return entry
    }
    return { ...entry, fate: 'loose' }
  })
}
