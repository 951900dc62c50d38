import { isMap, type Json, type JsonMap } from '../../model/json.js'
import type { Items, PlacedItem } from '../items.js'
import { groupItems } from './groups.js'

export type Pairs = readonly (readonly [old: PlacedItem, now: PlacedItem])[]

/** A text that more pairs than this share proves nothing. */
const MANY = 2_500

/**
 * Which of some items are the same by their content below: at least half of the items below either are the same. A branch
 * stays the same under another name.
 */
export function pairsByChildren(
  olds: readonly PlacedItem[],
  news: readonly PlacedItem[],
  before: Items,
  after: Items,
  toAfter: ReadonlyMap<string, string>,
): Pairs {
  const open = new Set(news)
  const votes = olds.flatMap((old) =>
    before.below(old.pointer).flatMap((child): Pairs => {
      const home = after.at(toAfter.get(child.pointer))?.parent
      const now = home === null ? undefined : after.at(home)
      return now !== undefined && open.has(now) ? [[old, now]] : []
    }),
  )
  const countBelow = ({ old, now }: Candidate): number =>
    Math.max(before.below(old.pointer).length, after.below(now.pointer).length)
  return elect(votes, (candidate) => candidate.votes * 2 >= countBelow(candidate))
}

/** Which of some items are the same by a text that their labels share, in any locale. */
export function pairsByText(olds: readonly PlacedItem[], news: readonly PlacedItem[]): Pairs {
  const groups = groupItems(olds, news, ({ item }) => textsOf(item))
  const votes = groups
    .filter((group) => group.olds.length * group.news.length <= MANY)
    .flatMap((group) => group.olds.flatMap((old) => group.news.map((now) => [old, now] as const)))
  return elect(votes, () => true)
}

interface Candidate {
  readonly old: PlacedItem
  readonly now: PlacedItem
  votes: number
}

/** The pairs with the most votes, then the nearest ones, each item once; the same in both directions. */
function elect(votes: Pairs, isEnough: (candidate: Candidate) => boolean): Pairs {
  const candidates = new Map<PlacedItem, Map<PlacedItem, Candidate>>()
  for (const [old, now] of votes) {
    const own = candidates.get(old) ?? new Map<PlacedItem, Candidate>()
    candidates.set(old, own)
    const candidate = own.get(now) ?? { old, now, votes: 0 }
    own.set(now, candidate)
    candidate.votes++
  }
  const distance = ({ old, now }: Candidate): number => Math.abs(old.order - now.order)
  const place = ({ old, now }: Candidate): number => old.order + now.order
  const sorted = [...candidates.values()]
    .flatMap((own) => [...own.values()].filter(isEnough))
    .sort((a, b) => b.votes - a.votes || distance(a) - distance(b) || place(a) - place(b))
  const [pairs, taken] = [new Map<PlacedItem, PlacedItem>(), new Set<PlacedItem>()]
  for (const { old, now } of sorted) {
    if (pairs.has(old) || taken.has(now)) continue
    pairs.set(old, now)
    taken.add(now)
  }
  return [...pairs]
}

/** The texts of a label, each with the type of its item. */
function textsOf(item: JsonMap): readonly string[] {
  const { type = 'link', label } = item
  const texts: readonly (Json | undefined)[] = isMap(label) ? Object.values(label) : [label]
  const found = texts.filter((text) => typeof text === 'string' && text.trim() !== '')
  return [...new Set(found.map((text) => JSON.stringify([type, text ?? null])))]
}
