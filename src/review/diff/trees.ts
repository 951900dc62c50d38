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
  readonly widened: ReadonlySet<ItemDifference>
  readonly narrowed: ReadonlySet<ItemDifference>
}

/** The trees of a menu in both states. `chain`: the locales for labels; `viewer`: permissions, null for all items. */
export function toTrees(
  [before, after]: readonly [Menu | null, Menu | null],
  { match, items, widened, narrowed }: MarkedChanges,
  chain: readonly string[],
  viewer: readonly string[] | null,
): Trees {
  const [olds, news] = [itemsSeen(before, viewer), itemsSeen(after, viewer)]
  const [toAfter, toBefore] = [toPointers(match.toAfter), toPointers(match.toBefore)]
  const byBefore = new Map(items.map((each) => [each.before?.pointer ?? '', each]))
  const byAfter = new Map(items.map((each) => [each.after?.pointer ?? '', each]))
  const grow = (seen: Seen, toItem: (pointer: string, item: MenuItem) => Leaf): readonly TreeItem[] => {
    const build = (pointers: readonly string[]): readonly TreeItem[] =>
      pointers.flatMap((pointer) => {
        const item = seen.items.get(pointer)
        if (item === undefined) return []
        return [{ pointer, ...toItem(pointer, item), children: build(seen.below.get(pointer) ?? []) }]
      })
    return build(seen.below.get('') ?? [])
  }
  const toOld = (pointer: string, item: MenuItem): Leaf => {
    const [partner, change] = [toAfter.get(pointer), byBefore.get(pointer)]
    const mark = toMark(news.items.has(partner ?? ''), 'gone', change)
    const { note, left } = toLeaving(change, toBefore)
    return { ...describe(item, chain), partner, mark, note, left, widens: false }
  }
  const toNew = (pointer: string, item: MenuItem): Leaf => {
    const [partner, change] = [toBefore.get(pointer), byAfter.get(pointer)]
    const old = olds.items.get(partner ?? '')
    const now = describe(item, chain)
    const isCalledOut = change !== undefined && (widened.has(change) || narrowed.has(change))
    const was = old === undefined ? null : describe(old, chain)
    const note = change === undefined ? '' : toNote(change, now, was, isCalledOut)
    const widens = change !== undefined && widened.has(change)
    return { ...now, partner, mark: toMark(old !== undefined, 'new', change), note, left: '', widens }
  }
  return {
    before: before === null ? null : grow(olds, toOld),
    after: after === null ? null : grow(news, toNew),
  }
}

type Leaf = Omit<TreeItem, 'pointer' | 'children'>
type Description = Pick<TreeItem, 'label' | 'locale' | 'type' | 'target' | 'guard'>

/** The items of a menu that a viewer sees, and the pointers of each list, by that of the item above it; `''` at the top. */
interface Seen {
  readonly items: ReadonlyMap<string, MenuItem>
  readonly below: ReadonlyMap<string, readonly string[]>
}

function itemsSeen(menu: Menu | null, viewer: readonly string[] | null): Seen {
  const found = new Map<string, MenuItem>()
  const below = new Map<string, readonly string[]>()
  const keys = new Set(viewer ?? [])
  const walk = (items: readonly MenuItem[], parent: string, start: string): void => {
    const judged = viewer === null ? null : judgeItems(items, (item) => permits(item, keys))
    const shown = items.flatMap((item, place) =>
      judged === null || judged[place]?.fate === 'shown' ? [{ item, pointer: `${start}/${place}` }] : [],
    )
    below.set(
      parent,
      shown.map(({ pointer }) => pointer),
    )
    for (const { item, pointer } of shown) {
      found.set(pointer, item)
      walk(childrenOf(item), pointer, `${pointer}/children`)
    }
  }
  walk(menu?.items ?? [], '', '/items')
  return { items: found, below }
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
  old: Description | null,
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
    old !== null && old.label !== now.label && `was “${old.label}”`,
    old !== null && old.target !== now.target && `led to ${old.target === '' ? 'nowhere' : old.target}`,
    isCalledOut &&
      (widens || narrows) &&
      `seen by ${describeGate(after.viewers)}, before by ${describeGate(before.viewers)}`,
    others.length > 0 && `${others.join(', ')} changed`,
  ]
  return notes.filter((note) => note !== false).join('; ')
}

/** What a line of a tree shows of an item anyway. */
const IN_TREE: readonly string[] = ['target', 'permissions', 'hidden']
