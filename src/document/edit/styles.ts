import type { BlockPart, Entry, Layout, Part } from './layout.js'
import { slice } from './layout.js'
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
  /** The first value that is written under a key. */
  readonly byKey: ReadonlyMap<string, Like>
}

/** A value that is the model for another. */
export interface Like {
  readonly layout: Layout
  readonly part: Part
  /** The entry of the value. */
  readonly entry: Entry | null
}

/** Detects how a file is written. */
export function readStyles(layout: Layout): Styles {
  const byKey = new Map<string, Like>()
  const count = { single: 0, double: 0 }
  const seen: { dash?: number; dashGap?: string; step?: number; padding?: string; listPadding?: string } = {}
  const walk = (part: Part): void => {
    if (part.kind === 'scalar') {
      if (part.style === 'single' || part.style === 'double') count[part.style]++
      return
    }
    if (part.kind === 'flow' && part.entries.length > 0) {
      const inside = slice(layout, part.start + 1, part.end - 1)
      if (!inside.includes('\n')) {
        const padding = inside.startsWith(' ') && inside.endsWith(' ') ? ' ' : ''
        if (part.isList) seen.listPadding ??= padding
        else seen.padding ??= padding
      }
    }
    for (const entry of part.entries) {
      const { key, value } = entry
      if (key !== null && value.kind !== 'scalar' && value.entries.length > 0) {
        if (!byKey.has(key)) byKey.set(key, { layout, part: value, entry })
      }
      if (entry.form === 'block' && value.kind === 'block') measure(part as BlockPart, value, seen)
      walk(value)
    }
  }
  walk(layout.root)
  return {
    dash: seen.dash ?? 2,
    dashGap: seen.dashGap ?? ' ',
    step: seen.step ?? 2,
    quote: count.single > count.double ? 'single' : 'double',
    padding: seen.padding ?? ' ',
    listPadding: seen.listPadding ?? '',
    byKey,
  }
}

function measure(
  part: BlockPart,
  value: BlockPart,
  seen: { dash?: number; dashGap?: string; step?: number },
): void {
  if (part.isList) {
    if (value.isInline) seen.dashGap ??= ' '.repeat(Math.max(1, value.column - part.column - 1))
  } else if (!value.isInline) {
    const deeper = value.column - part.column
    if (value.isList) seen.dash ??= deeper
    else seen.step ??= deeper
  }
}
