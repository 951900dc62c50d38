import type { Change, ThreeOf } from '../../change/change.js'
import { placedItems } from '../../change/items.js'
import { isEqual, isList, isMap, type Json, type JsonMap } from '../../model/json.js'
import { done, failed, type Result } from '../../model/result.js'
import { isUneditable, type MenuDocument } from '../menu-document.js'
import { blockLinesText, itemLinesText } from './block-lines.js'
import { commentsInside } from './comments.js'
import type { Editing, Located } from './editing.js'
import { flowTextOf } from './flow.js'
import { freshText } from './fresh.js'
import { type Layout, slice } from './layout.js'
import { MENU } from './site.js'
import { readStyles, type Styles } from './styles.js'

/** The documents of the sides that a change draws from; items of any other side are those of the document that is changed. */
export type Others = Partial<ThreeOf<MenuDocument>>

/**
 * Writes a change into a document. Only what has to change does: every other byte stays, items keep their text and comments
 * wherever they move, and new lines look like their neighbours. The change identifies the items. The result is read again
 * and checked.
 */
export function writeChange(
  home: MenuDocument,
  change: Change,
  others: Others = {},
): Result<MenuDocument, string> {
  const { value: draft, fault } = toDraft(home, change, others)
  if (fault !== null) return failed(fault)
  if (draft.isUnchanged) return done(home)
  for (const way of WAYS) {
    const edited = home.with(draft.write(way))
    const isWhole = !edited.problems.some(isUneditable)
    if (isWhole && isEqual(edited.value ?? undefined, change.value)) return done(edited)
  }
  return failed('The change cannot be written into this text; edit it by hand.')
}

/** The same for a text that is not read again, because its lines are merged with others first. */
export function draftChange(home: MenuDocument, change: Change, others: Others): Result<string, string> {
  const { value: draft, fault } = toDraft(home, change, others)
  if (fault !== null) return failed(fault)
  return done(draft.isUnchanged ? home.text : draft.write(WAYS[0]).slice(home.mark.length))
}

/** Whether blank lines between entries are left out, and whether changed values are rewritten as a whole. */
type Way = Pick<Editing, 'isTight' | 'isCoarse'>

/** Tried in order: a text that ends in line breaks would absorb a blank line behind it. */
const WAYS = [
  { isTight: false, isCoarse: false },
  { isTight: true, isCoarse: false },
  { isTight: true, isCoarse: true },
] as const satisfies readonly Way[]

interface Draft {
  readonly isUnchanged: boolean
  /** The text with its byte order mark. */
  readonly write: (way: Way) => string
}

function toDraft(
  document: MenuDocument,
  { value: after, origins }: Change,
  others: Others,
): Result<Draft, string> {
  if (!isMap(after)) return failed('A menu is a map.')
  const home = document.layout()
  if (typeof home === 'string') return failed(home)
  const sources = new Map<string, Located>()
  const places = new Map<string, string>()
  for (const [pointer, { side, pointer: from }] of origins) {
    const layout: Layout | string = others[side]?.layout() ?? home
    if (typeof layout === 'string') return failed(`The text that ${pointer} comes from: ${layout}`)
    const entry = layout.items.get(from)
    if (entry === undefined) return failed(`The text that ${pointer} comes from has no item ${from}.`)
    sources.set(pointer, { layout, entry })
    if (layout === home) places.set(pointer, from)
  }
  const isStill = stillness(home, after, places)
  const found: Pick<Editing, 'sourceOf' | 'placeOf' | 'isStill'> = {
    sourceOf: ({ role, at }) => (role === 'item' ? (sources.get(at) ?? null) : null),
    placeOf: ({ role, at }) => (role === 'item' ? (home.items.get(places.get(at) ?? '') ?? null) : null),
    isStill: ({ role, at }) => role === 'item' && isStill(at),
  }
  const write = (way: Way): string => {
    const text = withLineEnds(home, writeMenu(home, after, { ...way, ...found }))
    return document.mark + (document.text.endsWith('\n') ? text : text.replace(/\r?\n$/, ''))
  }
  return done({ isUnchanged: isStill(''), write })
}

/** Finds the items, and the menu itself (`''`), that are unchanged with all below them. */
function stillness(
  home: Layout,
  after: JsonMap,
  places: ReadonlyMap<string, string>,
): (pointer: string) => boolean {
  const still = new Set<string>()
  const isSame = (map: JsonMap, was: Json | undefined, to: string, from: string, list: string): boolean => {
    const hasKey = (key: string): boolean => isMap(was) && Object.hasOwn(was, key)
    if (!isMap(was) || Object.keys(map).length !== Object.keys(was).length) return false
    return Object.entries(map).every(([key, value]) => {
      const old = was[key]
      if (key !== list || !isList(value) || !isList(old)) return hasKey(key) && isEqual(value, old)
      return (
        value.length === old.length &&
        value.every((each, place) => {
          const below = `/${list}/${place}`
          if (!isMap(each)) return isEqual(each, old[place])
          return places.get(to + below) === from + below && still.has(to + below)
        })
      )
    })
  }
  for (const { item, pointer } of placedItems(after).toReversed()) {
    const from = places.get(pointer)
    const was = home.items.get(from ?? '')?.value.value
    if (from !== undefined && isSame(item, was, pointer, from, 'children')) still.add(pointer)
  }
  if (isSame(after, home.value, '', '', 'items')) still.add('')
  return (pointer) => still.has(pointer)
}

/** Text from elsewhere gets the line endings of this document, if it has one kind of them. */
function withLineEnds({ text, eol }: Layout, written: string): string {
  const isMixed = text.replaceAll(eol, '').includes('\n')
  return isMixed ? written : written.replace(/\r?\n/g, eol)
}

function writeMenu(
  home: Layout,
  after: JsonMap,
  how: Way & Pick<Editing, 'sourceOf' | 'placeOf' | 'isStill'>,
): string {
  let styles: Styles | null = null
  const editing: Editing = {
    ...how,
    eol: home.eol,
    get styles() {
      styles ??= readStyles(home)
      return styles
    },
    blockLines: (around, value, site) => blockLinesText(editing, around, value, site),
    itemLines: (value, site, column, like) => itemLinesText(editing, value, site, column, like),
    flowText: (around, value, site, column, like) => flowTextOf(editing, around, value, site, column, like),
    fresh: (value, fitting) => freshText(editing, value, fitting),
  }
  const { root, eol } = home
  const head = slice(home, 0, root.start)
  const foot = slice(home, root.end, home.text.length)
  if (root.kind === 'flow')
    return head + editing.flowText({ layout: home, part: root }, after, MENU, 2, null) + foot
  if (root.kind === 'block' && Object.keys(after).length > 0) {
    return head + editing.blockLines({ layout: home, part: root }, after, MENU) + foot
  }
  const comments = commentsInside(home, root).map((comment) => `${comment}${eol}`)
  return `${head}${comments.join('')}{}${eol}${foot}`
}
