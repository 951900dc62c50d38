import { type ItemDifference, isOwnChange } from '../../change/compare/differences.js'
import { describeGate } from '../../change/compare/gate.js'
import { type Match, toPointers } from '../../change/compare/match.js'
import { toAbove } from '../../change/items.js'
import { targetOf, toLabelText } from '../../model/label.js'
import { childrenOf, type ItemType, type Menu, type MenuItem } from '../../model/menu.js'
import { judgeItems, permits } from '../../model/visibility.js'

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
  /** The pointer of the same item in the other menu, whether or not the viewer sees it there. */
  readonly partner: string | undefined
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
  const [oldItems, newItems] = [olds, news].map((seen) => new Map(everySeen(seen ?? [])))
  const byBefore = new Map(items.map((each) => [each.before?.pointer, each]))
  const byAfter = new Map(items.map((each) => [each.after?.pointer, each]))
  const toOld = ({ pointer, item, below }: SeenItem): TreeItem => {
    const [partner, change] = [toAfter.get(pointer), byBefore.get(pointer)]
    const mark = toMark(newItems?.has(partner ?? '') === true, 'gone', change)
    const place = { pointer, partner, mark, ...toLeaving(change, toBefore), widens: false }
    return { ...describe(item, chain), ...place, children: below.map(toOld) }
  }
  const toNew = ({ pointer, item, below }: SeenItem): TreeItem => {
    const [partner, change] = [toBefore.get(pointer), byAfter.get(pointer)]
    const old = oldItems?.get(partner ?? '')
    const now = describe(item, chain)
    const isWider = change !== undefined && widens.has(change)
    const isCalledOut = isWider || (change !== undefined && narrows.has(change))
    const note = change === undefined ? '' : toNote(change, now, old && describe(old, chain), isCalledOut)
    const mark = toMark(old !== undefined, 'new', change)
    return { ...now, pointer, partner, mark, note, left: '', widens: isWider, children: below.map(toNew) }
  }
  return { before: olds?.map(toOld) ?? null, after: news?.map(toNew) ?? null }
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
  readonly below: readonly SeenItem[]
}

function itemsSeen(
  items: readonly MenuItem[],
  keys: ReadonlySet<string> | null,
  start: string,
): readonly SeenItem[] {
  const judged = keys && judgeItems(items, (item) => permits(item, keys))
  return items.flatMap((item, place) => {
    if (judged !== null && judged[place]?.fate !== 'shown') return []
    const pointer = `${start}/${place}`
    return [{ pointer, item, below: itemsSeen(childrenOf(item), keys, `${pointer}/children`) }]
  })
}

function everySeen(seen: readonly SeenItem[]): readonly (readonly [pointer: string, item: MenuItem])[] {
  return seen.flatMap(({ pointer, item, below }) => [[pointer, item] as const, ...everySeen(below)])
}

function describe(item: MenuItem, chain: readonly string[]): Description {
  const { type, hidden, permissions, permissionMode } = item
  const joint = permissionMode === 'any' ? ' or ' : ', '
  const guard = [hidden ? 'hidden' : '', permissions.join(joint)].filter((part) => part !== '').join('; ')
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
  old: Description | undefined,
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
    old !== undefined && old.label !== now.label && `was “${old.label}”`,
    old !== undefined && old.target !== now.target && `led to ${old.target === '' ? 'nowhere' : old.target}`,
    isCalledOut &&
      (widens || narrows) &&
      `seen by ${describeGate(after.viewers)}, before by ${describeGate(before.viewers)}`,
    others.length > 0 && `${others.join(', ')} changed`,
  ]
  return notes.filter((note) => note !== false).join('; ')
}

/** What a line of a tree shows of an item anyway. */
const IN_TREE: readonly string[] = ['target', 'permissions', 'hidden']
