import { type Entry, entriesOf, type GroupPart, groupOf } from './layout.js'
import type { Quote } from './scalar-text.js'

/** How a file is written where there is no neighbour to follow. */
export interface Styles {
  /** How much deeper than its key a list is. */
  readonly dash: number
  /** The text between a `-` and a map. */
  readonly dashGap: string
  /** How much deeper than its key a map is. */
  readonly step: number
  /** The quotes of texts that need some. */
  readonly quote: Quote
  /** The text between a brace and its content. */
  readonly padding: string
  /** The text between a bracket and its content. */
  readonly listPadding: string
  /** The first entry with a filled list or map under a key. */
  readonly byKey: ReadonlyMap<string, Entry>
}

type Seen = Partial<Omit<{ -readonly [K in keyof Styles]: Styles[K] }, 'quote' | 'byKey'>>

/** Detects how a file is written. */
export function readStyles(menu: Entry): Styles {
  const byKey = new Map<string, Entry>()
  const count = { single: 0, double: 0 }
  const seen: Seen = {}
  const walk = (around: Entry): void => {
    const { value: part } = around
    if (part.kind === 'scalar') {
      if (part.style === 'single' || part.style === 'double') count[part.style]++
      return
    }
    const padding = paddingOf(around)
    if (padding !== null) seen[part.isList ? 'listPadding' : 'padding'] ??= padding
    for (const entry of part.entries) {
      const { key, value } = entry
      if (key !== null && entriesOf(entry).length > 0 && !byKey.has(key)) byKey.set(key, entry)
      if (value.kind === 'block') measure(part, value, seen)
      walk(entry)
    }
  }
  walk(menu)
  const quote = count.single > count.double ? 'single' : 'double'
  return { dash: 2, dashGap: ' ', step: 2, padding: ' ', listPadding: '', ...seen, quote, byKey }
}

function measure(part: GroupPart, value: GroupPart, seen: Seen): void {
  const deeper = value.column - part.column
  if (part.isList) {
    if (value.isInline) seen.dashGap ??= ' '.repeat(Math.max(1, deeper - 1))
  } else if (!value.isInline) seen[value.isList ? 'dash' : 'step'] ??= deeper
}

/** What is between the brackets of an entry's value in one line and their content; null for anything else. */
export function paddingOf(entry: Entry | null): string | null {
  const part = groupOf(entry)
  if (entry === null || part?.kind !== 'flow' || part.entries.length === 0) return null
  const inside = entry.text.slice(part.start + 1, part.end - 1)
  return inside.includes('\n') ? null : inside.startsWith(' ') && inside.endsWith(' ') ? ' ' : ''
}
