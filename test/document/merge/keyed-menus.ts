import fc from 'fast-check'
import type { Json } from '../../../src/model/json.js'
import { toFlow } from '../../support/yaml.js'

/** Where a comment of an item can be. */
type Remark = 'above' | 'twice' | 'behind' | 'value' | 'inside' | 'deep' | 'end' | OfList
/** Where a comment of the list of its children can be. */
type OfList = 'head' | 'first' | 'between' | 'foot'
const OF_LIST: readonly Remark[] = ['head', 'first', 'between', 'foot']
const REMARKS: readonly Remark[] = ['above', 'twice', 'behind', 'value', 'inside', 'deep', 'end', ...OF_LIST]

/** An item that is known by its key whatever becomes of it; the key is in its text as `x-key`. */
export interface Keyed {
  readonly key: string
  own: { [field: string]: Json }
  readonly remarks: { [remark in Remark]?: string }
  children: Keyed[]
}

/** How texts are laid out, the same on all branches. */
export interface Style {
  /** How far the dashes of a list are indented below their key. */
  readonly indent: 0 | 2 | 4
  readonly hasBlankLines: boolean
  readonly isWindows: boolean
  readonly isEnded: boolean
}

/** A menu and two changes of it; `''` is the key of the menu itself. */
export interface Branching {
  readonly base: Keyed
  readonly mine: Keyed
  readonly theirs: Keyed
  readonly style: Style
}

interface Wish {
  readonly kind: (typeof WISHES)[number]
  readonly at: number
  readonly to: number
}

const WISHES = [
  ...['relabel', 'translate', 'retarget', 'icon', 'title', 'permit', 'hide', 'remark'],
  ...['add', 'remove', 'move', 'nest', 'wrap', 'unwrap', 'swap', 'reverse'],
] as const

const wishes = (maxLength: number): fc.Arbitrary<readonly Wish[]> =>
  fc.array(fc.record<Wish>({ kind: fc.constantFrom(...WISHES), at: fc.nat(999), to: fc.nat(999) }), {
    maxLength,
  })

interface Shape {
  readonly kind: 'link' | 'section' | 'divider'
  readonly hasId: boolean
  readonly remarks: readonly Remark[]
  readonly children: readonly Shape[]
}

const remarks: fc.Arbitrary<readonly Remark[]> = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  { weight: 3, arbitrary: fc.subarray<Remark>([...REMARKS], { maxLength: 3 }) },
)

const shapes: fc.Arbitrary<readonly Shape[]> = fc.letrec<{ list: readonly Shape[] }>((tie) => ({
  list: fc.array(
    fc.record<Shape>({
      kind: fc.constantFrom('link', 'link', 'section', 'section', 'divider'),
      hasId: fc.nat(3).map((number) => number === 0),
      remarks,
      children: fc.oneof({ maxDepth: 3 }, fc.constant([]), tie('list')),
    }),
    { maxLength: 4 },
  ),
})).list

const styles = fc.record<Style>({
  indent: fc.constantFrom(2, 2, 0, 4),
  hasBlankLines: fc.nat(3).map((number) => number === 0),
  isWindows: fc.nat(5).map((number) => number === 0),
  isEnded: fc.nat(5).map((number) => number > 0),
})

/** Menus of items with keys, and what two branches made of them; both may have picked the same additions before. */
export const branchings: fc.Arbitrary<Branching> = fc
  .tuple(shapes, remarks, fc.array(fc.record({ shape: shapes, to: fc.nat(999) }), { maxLength: 2 }))
  .chain(([list, menuRemarks, picks]) =>
    fc.record({
      list: fc.constant(list),
      menuRemarks: fc.constant(menuRemarks),
      picks: fc.constant(picks),
      mine: wishes(4),
      theirs: wishes(4),
      hasPicks: fc.boolean(),
      style: styles,
    }),
  )
  .map(({ list, menuRemarks, picks, mine, theirs, hasPicks, style }) => {
    const base: Keyed = { key: '', own: {}, remarks: {}, children: [] }
    grow(base, list, 'b', { next: 0 })
    remark(base, menuRemarks)
    const start = structuredClone(base)
    const count = { next: 0 }
    for (const { shape, to } of hasPicks ? picks : []) {
      const parents = everyItem(start).filter(({ own }) => own['type'] !== 'divider')
      const parent = parents[to % parents.length] ?? start
      const picked: Keyed = { key: '', own: {}, remarks: {}, children: [] }
      grow(picked, shape.slice(0, 1), 'n', count)
      parent.children.splice(to % (parent.children.length + 1), 0, ...picked.children)
    }
    return { base, mine: changed(start, mine, 'm'), theirs: changed(start, theirs, 't'), style }
  })

