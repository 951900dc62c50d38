import { type Entry, type Layout, type Part, slice } from './layout.js'
import { commentsIn } from './trivia.js'

/** The comments that go with an entry, those of items below it aside, each from its `#` to the end of its line. */
export function commentsOf(layout: Layout, entry: Entry): readonly string[] {
  return [...commentsIn(layout.text, entry.lead, entry.start), ...commentsBehind(layout, entry)]
}

/** The same without those above the entry. */
export function commentsBehind(layout: Layout, entry: Entry): readonly string[] {
  const { text } = layout
  const { start, keyStart, keyEnd, value } = entry
  const last = entry.form === 'block' ? entry.end : entry.after
  const explicit = keyStart > start + 1 ? commentsIn(text, start + 1, keyStart) : []
  return [
    ...explicit,
    ...commentsIn(text, keyEnd, Math.max(keyEnd, value.start)),
    ...commentsInside(layout, value),
    ...commentsIn(text, Math.max(keyEnd, value.end), last),
  ]
}

/** The comments inside of a value, those of items below it aside. */
export function commentsInside(layout: Layout, part: Part): readonly string[] {
  const { text } = layout
  if (part.kind === 'scalar') {
    if (part.style !== 'literal' && part.style !== 'folded') return []
    const header = slice(layout, part.start, part.end).split(/\r?\n/)[0] ?? ''
    return commentsIn(header, 1, header.length)
  }
  const found: string[] = []
  if (part.kind === 'flow') found.push(...commentsIn(text, part.start + 1, part.open))
  for (const entry of part.entries) {
    found.push(...commentsIn(text, entry.loose, entry.form === 'block' ? entry.gap : entry.lead))
    if (!layout.itemEntries.has(entry)) found.push(...commentsOf(layout, entry))
  }
  const [from, to] = part.kind === 'flow' ? [part.close, part.end - 1] : [part.foot, part.end]
  return [...found, ...commentsIn(text, from, to)]
}
