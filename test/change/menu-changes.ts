import fc from 'fast-check'
import { isList, isMap, type Json, type JsonMap } from '../../src/model/json.js'

/** An item that can be changed in place, before it becomes part of a value. */
export type Draft = { [key: string]: Json } & { children?: Draft[] }

const EDITS = ['relabel', 'translate', 'retarget', 'icon', 'attribute', 'permit', 'hide', 'id'] as const

/** One change of a random kind; the numbers say where, modulo what there is. */
export interface Wish {
  readonly kind: (typeof EDITS)[number] | 'add' | 'remove' | 'move' | 'wrap'
  readonly at: number
  readonly to: number
  readonly word: string
}

const WORDS = ['one', 'two', 'three', 'four', 'five', 'six']
const words = fc.constantFrom(...WORDS)

const leaf: fc.Arbitrary<Draft> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ label: words, url: words.map((word) => `/${word}`) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      label: fc.record({ en: words, es: words }),
      routeName: words,
      routeParams: fc.record({ id: words }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'divider' }) },
  {
    weight: 1,
    arbitrary: fc.record({ label: words, url: fc.constant('/x'), permissions: fc.subarray(WORDS) }),
  },
)

/** Lists of items, a few levels deep, with many that are nearly or quite equal. */
export const drafts: fc.Arbitrary<Draft[]> = fc.letrec<{ list: Draft[] }>((tie) => ({
  list: fc.array(
    fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leaf,
      fc.tuple(words, tie('list')).map(([label, children]): Draft => ({ type: 'section', label, children })),
    ),
    { maxLength: 6 },
  ),
})).list

const kinds = fc.constantFrom<Wish['kind']>(...EDITS, 'add', 'remove', 'move', 'wrap')
const wish = fc.record<Wish>({ kind: kinds, at: fc.nat(), to: fc.nat(), word: words })
export const wishes: fc.Arbitrary<readonly Wish[]> = fc.array(wish, { maxLength: 5 })

/** A menu over these items. */
export function menuOf(items: readonly Draft[]): JsonMap {
  return { version: 1, code: 'main', name: 'Main', items: copyOf(items) }
}

/** A copy that nothing is shared with, not even among its own items. */
export function copyOf(items: readonly Draft[]): Draft[] {
  return JSON.parse(JSON.stringify(items))
}

/** Gives every item an id, so that nobody has to find out which is which. */
export function withIds(items: Draft[]): Draft[] {
  const copy = copyOf(items)
  for (const [number, { item }] of placesIn(copy).entries()) item['id'] = `i${number}`
  return copy
}

/**
 * A copy of some items with changes; a change that is not possible is left out. `prefix` begins the labels of what is
 * added, and its ids where there are any.
 */
export function changed(
  items: readonly Draft[],
  changes: readonly Wish[],
  prefix: string,
  hasIds: boolean,
): Draft[] {
  const copy = copyOf(items)
  for (const [number, wish] of changes.entries()) change(copy, wish, `${prefix}${number}`, hasIds)
  return copy
}

interface Place {
  readonly list: Draft[]
  readonly at: number
  readonly item: Draft
}

/** All items with the lists that they are in, parents first. */
export function placesIn(list: Draft[]): Place[] {
  return list.flatMap((item, at) => [{ list, at, item }, ...placesIn(item.children ?? [])])
}

function change(items: Draft[], { kind, at, to, word }: Wish, id: string, hasIds: boolean): void {
  const places = placesIn(items)
  const place = places[at % Math.max(1, places.length)]
  const added = (draft: Draft): Draft => (hasIds ? { id, ...draft } : draft)
  if (kind === 'add') {
    const targets = targetsIn(items)
    put(items, targets[at % targets.length], to, added({ label: `${id} ${word}`, url: `/${id}/${word}` }))
    return
  }
  if (place === undefined) return
  const { item, list } = place
  const isDivider = item['type'] === 'divider'
  if (kind === 'remove') list.splice(place.at, 1)
  else if (kind === 'wrap') {
    const wrapped = list.splice(place.at, 1 + (to % 3))
    list.splice(place.at, 0, added({ type: 'section', label: `${id} ${word}`, children: wrapped }))
  } else if (kind === 'move') {
    list.splice(place.at, 1)
    const targets = targetsIn(items)
    put(items, targets[to % targets.length], word.length, item)
  } else if (kind === 'hide') item['hidden'] = item['hidden'] !== true
  else if (kind === 'permit') item['permissions'] = [...listIn(item['permissions']).slice(to % 2), word]
  else if (kind === 'attribute') item['attributes'] = { ...mapIn(item['attributes']), title: word }
  else if (isDivider) return
  else if (kind === 'icon') item['icon'] = `lucide:${word}`
  else if (kind === 'relabel') item['label'] = isMap(item['label']) ? { ...item['label'], en: word } : word
  else if (kind === 'translate') {
    item['label'] = isMap(item['label'])
      ? { ...item['label'], fr: word }
      : { en: String(item['label']), fr: word }
  } else if (kind === 'retarget' && item['type'] !== 'section') {
    delete item['routeName']
    delete item['routeParams']
    item['url'] = `/${word}/new`
  } else if (kind === 'id' && item['id'] === undefined) item['id'] = id
}

function listIn(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : []
}

function mapIn(value: Json | undefined): JsonMap {
  return isMap(value) ? value : {}
}

/** Every item that something can be put into; null is the top. */
function targetsIn(items: Draft[]): (Draft | null)[] {
  return [null, ...placesIn(items).map(({ item }) => item)].filter((item) => item?.['type'] !== 'divider')
}

function put(items: Draft[], target: Draft | null | undefined, at: number, item: Draft): void {
  if (target != null) target.children ??= []
  const list = target?.children ?? items
  list.splice(at % (list.length + 1), 0, item)
}

/** Changes of items whose number leaves this remainder, at most one of which moves something. */
export function ownWishes(remainder: number): fc.Arbitrary<readonly Wish[]> {
  return wishes.map((list) => {
    const own = list.map((wish) => ({ ...wish, at: wish.at * 3 + remainder }))
    return own.filter(
      ({ kind }, at) => kind !== 'move' || own.findIndex((each) => each.kind === 'move') === at,
    )
  })
}

/** Applies changes to the items that have such a number; what is added or moved goes to the top or to what nobody changes. */
export function changedOwn(items: readonly Draft[], changes: readonly Wish[], prefix: string): Draft[] {
  const copy = copyOf(items)
  for (const [number, { kind, at, to, word }] of changes.entries()) {
    const own = placesIn(copy).find(
      ({ item }) => item['id'] === `i${at % (placesIn(items as Draft[]).length + 1)}`,
    )
    const isOwn = own !== undefined && Number(String(own.item['id']).slice(1)) % 3 === at % 3
    if (kind === 'add') {
      copy.splice(to % (copy.length + 1), 0, {
        id: `${prefix}${number}`,
        label: word,
        url: `/${prefix}${number}`,
      })
    } else if (!isOwn) continue
    else if (kind === 'move') {
      own.list.splice(own.at, 1)
      copy.splice(to % (copy.length + 1), 0, own.item)
    } else if (kind === 'remove') {
      if ((own.item.children ?? []).length === 0) own.list.splice(own.at, 1)
    } else if (kind === 'wrap') {
      const id = `${prefix}${number}`
      own.list[own.at] = { id, type: 'section', label: word, children: [own.item] }
    } else if (kind === 'hide') own.item['hidden'] = true
    else own.item[`x-${kind}`] = word
  }
  return copy
}
