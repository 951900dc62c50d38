import { isList, isMap, type Json, type JsonMap } from '../json.js'

/** An item with where it stands. */
interface Kin {
  readonly item: JsonMap
  readonly pointer: string
  /** Its place in reading order. */
  readonly order: number
}

type Pairs<T> = readonly (readonly [T, T])[]

/** Of a text that more pairs than this share, nothing follows. */
const MANY = 2_500

/**
 * Which of the items that are still open are the same by what is below them: at least half of the items below either
 * are the same. A branch stays the same under another name. `toHome` tells below what a child stands now.
 */
export function pairsByChildren<T extends Kin>(
  olds: readonly T[],
  news: readonly T[],
  toHome: (pointer: string) => string | undefined,
): Pairs<T> {
  const byPointer = new Map(news.map((each) => [each.pointer, each]))
  const found: Vote<T>[] = []
  for (const old of olds) {
    const votes = new Map<string, number>()
    const children = childPointers(old)
    for (const child of children) {
      const home = toHome(child)
      if (home !== undefined) votes.set(home, (votes.get(home) ?? 0) + 1)
    }
    for (const [home, count] of votes) {
      const now = byPointer.get(home)
      if (now === undefined) continue
      if (count * 2 >= Math.max(children.length, childPointers(now).length)) found.push({ old, now, count })
    }
  }
  return elect(found)
}

/** Which of the items that are still open are the same by a text that their labels share, in whatever locale. */
export function pairsByText<T extends Kin>(olds: readonly T[], news: readonly T[]): Pairs<T> {
  const byText = new Map<string, { readonly olds: T[]; readonly news: T[] }>()
  const enter = (side: 'olds' | 'news', each: T): void => {
    for (const text of textsOf(each.item)) {
      const both = byText.get(text) ?? { olds: [], news: [] }
      both[side].push(each)
      byText.set(text, both)
    }
  }
  for (const each of olds) enter('olds', each)
  for (const each of news) enter('news', each)
  const votes = new Map<T, Map<T, number>>()
  for (const { olds, news } of byText.values()) {
    if (olds.length * news.length > MANY) continue
    for (const old of olds) {
      const own = votes.get(old) ?? new Map<T, number>()
      for (const now of news) own.set(now, (own.get(now) ?? 0) + 1)
      votes.set(old, own)
    }
  }
  return elect([...votes].flatMap(([old, own]) => [...own].map(([now, count]) => ({ old, now, count }))))
}

interface Vote<T> {
  readonly old: T
  readonly now: T
  readonly count: number
}

/** The pairs with the most votes, then the nearest ones, each item once; the same in both directions. */
function elect<T extends Kin>(votes: readonly Vote<T>[]): Pairs<T> {
  const distance = ({ old, now }: Vote<T>): number => Math.abs(old.order - now.order)
  const place = ({ old, now }: Vote<T>): number => old.order + now.order
  const sorted = [...votes].sort(
    (a, b) => b.count - a.count || distance(a) - distance(b) || place(a) - place(b),
  )
  const taken = { olds: new Set<T>(), news: new Set<T>() }
  return sorted.flatMap(({ old, now }) => {
    if (taken.olds.has(old) || taken.news.has(now)) return []
    taken.olds.add(old)
    taken.news.add(now)
    return [[old, now] as const]
  })
}

function childPointers({ item, pointer }: Kin): readonly string[] {
  const children = item['children']
  if (!isList(children)) return []
  return children.flatMap((child, place) => (isMap(child) ? [`${pointer}/children/${place}`] : []))
}

/** The texts of a label, each with the type of its item. */
function textsOf(item: JsonMap): readonly string[] {
  const { type = 'link', label } = item
  const texts: readonly (Json | undefined)[] = isMap(label) ? Object.values(label) : [label]
  const found = texts.filter((text) => typeof text === 'string' && text.trim() !== '')
  return [...new Set(found.map((text) => JSON.stringify([type, text ?? null])))]
}
