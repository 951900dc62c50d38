import { differences } from './differences.js'
import type { Json } from './json.js'
import { matchItems } from './match.js'

/** What a change did to an item that is there after it. What is below an item does not change it. */
export interface ItemFate {
  /** Where the item was; null for one that was added. */
  readonly before: string | null
  /** The keys of its own that differ, such as `url`, of maps by their members: `label.es`. */
  readonly edited: readonly string[]
  /** Whether it stands in another list, or at another place among those that stayed. */
  readonly isMoved: boolean
}

/** Tells what became of each item of the later of two values of a menu, by its pointer, those that stayed as they were included. */
export function toFates(before: Json, after: Json): ReadonlyMap<string, ItemFate> {
  const { toBefore } = matchItems(before, after)
  const fates = new Map<string, ItemFate>()
  for (const [now, old] of toBefore) fates.set(now, { before: old, edited: [], isMoved: false })
  for (const { kind, after: now, before: old, fields, moved } of differences(before, after).items) {
    if (now === null || kind === 'removed') continue
    const edited = fields.map(({ key, part }) => (part === null ? key : `${key}.${part}`))
    fates.set(now.pointer, { before: old?.pointer ?? null, edited, isMoved: moved })
  }
  return fates
}
