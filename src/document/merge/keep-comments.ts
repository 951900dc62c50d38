import type { ThreeOf } from '../../change/change.js'
import { isEqual } from '../../change/json.js'
import type { Merged } from '../../change/merge/merge.js'
import { commentOwners } from '../edit/comments.js'
import type { Layout } from '../edit/layout.js'
import { commentAt, lineEndOf, lineStartOf } from '../edit/trivia.js'
import type { MenuDocument } from '../menu-document.js'

/**
 * Gives each item the comments that it has to have. Where both sides changed the same lines, lines of one side are taken,
 * and a comment that the other moved among them can get lost or be there twice: what is lost comes back above its item
 * (that of the menu itself above everything), and what is doubled goes. Gives back the document itself where it has all.
 */
export function keepComments(
  document: MenuDocument,
  { origins }: Merged,
  documents: ThreeOf<MenuDocument>,
): MenuDocument {
  const layout = document.layout()
  if (typeof layout === 'string') return document
  const wanted = wantedComments(origins, documents)
  const found = readComments(document)
  const splices: Splice[] = []
  for (const [comment, surplus] of surplusOf(found, wanted)) {
    splices.push(
      ...(surplus < 0
        ? restored(layout, comment, -surplus, found, wanted)
        : withoutDoubled(layout.text, comment, surplus, found, wanted)),
    )
  }
  if (splices.length === 0) return document
  const kept = document.with(document.mark + spliced(document.text, splices))
  return isEqual(kept.value ?? undefined, document.value ?? undefined) ? kept : document
}

/** A comment and the item that it belongs to, `''` for the menu; `at` is the place of its `#`. */
interface Owned {
  readonly comment: string
  readonly owner: string
  readonly at: number
}

/** How often each item has each comment, by both. */
type Counts = Map<string, Map<string, number>>

interface Splice {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** The comment above the items that lack it; of those, at most so many. */
function restored(
  layout: Layout,
  comment: string,
  lost: number,
  found: readonly Owned[],
  wanted: Counts,
): readonly Splice[] {
  const has = countOwned(found).get(comment)
  const owners = [...(wanted.get(comment) ?? [])].flatMap(([owner, times]) =>
    Array<string>(Math.max(0, times - (has?.get(owner) ?? 0))).fill(owner),
  )
  return owners.slice(0, lost).map((owner) => {
    const at = lineOfItem(layout, owner)
    const indent = /^ */.exec(layout.text.slice(at))?.[0] ?? ''
    return { from: at, to: at, text: indent + comment + layout.eol }
  })
}

/** Where the lines of an item begin, or of the nearest item around it that has lines of its own. */
function lineOfItem(layout: Layout, pointer: string): number {
  const entry = layout.items.get(pointer)
  if (entry === undefined) return pointer === '' ? 0 : lineOfItem(layout, toAbove(pointer))
  const start = lineStartOf(layout.text, entry.start)
  const isWhole = entry.form === 'block' && layout.text.slice(start, entry.start).trim() === ''
  return isWhole ? Math.min(entry.lead, start) : lineOfItem(layout, toAbove(pointer))
}

/** The pointer of the item above one; `''` for the menu. */
function toAbove(pointer: string): string {
  return pointer.replace(/\/[^/]*\/[^/]*$/, '')
}

/** Takes a comment away from items that have it too often, the last ones first. */
function withoutDoubled(
  text: string,
  comment: string,
  surplus: number,
  found: readonly Owned[],
  wanted: Counts,
): readonly Splice[] {
  const left = countOwned(found).get(comment) ?? new Map<string, number>()
  const doubled = found
    .filter((each) => each.comment === comment)
    .sort((a, b) => b.at - a.at)
    .filter(({ owner }) => {
      const times = left.get(owner) ?? 0
      left.set(owner, times - 1)
      return times > (wanted.get(comment)?.get(owner) ?? 0)
    })
  return doubled.slice(0, surplus).map(({ at }) => {
    const [lineStart, lineEnd] = [lineStartOf(text, at), lineEndOf(text, at)]
    const head = text.slice(lineStart, at).trimEnd()
    if (head !== '') return { from: lineStart + head.length, to: at + comment.length, text: '' }
    // Of the blank lines around it one is enough.
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

/** The comments of which there are more or fewer than wanted, and by how many; one that nobody wants may be there once. */
function surplusOf(found: readonly Owned[], wanted: Counts): readonly (readonly [string, number])[] {
  const has = countOwned(found)
  return [...new Set([...has.keys(), ...wanted.keys()])]
    .map((comment) => {
      const [all, want] = [sumOf(has.get(comment)), sumOf(wanted.get(comment))]
      return [comment, all - (all > want ? Math.max(1, want) : want)] as const
    })
    .filter(([, surplus]) => surplus !== 0)
}

function sumOf(counts: ReadonlyMap<string, number> | undefined): number {
  return [...(counts?.values() ?? [])].reduce((sum, each) => sum + each, 0)
}

/** What each item has to have: comments that one side alone added or took away count, and of two numbers the larger. */
function wantedComments(origins: Merged['origins'], documents: ThreeOf<MenuDocument>): Counts {
  const countIn = (side: keyof ThreeOf<string>): Counts => {
    const now = new Map([['', '']])
    for (const [pointer, origin] of origins) if (origin[side] !== null) now.set(origin[side], pointer)
    const owned = readComments(documents[side]).flatMap((each) => {
      const owner = now.get(each.owner)
      // Where the item went, its comments went with it.
      return owner === undefined ? [] : [{ ...each, owner }]
    })
    return countOwned(owned)
  }
  const [base, mine, theirs] = [countIn('base'), countIn('mine'), countIn('theirs')]
  const wanted: Counts = new Map()
  for (const [comment, owners] of [...mine, ...theirs]) {
    for (const owner of owners.keys()) {
      const [old, here, there] = [base, mine, theirs].map((each) => each.get(comment)?.get(owner) ?? 0) as [
        number,
        number,
        number,
      ]
      const times = here === old ? there : there === old ? here : Math.max(here, there)
      const counts = wanted.get(comment) ?? new Map<string, number>()
      wanted.set(comment, counts.set(owner, times))
    }
  }
  return wanted
}

function countOwned(owned: readonly Owned[]): Counts {
  const counts: Counts = new Map()
  for (const { comment, owner } of owned) {
    const own = counts.get(comment) ?? new Map<string, number>()
    counts.set(comment, own.set(owner, (own.get(owner) ?? 0) + 1))
  }
  return counts
}

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
