import type { Change } from '../../change/change.js'
import { placedItems } from '../../change/items.js'
import { isEqual, isMap, type JsonMap } from '../../model/json.js'
import { done, failed, type Result } from '../../model/result.js'
import { isUneditable, type MenuDocument } from '../menu-document.js'
import { blockLines } from './block-lines.js'
import { commentsBehind } from './comments.js'
import type { Editing } from './editing.js'
import { flowText } from './flow.js'
import { type Entry, type Layout, menuSpot } from './layout.js'
import { readStyles } from './styles.js'

/** The other documents that a change draws from, by their names; all other items are of the document that is changed. */
export type Others = Readonly<Record<string, MenuDocument>>

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
  const { value: write, fault } = toWriter(home, change, others)
  if (fault !== null) return failed(fault)
  for (const isCoarse of [false, true]) {
    const text = write(isCoarse)
    const edited = text === home.text ? home : home.with(home.mark + text)
    const [size, limit] = [edited.bytes.length, home.limits.bytes]
    if (size > limit) return failed(`The text would have ${size} bytes, and ${limit} are allowed.`)
    const isWhole = !edited.problems.some(isUneditable)
    if (isWhole && isEqual(edited.value ?? undefined, change.value)) return done(edited)
  }
  return failed('The change cannot be written into this text; edit it by hand.')
}

/** The same for a text that is not read again, because its lines are merged with others first; null where it is impossible. */
export function writeUnchecked(home: MenuDocument, change: Change, others: Others): string | null {
  return toWriter(home, change, others).value?.(false) ?? null
}

/** Writes a change: the text without its byte order mark. */
type Write = (isCoarse: boolean) => string

function toWriter(document: MenuDocument, change: Change, others: Others): Result<Write, string> {
  const { value: after, origins } = change
  if (!isMap(after)) return failed('A menu is a map.')
  const home = document.layout()
  if (typeof home === 'string') return failed(home)
  const sources = new Map<string, Entry>()
  const places = new Map<string, string>()
  for (const [pointer, { side, pointer: from }] of origins) {
    const layout: Layout | string = others[side]?.layout() ?? home
    if (typeof layout === 'string') return failed(`The text that ${pointer} comes from: ${layout}`)
    const entry = layout.items.get(from)
    if (entry === undefined) return failed(`The text that ${pointer} comes from has no item ${from}.`)
    sources.set(pointer, entry)
    if (layout === home) places.set(pointer, from)
  }
  const around = aroundMoved(after, places)
  if (!around.has('') && isEqual(after, home.menu.value.value)) return done(() => document.text)
  const styles = readStyles(home.menu)
  return done((isCoarse) => {
    const text = writeMenu(home, after, {
      isCoarse,
      eol: home.eol,
      styles,
      isStill: ({ role, at, value }) =>
        role === 'item' && places.has(at) && !around.has(at) && isEqual(value, sources.get(at)?.value.value),
      sourceOf: ({ role, at }) => (role === 'item' ? (sources.get(at) ?? null) : null),
      blockLines,
      flowText,
    })
    const whole = withLineEnds(home, text)
    return document.text.endsWith('\n') ? whole : whole.replace(/\r?\n$/, '')
  })
}

/** The items, and the menu (`''`), below which some item was not in its place before. */
function aroundMoved(after: JsonMap, places: ReadonlyMap<string, string>): ReadonlySet<string> {
  const around = new Set<string>()
  for (const { pointer, parent } of placedItems(after).toReversed()) {
    const above = parent?.pointer ?? ''
    const was = above === '' ? '' : places.get(above)
    const isInPlace = was !== undefined && places.get(pointer) === was + pointer.slice(above.length)
    if (!isInPlace || around.has(pointer)) around.add(above)
  }
  return around
}

/** Text from elsewhere gets the line endings of this document, if it has one kind of them. */
function withLineEnds({ text, eol }: Layout, written: string): string {
  const isMixed = /\r\n/.test(text) && /(?<!\r)\n/.test(text)
  return isMixed ? written : written.replace(/\r?\n/g, eol)
}

function writeMenu({ menu, text, eol }: Layout, after: JsonMap, editing: Editing): string {
  const { value: root } = menu
  const [head, foot] = [text.slice(0, root.start), text.slice(root.end)]
  if (root.kind === 'flow') return head + flowText(editing, menu, menuSpot(after), 2, null) + foot
  if (root.kind === 'block' && Object.keys(after).length > 0)
    return head + blockLines(editing, menu, menuSpot(after), root.column, null) + foot
  const comments = commentsBehind(menu).map((comment) => `${comment}${eol}`)
  return `${head}${comments.join('')}{}${eol}${foot}`
}