function grow(parent: Keyed, shape: readonly Shape[], letter: string, count: { next: number }): void {
  for (const { kind, hasId, remarks, children } of shape) {
    const key = `${letter}${count.next++}`
    const label = { en: `Text ${key}`, es: `Texto ${key}` }
    // Nothing else makes one divider known among others.
    const id = hasId || kind === 'divider' ? { id: `id-${key}` } : {}
    const own =
      kind === 'divider'
        ? { type: kind, ...id }
        : kind === 'section'
          ? { type: kind, ...id, label }
          : { ...id, label, url: `/${key}` }
    const item: Keyed = { key, own: { ...own, 'x-key': key }, remarks: {}, children: [] }
    if (kind !== 'divider') grow(item, children, letter, count)
    remark(item, remarks)
    parent.children.push(item)
  }
}

/** Gives an item comments that no other has. */
function remark(item: Keyed, kinds: readonly Remark[]): void {
  for (const kind of kinds) {
    if (OF_LIST.includes(kind) && item.children.length === 0) continue
    if (item.key === '' && !OF_LIST.includes(kind)) continue
    item.remarks[kind] = `${item.key === '' ? 'menu' : item.key}.${kind}`
  }
}

/** An item and all below it, parents first. */
export function everyItem(item: Keyed): readonly Keyed[] {
  return [item, ...item.children.flatMap(everyItem)]
}

/** Every item below the menu with the one above it. */
export function placesIn(
  item: Keyed,
): readonly { readonly item: Keyed; readonly parent: Keyed; readonly at: number }[] {
  return item.children.flatMap((child, at) => [{ item: child, parent: item, at }, ...placesIn(child)])
}

function changed(menu: Keyed, list: readonly Wish[], letter: string): Keyed {
  const copy = structuredClone(menu)
  for (const [number, wish] of list.entries()) change(copy, wish, `${letter}${number}`)
  return copy
}

function change(menu: Keyed, { kind, at, to }: Wish, word: string): void {
  const places = placesIn(menu)
  const place = places[at % Math.max(1, places.length)]
  const lists = everyItem(menu).filter(({ own }) => own['type'] !== 'divider')
  const put = (item: Keyed, allowed = lists): void => {
    const list = allowed[to % Math.max(1, allowed.length)]?.children ?? menu.children
    list.splice(to % (list.length + 1), 0, item)
  }
  if (kind === 'add') {
    const added: Keyed = { key: '', own: {}, remarks: {}, children: [] }
    const some = REMARKS.filter((_, index) => (at + index) % 4 === 0)
    const leaf: Shape = { kind: 'link', hasId: at % 3 === 0, remarks: some, children: [] }
    grow(added, [leaf], `${word}-`, { next: 0 })
    for (const item of added.children) put(item)
    return
  }
  if (place === undefined) return
  const { item, parent } = place
  const { own } = item
  const isDivider = own['type'] === 'divider'
  const inside = new Set(everyItem(item))
  const turn = (list: readonly Keyed[]): Keyed[] => [...list].reverse()
  switch (kind) {
    case 'remove':
      parent.children.splice(place.at, 1)
      break
    case 'move':
      parent.children.splice(place.at, 1)
      put(item, [parent])
      break
    case 'nest':
      parent.children.splice(place.at, 1)
      put(
        item,
        lists.filter((each) => !inside.has(each)),
      )
      break
    case 'wrap': {
      const children = parent.children.splice(place.at, 1 + (to % 3))
      const label = { en: `Text ${word}`, es: `Texto ${word}` }
      const wrapper = { type: 'section', label, 'x-key': word }
      parent.children.splice(place.at, 0, { key: word, own: wrapper, remarks: {}, children })
      break
    }
    case 'unwrap':
      if (item.children.length > 0) parent.children.splice(place.at, 1, ...item.children)
      break
    case 'swap':
      if (place.at > 0)
        parent.children.splice(place.at - 1, 2, ...turn(parent.children.slice(place.at - 1, place.at + 1)))
      break
    case 'reverse':
      parent.children = turn(parent.children)
      break
    case 'remark':
      item.remarks.above ??= `${item.key}.above.${word}`
      break
    default:
      if (!isDivider || own['id'] !== undefined) edit(own, kind, isDivider, word, to)
  }
}

