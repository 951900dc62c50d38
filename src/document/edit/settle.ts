import type { BlockEntry, BlockPart } from './layout.js'
import { lineEndOf, lineStartOf, linesIn, partAbove } from './trivia.js'

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/**
 * Shares out the lines between the entries of a block, from where its lines begin to where they end: comments that
 * stand deeper than the entry below them belong to what is above them, those directly above an entry to it, and the
 * rest stays where it is.
 */
export function settleBlock(text: string, part: BlockPart, from: number, to: number): void {
  const block: Writable<BlockPart> = part
  if (!block.isInline) block.start = from
  let at = block.start
  for (const [place, each] of block.entries.entries()) {
    const entry: Writable<BlockEntry> = each
    const isBehind = block.isInline && place === 0
    const top = isBehind ? entry.start : lineStartOf(text, entry.start)
    Object.assign(entry, { loose: at, ...partAbove(text, at, top) })
    const next = block.entries[place + 1]
    const below = next === undefined ? to : lineStartOf(text, next.start)
    entry.end = deeperEnd(text, lastLineEnd(text, entry), below, entry.column)
    if (entry.value.kind === 'block')
      settleBlock(text, entry.value, lineEndOf(text, entry.colonEnd), entry.end)
    at = entry.end
  }
  block.foot = at
  block.end = to
}

/** The end of the line in which an entry's value ends; a text over lines of its own ends with them. */
function lastLineEnd(text: string, { end }: BlockEntry): number {
  return text.charAt(end - 1) === '\n' ? end : lineEndOf(text, end)
}

/** The end of the comments that stand deeper than a column, up to the first that does not. */
function deeperEnd(text: string, from: number, to: number, column: number): number {
  let end = from
  for (const line of linesIn(text, from, to)) {
    if (line.column === null) continue
    if (line.column <= column) break
    end = line.end
  }
  return end
}
