import type { Side, ThreeOf } from '../../change/change.js'
import { toAbove } from '../../change/items.js'
import type { Merged } from '../../change/merge/merge.js'
import { isEqual } from '../../model/json.js'
import { commentOwners } from '../edit/comments.js'
import type { Layout } from '../edit/layout.js'
import { commentAt, lineEndOf, lineStartOf } from '../edit/trivia.js'
import type { MenuDocument } from '../menu-document.js'

/**
 * Gives each item the comments that it must have. Where both sides changed the same lines, lines of one side are taken, and
 * a comment that the other moved among them can get lost or duplicated: a lost one returns above its item (that of the menu
 * itself above everything), and a duplicate goes. Returns the same document if nothing is wrong.
 */
export function keepComments(
  document: MenuDocument,
  { origins }: Merged,
  documents: ThreeOf<MenuDocument>,
): MenuDocument {
  const layout = document.layout()
  if (typeof layout === 'string') return document
  const wanted = wantedComments(origins, documents)
  const found = byComment(readComments(document))
  const splices = [...new Set([...found.keys(), ...wanted.keys()])].flatMap((comment) => {
    const [own, want] = [found.get(comment) ?? [], wanted.get(comment) ?? NONE]
    const sum = [...want.values()].reduce((all, each) => all + each, 0)
    // A comment that neither side keeps may appear once.
    const surplus = own.length - (own.length > sum ? Math.max(1, sum) : sum)
    if (surplus === 0) return []
    return surplus < 0
      ? restored(layout, comment, -surplus, own, want)
      : withoutDoubled(layout.text, surplus, own, want)
  })
  if (splices.length === 0) return document
  const kept = document.with(document.mark + spliced(document.text, splices))
  return isEqual(kept.value ?? undefined, document.value ?? undefined) ? kept : document
}

/** A comment and its item, `''` for the menu; `at` is the offset of its `#`. */
interface Owned {
  readonly comment: string
  readonly owner: string
  readonly at: number
}

/** How many times each item has a comment. */
type Counts = ReadonlyMap<string, number>

const NONE: Counts = new Map()

interface Splice {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** Puts a comment above the items that lack it, at most this many. */
function restored(
  layout: Layout,
  comment: string,
  lost: number,
  found: readonly Owned[],
  wanted: Counts,
): readonly Splice[] {
  const has = countOwners(found)
  const owners = [...wanted].flatMap(([owner, times]) =>
    Array<string>(Math.max(0, times - (has.get(owner) ?? 0))).fill(owner),
  )
  return owners.slice(0, lost).map((owner) => {
    const at = lineOfItem(layout, owner)
    const indent = /^ */.exec(layout.text.slice(at, lineEndOf(layout.text, at)))?.[0] ?? ''
    return { from: at, to: at, text: indent + comment + layout.eol }
  })
}

/** Where the lines of an item begin, or of the nearest item around it that has its own lines. */
function lineOfItem(layout: Layout, pointer: string): number {
  const entry = layout.items.get(pointer)
  if (entry === undefined) return pointer === '' ? 0 : lineOfItem(layout, toAbove(pointer))
  const start = lineStartOf(layout.text, entry.start)
  const isWhole = entry.form === 'block' && layout.text.slice(start, entry.start).trim() === ''
  return isWhole ? Math.min(entry.lead, start) : lineOfItem(layout, toAbove(pointer))
}

/** Removes surplus copies of a comment from items, the last ones first. */
function withoutDoubled(
  text: string,
  surplus: number,
  found: readonly Owned[],
  wanted: Counts,
): readonly Splice[] {
  const left = new Map(countOwners(found))
  const doubled = found.toReversed().filter(({ owner }) => {
    const times = left.get(owner) ?? 0
    left.set(owner, times - 1)
    return times > (wanted.get(owner) ?? 0)
  })
  return doubled.slice(0, surplus).map(({ at, comment }) => {
    const [lineStart, lineEnd] = [lineStartOf(text, at), lineEndOf(text, at)]
    const head = text.slice(lineStart, at).trimEnd()
    if (head !== '') return { from: lineStart + head.length, to: at + comment.length, text: '' }
    // One of the blank lines around it is enough.
    const isBelowBlank = /(?:^|\n)\r?\n$/.test(text.slice(Math.max(0, lineStart - 4), lineStart))
    const blank = isBelowBlank ? (/^\r?\n/.exec(text.slice(lineEnd, lineEnd + 2))?.[0] ?? '') : ''
    return { from: lineStart, to: lineEnd + blank.length, text: '' }
  })
}

function spliced(text: string, splices: readonly Splice[]): string {
  let [result, at] = ['', 0]
  for (const { from, to, text: added } of [...splices].sort((a, b) => a.from - b.from)) {
    result += text.slice(at, from) + added
    at = Math.max(at, to)
  }
  return result + text.slice(at)
}

/** How many of each comment each item must have: one side's additions and removals count; of two numbers, the larger. */
function wantedComments(
  origins: Merged['origins'],
  documents: ThreeOf<MenuDocument>,
): ReadonlyMap<string, Counts> {
  const ownedIn = (side: Side): ReadonlyMap<string, readonly Owned[]> => {
    const now = new Map([['', '']])
    for (const [pointer, origin] of origins) if (origin[side] !== null) now.set(origin[side], pointer)
    const owned = readComments(documents[side]).flatMap((each) => {
      const owner = now.get(each.owner)
      // The comments of an item go where the item went.
      return owner === undefined ? [] : [{ ...each, owner }]
    })
    return byComment(owned)
  }
  const [base, mine, theirs] = [ownedIn('base'), ownedIn('mine'), ownedIn('theirs')]
  const wantedOf = (comment: string): Counts => {
    const count = (owned: ReadonlyMap<string, readonly Owned[]>): Counts =>
      countOwners(owned.get(comment) ?? [])
    const [old, here, there] = [count(base), count(mine), count(theirs)]
    const owners = new Set([...here.keys(), ...there.keys()])
    return new Map(
      [...owners].map((owner) => {
        const [was, own, other] = [old.get(owner) ?? 0, here.get(owner) ?? 0, there.get(owner) ?? 0]
        return [owner, own === was ? other : other === was ? own : Math.max(own, other)]
      }),
    )
  }
  return new Map([...mine.keys(), ...theirs.keys()].map((comment) => [comment, wantedOf(comment)]))
}

function byComment(owned: readonly Owned[]): ReadonlyMap<string, readonly Owned[]> {
  const found = new Map<string, Owned[]>()
  for (const each of owned) {
    const own = found.get(each.comment)
    if (own === undefined) found.set(each.comment, [each])
    else own.push(each)
  }
  return found
}

function countOwners(owned: readonly Owned[]): Counts {
  const counts = new Map<string, number>()
  for (const { owner } of owned) counts.set(owner, (counts.get(owner) ?? 0) + 1)
  return counts
}

/** The comments of a text in their order. */
function readComments(document: MenuDocument): readonly Owned[] {
  const layout = document.layout()
  if (typeof layout === 'string') return []
  const owners = commentOwners(layout)
  return (document.yaml?.comments ?? []).map((at) => ({
    comment: commentAt(layout.text, at),
    owner: owners.get(at) ?? '',
    at,
  }))
}
