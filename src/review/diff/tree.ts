import { type ItemDifference, isOwnChange } from '../../change/compare/differences.js'
import { describeGate } from '../../change/compare/gate.js'
import { targetOf, toLabelText } from '../../model/label.js'
import { childrenOf, type ItemType, type MenuItem } from '../../model/menu.js'
import { judgeItems, permits } from '../../model/visibility.js'
import type { DiffReport, Mark, MenuReport, MenuSide } from './report.js'

/** An item of one of the two trees. */
export interface TreeItem {
  readonly pointer: string
  readonly label: string
  /** The locale that the label is in; null where it is one text for every locale. */
  readonly locale: string | null
  readonly type: ItemType
  /** Where it leads; `''` for nowhere. */
  readonly target: string
  /** Its own permissions and hiding in words; `''` for none. */
  readonly guard: string
  readonly children: readonly TreeItem[]
}

/** A line of the two trees in one. */
export interface TreeRow {
  readonly level: number
  readonly mark: Mark
  readonly item: TreeItem
  /** What changed, in words that hold data. */
  readonly note: string
  /** Whether by its own change more viewers may see it. */
  readonly widens: boolean
}

/** The two trees of a menu, as far as the viewer sees them; null where there is none. */
export interface Trees {
  readonly before: readonly TreeItem[] | null
  readonly after: readonly TreeItem[] | null
}

export function toTrees({ before, after }: MenuReport, report: DiffReport): Trees {
  return {
    before: before === null ? null : toTree(before, report),
    after: after === null ? null : toTree(after, report),
  }
}

function toTree({ menu }: MenuSide, { chain, viewer }: DiffReport): readonly TreeItem[] {
  const keys = new Set(viewer ?? [])
  const build = (items: readonly MenuItem[], pointer: string): readonly TreeItem[] => {
    const judged = viewer === null ? null : judgeItems(items, (item) => permits(item, keys))
    return items.flatMap((item, place) => {
      const own = `${pointer}/${place}`
      if (judged !== null && judged[place]?.fate !== 'shown') return []
      return [toItem(item, own, chain, build(childrenOf(item), `${own}/children`))]
    })
  }
  return build(menu.items, '/items')
}

function toItem(
  item: MenuItem,
  pointer: string,
  chain: readonly string[],
  children: readonly TreeItem[],
): TreeItem {
  const { text, locale } =
    item.type === 'divider' ? { text: '', locale: null } : toLabelText(item.label, chain)
  const joint = item.permissionMode === 'any' ? ' or ' : ', '
  const guards = [
    ...(item.hidden ? ['hidden'] : []),
    ...(item.permissions.length > 0 ? [item.permissions.join(joint)] : []),
  ]
  return {
    pointer,
    label: text,
    locale,
    type: item.type,
    target: item.type === 'divider' ? '' : targetOf(item),
    guard: guards.join('; '),
    children,
  }
}

/** What became of each item, by its pointer, on either side. */
export interface Marks {
  readonly before: (item: TreeItem) => Mark
  readonly after: (item: TreeItem) => Mark
  readonly ofAfter: (item: TreeItem) => ItemDifference | undefined
  readonly ofBefore: (item: TreeItem) => ItemDifference | undefined
  /** Whether by its own change more viewers may see an item of the later tree. */
  readonly widens: (item: TreeItem) => boolean
  /** Why an item of the later tree stands where it stands or differs; `''` when there is nothing to say. */
  readonly noteOf: (item: TreeItem, old: TreeItem | undefined) => string
}

export function toMarks({ difference, match, widened, narrowed }: MenuReport, trees: Trees): Marks {
  const widening = new Set(widened.map(({ item }) => item))
  const called = new Set([...widened, ...narrowed].map(({ item }) => item))
  const [seenBefore, seenAfter] = [pointersIn(trees.before ?? []), pointersIn(trees.after ?? [])]
  const byBefore = new Map(difference.items.map((each) => [each.before?.pointer ?? '', each]))
  const byAfter = new Map(difference.items.map((each) => [each.after?.pointer ?? '', each]))
  const toMark = (
    partner: string | undefined,
    seen: ReadonlySet<string>,
    alone: Mark,
    each: ItemDifference | undefined,
  ): Mark => {
    if (partner === undefined || !seen.has(partner)) return alone
    if (each === undefined) return 'same'
    return each.moved ? 'moved' : each.fields.length > 0 ? 'changed' : 'same'
  }
  return {
    before: ({ pointer }) => toMark(match.toAfter.get(pointer), seenAfter, 'gone', byBefore.get(pointer)),
    after: ({ pointer }) => toMark(match.toBefore.get(pointer), seenBefore, 'new', byAfter.get(pointer)),
    ofBefore: ({ pointer }) => byBefore.get(pointer),
    ofAfter: ({ pointer }) => byAfter.get(pointer),
    widens: ({ pointer }) => widening.has(byAfter.get(pointer) as ItemDifference),
    noteOf: (now, old) => {
      const each = byAfter.get(now.pointer)
      return each === undefined ? '' : toNote(each, now, old, called.has(each))
    },
  }
}

function pointersIn(items: readonly TreeItem[]): ReadonlySet<string> {
  const found = new Set<string>()
  const walk = (list: readonly TreeItem[]): void => {
    for (const { pointer, children } of list) {
      found.add(pointer)
      walk(children)
    }
  }
  walk(items)
  return found
}

function toNote(
  difference: ItemDifference,
  now: TreeItem,
  old: TreeItem | undefined,
  isCalledOut: boolean,
): string {
  const { before, after, moved, fields, widens, narrows } = difference
  if (before === null || after === null || !isOwnChange(difference)) return ''
  const notes: string[] = []
  if (moved) {
    const home = before.path.length === 0 ? 'top level' : before.path.join(' › ')
    notes.push(`from ${home}, place ${before.position}`)
  }
  if (old !== undefined && old.label !== now.label) notes.push(`was “${old.label}”`)
  if (old !== undefined && old.target !== now.target)
    notes.push(`led to ${old.target === '' ? 'nowhere' : old.target}`)
  if (isCalledOut && (widens || narrows))
    notes.push(`seen by ${describeGate(after.viewers)}, before by ${describeGate(before.viewers)}`)
  const told = new Set(['target', 'permissions', 'hidden'])
  const others = fields.flatMap(({ kind, key, part }) => {
    if (told.has(kind) || (kind === 'label' && (part === null || part === now.locale))) return []
    return [part === null ? key : `${key} ${part}`]
  })
  if (others.length > 0) notes.push(`${others.join(', ')} changed`)
  return notes.join('; ')
}
