import { describeAudience } from '../../change/compare/audience.js'
import { type ItemDifference, isOwnChange } from '../../change/compare/differences.js'
import { type Match, toPointers } from '../../change/compare/match.js'
import { toAbove } from '../../change/items.js'
import { targetOf, toLabelText } from '../../model/label.js'
import { childrenOf, type ItemType, type Menu, type MenuItem } from '../../model/menu.js'
import { judgeItems, permits } from '../../model/visibility.js'
import { describeWindow } from '../../model/window.js'

/** What became of an item: it was removed, is new, came from elsewhere, or changed in its place. */
export type Mark = 'gone' | 'new' | 'moved' | 'changed' | 'same'

/** The two trees of a menu, as the viewer sees them; null where there is none. */
export interface Trees {
  readonly before: readonly TreeItem[] | null
  readonly after: readonly TreeItem[] | null
}

/** An item of one of the two trees. */
export interface TreeItem {
  readonly pointer: string
  /** Whether the other menu has it, too, whether or not the viewer sees it there. */
  readonly isInBoth: boolean
  /** The same item of the earlier tree, if it is there. */
  readonly was: TreeItem | null
  readonly label: string
  /** The locale of the label; null where it is one text for every locale. */
  readonly locale: string | null
  readonly type: ItemType
  /** Its destination; `''` for none. */
  readonly target: string
  /** Its own permissions and hiding in words; `''` for none. */
  readonly guard: string
  readonly mark: Mark
  /** The change, in words that hold data; `''` for none. */
  readonly note: string
  /** The list to which it moved, in words; `''` where it stayed. */
  readonly left: string
  /** Whether its own change lets more viewers see it. */
  readonly widens: boolean
  readonly children: readonly TreeItem[]
}

/** The changes of a menu, and those called out because they change who sees more or less. */
export interface MarkedChanges {
  readonly match: Match
  readonly items: readonly ItemDifference[]
  readonly widens: ReadonlySet<ItemDifference>
  readonly narrows: ReadonlySet<ItemDifference>
}

/** The trees of a menu in both states. `chain`: the locales for labels; `viewer`: permissions, null for all items. */
export function toTrees(
  before: Menu | undefined,
  after: Menu | undefined,
  { match, items, widens, narrows }: MarkedChanges,
  chain: readonly string[],
  viewer: readonly string[] | null,
): Trees {
  const keys = viewer && new Set(viewer)
  const [toAfter, toBefore] = [toPointers(match.toAfter), toPointers(match.toBefore)]
  const [olds, news] = [before, after].map((menu) => menu && itemsSeen(menu.items, keys, '/items'))
  const seenNow = new Set(flatten(news ?? []).map(({ pointer }) => pointer))
  const byBefore = new Map(items.map((each) => [each.before?.pointer, each]))
  const byAfter = new Map(items.map((each) => [each.after?.pointer, each]))
  const toOld = ({ pointer, item, children }: SeenItem): TreeItem => {
    const [partner, change] = [toAfter.get(pointer), byBefore.get(pointer)]
    const mark = toMark(seenNow.has(partner ?? ''), 'gone', change)
    const own = { ...describe(item, chain), pointer, mark, ...toLeaving(change, toBefore), widens: false }
    return { ...own, isInBoth: partner !== undefined, was: null, children: children.map(toOld) }
  }
  const earlier = olds?.map(toOld) ?? null
  const byPointer = new Map(flatten(earlier ?? []).map((item) => [item.pointer, item]))
  const toNew = ({ pointer, item, children }: SeenItem): TreeItem => {
    const [partner, change] = [toBefore.get(pointer), byAfter.get(pointer)]
    const was = byPointer.get(partner ?? '') ?? null
    const now = describe(item, chain)
    const isWider = change !== undefined && widens.has(change)
    const isCalledOut = isWider || (change !== undefined && narrows.has(change))
    const note = change === undefined ? '' : toNote(change, now, was, isCalledOut)
    const mark = toMark(was !== null, 'new', change)
    const place = { pointer, isInBoth: partner !== undefined, was, mark, note, left: '', widens: isWider }
    return { ...now, ...place, children: children.map(toNew) }
  }
  return { before: earlier, after: news?.map(toNew) ?? null }
}

