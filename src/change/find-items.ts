import { isMap, own } from '../model/json.js'
import { targetOf } from '../model/label.js'
import type { Items, PlacedItem } from './items.js'

/** The items of a menu that a search finds, by their pointers. */
export interface FoundItems {
  readonly count: number
  /** What is shown: the items, what is below them, and what they are in. */
  readonly shown: ReadonlySet<string>
  /** What they are in. */
  readonly open: ReadonlySet<string>
}

/** How many words of a search count. */
const MOST_WORDS = 10

/** What people call the pages of routes, in all languages. */
export type PageNames = Readonly<Record<string, string>>

/**
 * Finds the items that have every word of a search in a label of any language, in their destination, or in the names of their
 * page; accents and case make no difference. Null where nothing is searched for.
 */
export function findItems({ all }: Items, search: string, pages: PageNames = {}): FoundItems | null {
  const words = fold(search).split(/\s+/).filter(Boolean).slice(0, MOST_WORDS)
  if (words.length === 0) return null
  const shown = new Set<string>()
  const open = new Set<string>()
  let count = 0
  const below = new Set<PlacedItem | null>()
  for (const each of all) {
    const text = fold(textOf(each, pages))
    const isHit = words.every((word) => text.includes(word))
    if (isHit) count++
    if (isHit || below.has(each.parent)) {
      below.add(each)
      shown.add(each.pointer)
    }
    for (let above = isHit ? each.parent : null; above?.parent; above = above.parent) {
      shown.add(above.pointer)
      open.add(above.pointer)
    }
  }
  return { count, shown, open }
}

function textOf({ item }: PlacedItem, pages: PageNames): string {
  const { label } = item
  const labels = isMap(label) ? Object.values(label).map(String).join('\n') : String(label ?? '')
  return [labels, targetOf(item), own(pages, String(item['routeName']))].join('\n')
}

function fold(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
