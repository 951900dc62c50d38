import { Lexer } from 'yaml'
import { isEqual } from '../../change/json.js'
import type { Merged } from '../../change/merge/merge.js'
import { commentsOf } from '../edit/comments.js'
import { itemSpans } from '../edit/item-spans.js'
import { readLayout } from '../edit/read-layout.js'
import { lineEndOf, lineStartOf } from '../edit/trivia.js'
import type { ThreeOf } from './arrange.js'

/**
 * Gives each item the comments that it has to have. Where both sides changed the same lines, lines of one side are taken,
 * and a comment that the other moved among them can get lost or be there twice: what is lost comes back above its item
 * (that of the menu itself above everything), and what is doubled goes. The text is given back as it is where it has all.
 */
export function keepComments(text: string, { origins }: Merged, texts: ThreeOf<string>): string {
  const wanted = wantedComments(origins, texts)
  return withoutDoubled(withLost(text, wanted), wanted)
}

/** How often an item has a comment, by both. */
type Counts = ReadonlyMap<string, Counted>

interface Counted {
  readonly comment: string
  /** The pointer of the item in the merged value; `''` is the menu. */
  readonly owner: string
  readonly times: number
}

function withLost(text: string, wanted: Counts): string {
  const found = countOwned(readComments(text))
  const spans = itemSpans(text)
  const places: { readonly at: number; readonly comment: string }[] = []
  for (const [comment, surplus] of surplusOf(found, wanted)) {
    let lost = -surplus
    for (const [key, { owner, times, comment: each }] of wanted) {
      if (each !== comment) continue
      let pointer = owner
      while (pointer !== '' && spans.get(pointer) == null) pointer = toAbove(pointer)
      const at = spans.get(pointer)?.start ?? (text.startsWith('\ufeff') ? 1 : 0)
      for (let count = found.get(key)?.times ?? 0; count < times && lost > 0; count++, lost--) {
        places.push({ at, comment })
      }
    }
  }
  const eol = /\r\n/.test(text) ? '\r\n' : '\n'
  let kept = text
  for (const { at, comment } of places.reverse().sort((a, b) => b.at - a.at)) {
    const indent = /^ */.exec(text.slice(at))?.[0] ?? ''
    kept = kept.slice(0, at) + indent + comment + eol + kept.slice(at)
  }
  return saysTheSame(kept, text) ? kept : text
}

function withoutDoubled(text: string, wanted: Counts): string {
  let kept = text
  for (const [comment, surplus] of surplusOf(countOwned(readComments(text)), wanted)) {
    for (let doubled = surplus; doubled > 0; doubled--) kept = withoutOne(kept, comment, wanted) ?? kept
  }
  return kept
}

/** A text without one comment of an item that has too many of the kind; null where none can be taken out. */
function withoutOne(text: string, comment: string, wanted: Counts): string | null {
  const timesIn = (some: string): ReadonlyMap<string, number> =>
    new Map([...countOwned(readComments(some))].map(([key, { times }]) => [key, times]))
  const before = timesIn(text)
  const isOver = ([key, times]: readonly [string, number]): boolean => times > (wanted.get(key)?.times ?? 0)
  for (
    let at = text.lastIndexOf(comment);
    at !== -1;
    at = at === 0 ? -1 : text.lastIndexOf(comment, at - 1)
  ) {
    const [lineStart, lineEnd] = [lineStartOf(text, at), lineEndOf(text, at)]
    if (text.slice(at, lineEnd).trimEnd() !== comment) continue
    const head = text.slice(lineStart, at)
    const isWhole = head.trim() === ''
    // Of the blank lines around it one is enough.
    const blank = /(?:^|\n)\r?\n$/.test(text.slice(0, lineStart))
      ? (/^\r?\n/.exec(text.slice(lineEnd))?.[0] ?? '')
      : ''
    const less = isWhole
      ? text.slice(0, lineStart) + text.slice(lineEnd + blank.length)
      : text.slice(0, lineStart) + head.trimEnd() + text.slice(at + comment.length)
    if (!saysTheSame(less, text)) continue
    const after = timesIn(less)
    if ([...before].some((each) => isOver(each) && (after.get(each[0]) ?? 0) < each[1])) return less
  }
  return null
}

/** The comments of which a text has more or fewer than wanted, and by how many; one that nobody wants may be there once. */
function surplusOf(found: Counts, wanted: Counts): ReadonlyMap<string, number> {
  const sums = new Map<string, readonly [found: number, wanted: number]>()
  for (const { comment, times } of found.values()) {
    const [all, want] = sums.get(comment) ?? [0, 0]
    sums.set(comment, [all + times, want])
  }
  for (const { comment, times } of wanted.values()) {
    const [all, want] = sums.get(comment) ?? [0, 0]
    sums.set(comment, [all, want + times])
  }
  const surplus = [...sums].map(
    ([comment, [all, want]]) => [comment, all - (all > want ? Math.max(1, want) : want)] as const,
  )
  return new Map(surplus.filter(([, count]) => count !== 0))
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

/** What each item has to have: comments that one side alone added or took away count, and of two numbers the larger. */
function wantedComments(origins: Merged['origins'], texts: ThreeOf<string>): Counts {
  const countIn = (side: keyof ThreeOf<string>): Counts => {
    const now = new Map([['', '']])
    for (const [pointer, origin] of origins) if (origin[side] !== null) now.set(origin[side], pointer)
    const owned = readComments(texts[side]).flatMap(({ comment, owner }) => {
      const pointer = now.get(owner)
      // The item went, and its comments with it.
      return pointer === undefined ? [] : [{ comment, owner: pointer }]
    })
    return countOwned(owned)
  }
  const [base, mine, theirs] = [countIn('base'), countIn('mine'), countIn('theirs')]
  const wanted = new Map<string, Counted>()
  for (const [key, counted] of [...mine, ...theirs]) {
    const [old, here, there] = [base, mine, theirs].map((each) => each.get(key)?.times ?? 0)
    const times = here === old ? there : there === old ? here : Math.max(here ?? 0, there ?? 0)
    wanted.set(key, { ...counted, times: times ?? 0 })
  }
  return wanted
}

function countOwned(owned: readonly Owned[]): Counts {
  const counts = new Map<string, Counted>()
  for (const { comment, owner } of owned) {
    const key = `${owner} ${comment}`
    counts.set(key, { comment, owner, times: (counts.get(key)?.times ?? 0) + 1 })
  }
  return counts
}

function layoutOf(text: string): ReturnType<typeof readLayout>['layout'] {
  const bare = text.replace(/^\ufeff/, '')
  return readLayout(bare.endsWith('\n') ? bare : `${bare}\n`).layout
}

function saysTheSame(text: string, other: string): boolean {
  return text === other || isEqual(layoutOf(text)?.value, layoutOf(other)?.value)
}

function readComments(text: string): readonly Owned[] {
  const layout = layoutOf(text)
  if (layout === null) return []
  const owned = [...layout.items].flatMap(([owner, entry]) =>
    commentsOf(layout, entry).map((comment) => ({ comment, owner })),
  )
  const counts = new Map<string, number>()
  for (const { comment } of owned) counts.set(comment, (counts.get(comment) ?? 0) + 1)
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
