import { isMap, type JsonMap } from '../../model/json.js'
import type { PlacedItem } from '../items.js'

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
  toAfter: ReadonlyMap<PlacedItem | null, PlacedItem>,
  isAlike: (old: PlacedItem, now: PlacedItem) => boolean,
): Pairs {
  const open = new Set<PlacedItem | null | undefined>(news)
  const votes = olds.flatMap((old) =>
    old.below.flatMap((child): Pairs => {
      const now = toAfter.get(child)?.parent
      return now != null && open.has(now) && isAlike(old, now) ? [[old, now]] : []
    }),
  )
  return elect(votes, ({ old, now, votes }) => votes * 2 >= Math.max(old.below.length, now.below.length))
}

/** Which items share a text of their labels, in any locale. Skips texts that more than `most` pairs of items share. */
export function pairsByText(
  olds: readonly PlacedItem[],
  news: readonly PlacedItem[],
  most: number = MANY,
): Pairs {
  const groups = groupItems(olds, news, ({ item }) => textsOf(item))
  const votes = groups
    .filter((group) => group.olds.length * group.news.length <= most)
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
  const candidates = new Map<string, Candidate>()
  for (const [old, now] of votes) {
    const key = `${old.order} ${now.order}`
    const candidate = candidates.get(key) ?? { old, now, votes: 0 }
    candidates.set(key, candidate)
    candidate.votes++
  }
  const distance = ({ old, now }: Candidate): number => Math.abs(old.order - now.order)
  const place = ({ old, now }: Candidate): number => old.order + now.order
  const sorted = [...candidates.values()]
    .filter(isEnough)
    .sort((a, b) => b.votes - a.votes || distance(a) - distance(b) || place(a) - place(b))
  const taken = new Set<PlacedItem>()
  return sorted.flatMap(({ old, now }): Pairs => {
    if (taken.has(old) || taken.has(now)) return []
    taken.add(old).add(now)
    return [[old, now]]
  })
}

/** The texts of a label, each with the type of its item. */
function textsOf({ type = 'link', label }: JsonMap): readonly string[] {
  const texts = isMap(label) ? Object.values(label) : [label]
  const found = texts.filter((text) => typeof text === 'string' && text.trim() !== '')
  return [...new Set(found.map((text) => JSON.stringify([type, text])))]
}

/** Items of two values with one key: any in one value could be any in the other. */
export interface Group {
  readonly key: string
  readonly olds: PlacedItem[]
  readonly news: PlacedItem[]
}

type KeysOf = (placed: PlacedItem) => readonly (string | undefined)[]

/** The groups with items of both values, in reading order, the same in both directions; items without a key are in none. */
export function groupItems(
  olds: readonly PlacedItem[],
  news: readonly PlacedItem[],
  keysOfOld: KeysOf,
  keysOfNew: KeysOf = keysOfOld,
): readonly Group[] {
  const found = new Map<string | undefined, Group>()
  for (const old of olds) {
    for (const key of keysOfOld(old)) {
      if (key === undefined) continue
      const group = found.get(key)
      if (group === undefined) found.set(key, { key, olds: [old], news: [] })
      else group.olds.push(old)
    }
  }
  for (const now of news) for (const key of keysOfNew(now)) found.get(key)?.news.push(now)
  const order = ({ olds, news }: Group): number => (olds[0]?.order ?? 0) + (news[0]?.order ?? 0)
  return [...found.values()]
    .filter(({ news }) => news.length > 0)
    .sort((a, b) => order(a) - order(b) || (a.key < b.key ? -1 : 1))
}
