import type { Side, ThreeOf } from '../../change/change.js'
import { toAbove } from '../../change/items.js'
import type { Merged } from '../../change/merge/merge.js'
import { groupBy } from '../../model/group-by.js'
import { isEqual } from '../../model/json.js'
import { itemsOfComments } from '../edit/comments.js'
import type { Layout } from '../edit/layout.js'
import { commentAt, lineEndOf, lineStartOf } from '../edit/trivia.js'
import type { MenuDocument } from '../menu-document.js'
import { type Range, spliced } from '../source.js'

/** The offsets of the `#` of each comment, by the item that it is of, `''` for the menu, and its text, in lines. */
type Tally = ReadonlyMap<string, readonly number[]>

type Splice = readonly [range: Range, by: string]

/**
 * Gives each item the comments that it must have: one side's additions and removals count; of two numbers, the larger. Where
 * both sides changed the same lines, lines of one side are taken, and a comment that the other moved among them can get lost
 * or duplicated: a lost one returns above its item (that of the menu itself above everything), and a duplicate goes. Returns
 * the same document if nothing is wrong.
 */
export function keepComments(
  document: MenuDocument,
  { origins }: Merged,
  documents: ThreeOf<MenuDocument>,
): MenuDocument {
  const layout = document.layout()
  if (typeof layout === 'string') return document
  // The comments of an item go where the item went.
  const tallyOf = (side: Side): Tally => {
    const now = new Map([['', '']])
    for (const [pointer, origin] of origins) if (origin[side] !== null) now.set(origin[side], pointer)
    return tallyComments(documents[side], (item) => now.get(item))
  }
  const [base, mine, theirs] = [tallyOf('base'), tallyOf('mine'), tallyOf('theirs')]
  const found = tallyComments(document, (item) => item)
  const splices: Splice[] = []
  const keys = new Set([mine, theirs, found].flatMap((tally) => [...tally.keys()]))
  for (const [comment, ofItems] of groupBy(keys, (key) => key.split('\n')[1] ?? '')) {
    const lacking: string[] = []
    const doubled: number[] = []
    let [sum, wanted] = [0, 0]
    for (const key of ofItems) {
      const [item = ''] = key.split('\n')
      const countIn = (tally: Tally): number => tally.get(key)?.length ?? 0
      const [was, own, other] = [countIn(base), countIn(mine), countIn(theirs)]
      const want = own === was ? other : other === was ? own : Math.max(own, other)
      const places = found.get(key) ?? []
      lacking.push(...Array<string>(Math.max(0, want - places.length)).fill(item))
      doubled.push(...places.slice(want))
      sum += places.length
      wanted += want
    }
    // A comment that neither side keeps may appear once.
    const surplus = sum - (sum > wanted ? Math.max(1, wanted) : wanted)
    const lost = lacking.slice(0, Math.max(0, -surplus))
    const last = doubled.sort((a, b) => b - a).slice(0, Math.max(0, surplus))
    splices.push(...lost.map((item) => restored(layout, comment, item)))
    splices.push(...last.map((at) => removed(layout.text, comment, at)))
  }
  if (splices.length === 0) return document
  const kept = document.with(document.mark + spliced(document.text, splices))
  return isEqual(kept.value ?? undefined, document.value ?? undefined) ? kept : document
}

/** The comments of a text; those of items without an item are left out. */
function tallyComments(document: MenuDocument, toItem: (pointer: string) => string | undefined): Tally {
  const layout = document.layout()
  if (typeof layout === 'string') return new Map()
  const items = itemsOfComments(layout)
  const itemOf = (at: number): string | undefined => toItem(items.get(at) ?? '')
  const known = (document.yaml?.comments ?? []).filter((at) => itemOf(at) !== undefined)
  return groupBy(known, (at) => `${itemOf(at)}\n${commentAt(layout.text, at)}`)
}

/** Puts a comment above an item. */
function restored(layout: Layout, comment: string, item: string): Splice {
  const at = lineOfItem(layout, item)
  const indent = /^ */.exec(layout.text.slice(at, lineEndOf(layout.text, at)))?.[0] ?? ''
  return [[at, at], indent + comment + layout.eol]
}

/** Where the lines of an item begin, or of the nearest item around it that has its own lines. */
function lineOfItem(layout: Layout, pointer: string): number {
  const entry = layout.items.get(pointer)
  const start = lineStartOf(layout.text, entry?.start ?? 0)
  const isWhole = entry?.form === 'block' && layout.text.slice(start, entry.start).trim() === ''
  if (isWhole) return Math.min(entry.lead, start)
  return pointer === '' ? 0 : lineOfItem(layout, toAbove(pointer))
}

function removed(text: string, comment: string, at: number): Splice {
  const [lineStart, lineEnd] = [lineStartOf(text, at), lineEndOf(text, at)]
  const head = text.slice(lineStart, at).trimEnd()
  if (head !== '') return [[lineStart + head.length, at + comment.length], '']
  // One of the blank lines around it is enough.
  const isBelowBlank = /(?:^|\n)\r?\n$/.test(text.slice(Math.max(0, lineStart - 4), lineStart))
  const blank = isBelowBlank ? (/^\r?\n/.exec(text.slice(lineEnd, lineEnd + 2))?.[0] ?? '') : ''
  return [[lineStart, lineEnd + blank.length], '']
}
