import { isEqual, isMap, type Json, type JsonMap } from '../../change/json.js'
import type { MenuDocument } from '../menu-document.js'
import { blockLinesText, itemLinesText } from './block-lines.js'
import { commentsInside } from './comments.js'
import type { Editing, Source } from './editing.js'
import { flowTextOf } from './flow.js'
import { freshText } from './fresh.js'
import { type Layout, slice } from './layout.js'
import { pairItems, stillItems } from './pairs.js'
import { MENU } from './site.js'
import { readStyles, type Styles } from './styles.js'

/** Where the text of an item is to be taken from, comments included: another text of a menu. */
export interface Donor {
  readonly document: MenuDocument
  /** The JSON Pointer of the item in that text. */
  readonly pointer: string
}

export interface EditOptions {
  /** By the pointer in `after`: items whose own text (comments included, items below it aside) comes from another text. */
  readonly donors?: ReadonlyMap<string, Donor>
}

/** A menu after an edit; else why its text could not be edited. */
export type Edited =
  | { readonly value: MenuDocument; readonly fault: null }
  | { readonly value: null; readonly fault: string }

/**
 * Edits the text of a menu so that it says `after`. Only what has to change does: every other byte stays, comments stay
 * at their items, and new lines are written as their neighbours are. What is given out was read again and says `after`.
 */
export function editMenu(document: MenuDocument, after: Json, options: EditOptions = {}): Edited {
  if (!isMap(after)) return refuse('A menu is a map.')
  const home = document.layout()
  if (typeof home === 'string') return refuse(home)
  const donors = readDonors(options.donors ?? new Map())
  if (donors.fault !== null) return refuse(donors.fault)
  if (isEqual(home.value, after) && donors.sources.size === 0) return { value: document, fault: null }
  const pairs = pairItems(home.value, after)
  const found = finders(home, pairs, donors.sources)
  const still = stillItems(home.value, after, pairs, (pointer) => donors.sources.has(pointer))
  const isStill: Editing['isStill'] = ({ role, at }) => role === 'item' && still.has(at)
  for (const [isTight, isCoarse] of [
    [false, false],
    [true, false],
    [true, true],
  ] as const) {
    const written = withLineEnds(home, write(home, after, { isTight, isCoarse, isStill, ...found }))
    const text = document.text.endsWith('\n') ? written : written.replace(/\r?\n$/, '')
    const edited = document.with(document.mark + text)
    if (isEqual(edited.value ?? undefined, after)) return { value: edited, fault: null }
  }
  return refuse('The change cannot be written into this text; edit it by hand.')
}

/** What came from another text has the line ends of this one, where this one has one kind of them. */
function withLineEnds({ text, eol }: Layout, written: string): string {
  const isMixed = text.replaceAll(eol, '').includes('\n')
  return isMixed ? written : written.replace(/\r?\n/g, eol)
}

function refuse(fault: string): Edited {
  return { value: null, fault }
}

type Donors =
  | { readonly sources: ReadonlyMap<string, Source>; readonly fault: null }
  | { readonly fault: string }

function readDonors(donors: ReadonlyMap<string, Donor>): Donors {
  const sources = new Map<string, Source>()
  for (const [pointer, donor] of donors) {
    const layout = donor.document.layout()
    if (typeof layout === 'string') return { fault: `The text that ${pointer} comes from: ${layout}` }
    const entry = layout.items.get(donor.pointer)
    if (entry === undefined)
      return { fault: `The text that ${pointer} comes from has no item ${donor.pointer}.` }
    sources.set(pointer, { layout, entry })
  }
  return { sources, fault: null }
}

/** Tells for each item of the value after from where its text comes, and whose place it takes. */
function finders(
  home: Layout,
  pairs: ReadonlyMap<string, string>,
  donors: ReadonlyMap<string, Source>,
): Pick<Editing, 'sourceOf' | 'placeOf'> {
  const placeOf: Editing['placeOf'] = ({ role, at }) =>
    role === 'item' ? (home.items.get(pairs.get(at) ?? '') ?? null) : null
  return {
    placeOf,
    sourceOf(site) {
      const donor = site.role === 'item' ? donors.get(site.at) : undefined
      const entry = donor === undefined ? placeOf(site) : null
      return donor ?? (entry === null ? null : { layout: home, entry })
    },
  }
}

function write(
  home: Layout,
  after: JsonMap,
  how: Pick<Editing, 'isTight' | 'isCoarse' | 'sourceOf' | 'placeOf' | 'isStill'>,
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
