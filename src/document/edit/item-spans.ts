import { readLayout } from './read-layout.js'
import { lineStartOf } from './trivia.js'

/** Offsets of a text, from the begin of an item's first line to behind its last. */
export interface ItemSpan {
  readonly start: number
  readonly end: number
}

/**
 * The lines of each item by its JSON Pointer, the comments that belong to it and the items below it included; null for
 * one in brackets, or behind something else in its line. Empty when the text cannot be read.
 */
export function itemSpans(text: string): ReadonlyMap<string, ItemSpan | null> {
  const bom = text.startsWith('\ufeff') ? 1 : 0
  const { layout } = readLayout(text.slice(bom))
  const spans = new Map<string, ItemSpan | null>()
  for (const [pointer, entry] of layout?.items ?? []) {
    const lineStart = layout === null ? 0 : lineStartOf(layout.text, entry.start)
    const isWhole = layout !== null && layout.text.slice(lineStart, entry.start).trim() === ''
    const span = { start: Math.min(entry.lead, lineStart) + bom, end: entry.end + bom }
    spans.set(pointer, entry.form === 'block' && isWhole ? span : null)
  }
  return spans
}