function edit(own: Keyed['own'], kind: Wish['kind'], isDivider: boolean, word: string, to: number): void {
  if (kind === 'hide') own['hidden'] = true
  else if (kind === 'permit') {
    const keys = ['p', 'q', 'r']
    own['permissions'] = keys.filter((_, index) => (to >> index) % 2 === 1)
  } else if (isDivider) return
  else if (kind === 'relabel') own['label'] = { ...(own['label'] as object), en: `Text ${word}` }
  else if (kind === 'translate') own['label'] = { ...(own['label'] as object), fr: `Texte ${word}` }
  else if (kind === 'icon') own['icon'] = `lucide:${word}`
  else if (kind === 'title') own['attributes'] = { title: word }
  else if (kind === 'retarget' && own['url'] !== undefined) own['url'] = `/${word}`
}

/** The text of a menu. */
export function toText(menu: Keyed, { indent, hasBlankLines, isWindows, isEnded }: Style): string {
  const lines: string[] = ['# menu.top', 'version: 1', 'code: main', 'name: Main']
  const note = (remark: string | undefined, column: number): void => {
    if (remark !== undefined) lines.push(`${' '.repeat(column)}# ${remark}`)
  }
  const behind = (remark: string | undefined): string => (remark === undefined ? '' : ` # ${remark}`)
  const list = (key: string, { children, remarks }: Keyed, column: number): void => {
    const pad = ' '.repeat(column)
    if (children.length === 0) {
      if (key === 'items') lines.push('items: []')
      return
    }
    lines.push(`${pad}${key}:${behind(remarks.head)}`)
    const dash = column + indent
    if (remarks.first !== undefined) {
      note(remarks.first, dash)
      lines.push('')
    }
    for (const [place, child] of children.entries()) {
      if (place > 0 && hasBlankLines) lines.push('')
      if (place === children.length >> 1 && place > 0 && remarks.between !== undefined) {
        lines.push('')
        note(remarks.between, dash)
        lines.push('')
      }
      item(child, dash)
    }
    note(remarks.foot, dash)
  }
  const item = (each: Keyed, dash: number): void => {
    const { own, remarks } = each
    note(remarks.twice, dash)
    note(remarks.above, dash)
    const inner = dash + 2
    for (const [place, [field, value]] of Object.entries(own).entries()) {
      const isLast = place === Object.keys(own).length - 1
      const text = `${field}: ${toFlow(value)}`
      const remark = place === 0 ? remarks.behind : isLast ? remarks.value : undefined
      lines.push(`${' '.repeat(dash)}${place === 0 ? '- ' : '  '}${text}${behind(remark)}`)
    }
    note(remarks.deep, inner + 3)
    note(remarks.inside, inner)
    list('children', each, inner)
    // Below an indented list it belongs to the item, else it would be one of the list's.
    note(remarks.end, inner)
  }
  list('items', menu, 0)
  const text = lines.join('\n') + (isEnded ? '\n' : '')
  return isWindows ? text.replaceAll('\n', '\r\n') : text
}

/** How often each comment is in a text. */
export function countComments(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const [, comment = ''] of text.matchAll(/# ([^\r\n]*)/g))
    counts.set(comment, (counts.get(comment) ?? 0) + 1)
  return counts
}
