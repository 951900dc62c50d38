import { Lexer } from 'yaml'
import { isEqual } from '../../change/json.js'
import type { Merged } from '../../change/merge.js'
import { commentsOf } from '../edit/comments.js'
import { itemSpans } from '../edit/item-spans.js'
import { readLayout } from '../edit/read-layout.js'
import type { ThreeOf } from './arrange.js'

/**
 * Puts back the comments that neither side took away and that got lost where both changed the same lines: above the item
 * that they belong to, those of the menu itself above everything. The text is given back as it is where it keeps all.
 */
export function keepComments(text: string, { origins }: Merged, texts: ThreeOf<string>): string {
  const missing = missingIn(readComments(text), {
    base: readComments(texts.base),
    mine: readComments(texts.mine),
    theirs: readComments(texts.theirs),
  })
  if (missing.length === 0) return text
  const now = new Map<string, string>()
  for (const [pointer, { mine, theirs }] of origins) {
    now.set(`mine ${mine}`, pointer)
    now.set(`theirs ${theirs}`, pointer)
  }
  const spans = itemSpans(text)
  const places: { readonly at: number; readonly comment: string }[] = []
  for (const { comment, owner, side } of missing) {
    let pointer = owner === '' ? '' : now.get(`${side} ${owner}`)
    // The item went, and its comments with it.
    if (pointer === undefined) continue
    while (pointer !== '' && spans.get(pointer) == null) pointer = toAbove(pointer)
    places.push({ at: spans.get(pointer)?.start ?? (text.startsWith('\ufeff') ? 1 : 0), comment })
  }
  const eol = /\r\n/.test(text) ? '\r\n' : '\n'
  let kept = text
  for (const { at, comment } of places.reverse().sort((a, b) => b.at - a.at)) {
    const indent = /^ */.exec(text.slice(at))?.[0] ?? ''
    kept = kept.slice(0, at) + indent + comment + eol + kept.slice(at)
  }
  return isEqual(layoutOf(kept)?.value, layoutOf(text)?.value) ? kept : text
}

/** The pointer of the item above one; `''` for the menu. */
function toAbove(pointer: string): string {
  return pointer.replace(/\/[^/]*\/[^/]*$/, '')
}

/** A comment and the item that it belongs to, `''` for the menu. */
interface Owned {
  readonly comment: string
  readonly owner: string
}

type Sided = Owned & { readonly side: 'mine' | 'theirs' }

function layoutOf(text: string): ReturnType<typeof readLayout>['layout'] {
  const bare = text.replace(/^\ufeff/, '')
  return readLayout(bare.endsWith('\n') ? bare : `${bare}\n`).layout
}

function readComments(text: string): readonly Owned[] {
  const layout = layoutOf(text)
  if (layout === null) return []
  const owned = [...layout.items].flatMap(([owner, entry]) =>
    commentsOf(layout, entry).map((comment) => ({ comment, owner })),
  )
  const counts = countComments(owned)
  const rest: Owned[] = []
  for (const comment of commentsInText(layout.text)) {
    const count = counts.get(comment) ?? 0
    if (count === 0) rest.push({ comment, owner: '' })
    else counts.set(comment, count - 1)
  }
  return [...rest, ...owned]
}

function commentsInText(text: string): readonly string[] {
  const found: string[] = []
  for (const lexeme of new Lexer().lex(text)) if (lexeme.startsWith('#')) found.push(lexeme.trimEnd())
  return found
}

function countComments(owned: readonly Owned[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { comment } of owned) counts.set(comment, (counts.get(comment) ?? 0) + 1)
  return counts
}

/** Of each comment as many as three texts want, less those that there are: what one side added or took away counts. */
function missingIn(kept: readonly Owned[], owned: ThreeOf<readonly Owned[]>): readonly Sided[] {
  const counts = {
    base: countComments(owned.base),
    mine: countComments(owned.mine),
    theirs: countComments(owned.theirs),
  }
  const left = countComments(kept)
  const missing: Sided[] = []
  for (const comment of new Set([...counts.mine.keys(), ...counts.theirs.keys()])) {
    const [base, mine, theirs] = [counts.base, counts.mine, counts.theirs].map(
      (each) => each.get(comment) ?? 0,
    )
    const wanted = mine === base ? theirs : theirs === base ? mine : Math.max(mine ?? 0, theirs ?? 0)
    const side = wanted === theirs ? 'theirs' : 'mine'
    const lost = (wanted ?? 0) - (left.get(comment) ?? 0)
    const sources = owned[side].filter((each) => each.comment === comment)
    for (const source of sources.slice(0, Math.max(0, lost))) missing.push({ ...source, side })
  }
  return missing
}
