import type { PlacedItem } from '../items.js'

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
  const found = new Map<string, Group>()
  const enter = (side: 'olds' | 'news', items: readonly PlacedItem[], keysOf: KeysOf): void => {
    for (const each of items) {
      for (const key of keysOf(each)) {
        if (key === undefined) continue
        const group = found.get(key) ?? { key, olds: [], news: [] }
        group[side].push(each)
        found.set(key, group)
      }
    }
  }
  enter('olds', olds, keysOfOld)
  enter('news', news, keysOfNew)
  const order = ({ olds, news }: Group): number => (olds[0]?.order ?? 0) + (news[0]?.order ?? 0)
  return [...found.values()]
    .filter(({ olds, news }) => olds.length > 0 && news.length > 0)
    .sort((a, b) => order(a) - order(b) || (a.key < b.key ? -1 : 1))
}