/** Whether no line of the tree of an item changed. */
export function isSame({ mark, note, children }: TreeItem): boolean {
  return mark === 'same' && note === '' && children.every(isSame)
}

type Description = Pick<TreeItem, 'label' | 'locale' | 'type' | 'target' | 'guard'>

/** An item that a viewer sees, with those that the viewer sees below it. */
interface SeenItem {
  readonly pointer: string
  readonly item: MenuItem
  readonly children: readonly SeenItem[]
}

function itemsSeen(
  items: readonly MenuItem[],
  keys: ReadonlySet<string> | null,
  start: string,
): readonly SeenItem[] {
  const judged = keys && judgeItems(items, (item) => permits(item, keys), null)
  return items.flatMap((item, place) => {
    if (judged !== null && judged[place]?.fate !== 'shown') return []
    const pointer = `${start}/${place}`
    return [{ pointer, item, children: itemsSeen(childrenOf(item), keys, `${pointer}/children`) }]
  })
}

function flatten<T extends { readonly children: readonly T[] }>(items: readonly T[]): readonly T[] {
  return items.flatMap((item) => [item, ...flatten(item.children)])
}

function describe(item: MenuItem, chain: readonly string[]): Description {
  const { type, hidden, permissions, permissionMode } = item
  const joint = permissionMode === 'any' ? ' or ' : ', '
  const guards = [hidden ? 'hidden' : '', describeWindow(item), permissions.join(joint)]
  const guard = guards.filter((part) => part !== '').join('; ')
  if (item.type === 'divider') return { label: '', locale: null, type, target: '', guard }
  const { text, locale } = toLabelText(item.label, chain)
  return { label: text, locale, type, target: targetOf(item), guard }
}

function toMark(isSeenElsewhere: boolean, alone: Mark, change: ItemDifference | undefined): Mark {
  if (!isSeenElsewhere) return alone
  if (change === undefined) return 'same'
  return change.moved ? 'moved' : change.fields.length > 0 ? 'changed' : 'same'
}

/** Where an item of the earlier tree went. */
function toLeaving(
  change: ItemDifference | undefined,
  toBefore: ReadonlyMap<string, string>,
): Pick<TreeItem, 'note' | 'left'> {
  if (change?.moved !== true || change.before === null || change.after === null) return { note: '', left: '' }
  const { before, after } = change
  // Within one list, its new place shows enough.
  const isLeft = toBefore.get(toAbove(after.pointer)) !== toAbove(before.pointer)
  const note = `to ${toPath(after.path, 'top level')}, place ${after.position}`
  return { note, left: isLeft ? toPath(after.path, 'the top level') : '' }
}

function toPath(path: readonly string[], top: string): string {
  return path.length === 0 ? top : path.join(' › ')
}

/** Why an item of the later tree is where it is, or differs. */
function toNote(
  change: ItemDifference,
  now: Description,
  was: Description | null,
  isCalledOut: boolean,
): string {
  const { before, after, moved, fields, widens, narrows } = change
  if (before === null || after === null || !isOwnChange(change)) return ''
  const others = fields.flatMap(({ kind, key, part }) => {
    if (IN_TREE.includes(kind) || (kind === 'label' && (part === null || part === now.locale))) return []
    return [part === null ? key : `${key} ${part}`]
  })
  const notes = [
    moved && `from ${toPath(before.path, 'top level')}, place ${before.position}`,
    was !== null && was.label !== now.label && `was “${was.label}”`,
    was !== null && was.target !== now.target && `led to ${was.target === '' ? 'nowhere' : was.target}`,
    isCalledOut &&
      (widens || narrows) &&
      `seen by ${describeAudience(after.viewers)}, before by ${describeAudience(before.viewers)}`,
    others.length > 0 && `${others.join(', ')} changed`,
  ]
  return notes.filter((note) => note !== false).join('; ')
}

/** What a line of a tree shows of an item anyway. */
const IN_TREE: readonly string[] = ['target', 'permissions', 'hidden']
