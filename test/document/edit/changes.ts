import fc from 'fast-check'
import { placedItems } from '../../../src/change/items.js'
import { applyOperations } from '../../../src/change/operations/apply.js'
import type { Operation } from '../../../src/change/operations/operation.js'
import { valueAt } from '../../../src/change/operations/patch.js'
import { isList, isMap, type Json, type JsonMap } from '../../../src/model/json.js'
import { pointersInto, values } from '../../change/operations.js'
import { type Dice, toDice } from './dice.js'
import { type Formatted, format } from './formatting.js'

/** Texts that YAML takes for something else unless they are written with care. */
export const NASTY: readonly string[] = [
  ...`no|1|null|~|a: b|# x| x |---|😀|true|it's|"|- a|? a|a #b|: a|[a|{a}|&a|*a|!a|%a|@a|>|0x1f|1e3|.5`.split(
    '|',
  ),
  ...'.inf|<<|=|a,b|a:|-|ü|...|2001-01-01|a  b|12:30|+1|0o7|NULL|some long text of several words that folds'.split(
    '|',
  ),
  ...['', '`a', '|', 'a\nb', 'a\n', '\n', '\ta', 'a\t', 'a\\', 'a\n\nb', ' \n a'],
  ...'\u0085\u2028\ufeff\u0001\u007f\ud800',
]

/** A value with its formatting, and what it becomes. */
export interface Change {
  readonly before: JsonMap
  readonly formatted: Formatted
  readonly operations: readonly Operation[]
  readonly after: JsonMap
}

const dice: fc.Arbitrary<Dice> = fc.array(fc.nat(5039), { minLength: 1, maxLength: 120 }).map(toDice)

/** Menus in any formatting, and operations on them. */
export const changes: fc.Arbitrary<Change> = fc
  .tuple(dice, dice, fc.array(fc.tuple(dice, values), { minLength: 1, maxLength: 4 }))
  .map(([shape, form, wishes]) => {
    const before = toMenu(shape)
    const formatted = format(before, form)
    const operations: Operation[] = []
    let after: Json = before
    for (const [wish, value] of wishes) {
      const operation = toOperation(after, wish, value)
      if (operation === null) continue
      const applied: Json | undefined = applyOperations(after, [operation]).value?.value
      if (!isMap(applied)) continue
      operations.push(operation)
      after = applied
    }
    return { before, formatted, operations, after: after as JsonMap }
  })

let serial = 0

function toMenu(shape: Dice): JsonMap {
  serial = 0
  return {
    version: 1,
    code: 'main',
    ...(shape.once(2) && { name: shape.pick(NASTY) }),
    ...(shape.once(3) && { context: { partnerId: 3, 'a b': shape.pick(NASTY) } }),
    ...(shape.once(3) && { 'x-any': { list: [1, [2, { a: null }], 'c'], [shape.pick(NASTY)]: [] } }),
    items: toItems(shape, 0),
    ...(shape.once(4) && { display: { classes: { menu: 'm' } } }),
  }
}

function toItems(shape: Dice, depth: number): Json[] {
  return Array.from({ length: shape.roll(depth === 0 ? 5 : 4) }, () => toItem(shape, depth))
}

/** An item like no other: what is the same item is not in question here. */
function toItem(shape: Dice, depth: number): Json {
  const number = serial++
  const name = `Item ${number} ${shape.once(2) ? 'of some words' : ''}`.trim()
  const text = shape.once(3) ? `${name}${shape.pick(NASTY)}` : name
  const children = depth < 2 && shape.once(3) ? toItems(shape, depth + 1) : null
  return {
    ...(shape.once(4) && { type: 'section' }),
    label: shape.once(3) ? { en: text, es: shape.pick(NASTY) } : text,
    url: `/${number}`,
    ...(shape.once(5) && { permissions: ['a', 'b', shape.pick(NASTY)] }),
    ...(shape.once(6) && { hidden: true }),
    ...(shape.once(6) && { 'x-note': shape.pick(NASTY) }),
    ...(children !== null && { children }),
  }
}

function toOperation(value: Json, wish: Dice, added: Json): Operation | null {
  const items = placedItems(value)
  const item = wish.pick(items.length === 0 ? [null] : items)
  const places = listPlaces(value)
  const place = wish.pick(places.length === 0 ? [null] : places)
  const path = wish.pick(pointersInto(value, false))
  const target = wish.pick(pointersInto(value, true))
  const all: readonly (Operation | null)[] = [
    item && { op: 'replace', path: `${item.pointer}/label`, value: wish.pick(NASTY) },
    item && { op: 'replace', path: `${item.pointer}/url`, value: '/new' },
    item !== null && place !== null ? { op: 'move', from: item.pointer, path: place } : null,
    item !== null && place !== null ? { op: 'move', from: item.pointer, path: place } : null,
    place !== null
      ? { op: 'add', path: place, value: { label: wish.pick(NASTY), url: `/new/${serial++}` } }
      : null,
    item && { op: 'remove', path: item.pointer },
    item && { op: 'add', path: `${item.pointer}/hidden`, value: true },
    item && { op: 'add', path: `${item.pointer}/children`, value: [] },
    item && { op: 'add', path: `${item.pointer}/label`, value: { en: 'A', fr: wish.pick(NASTY) } },
    { op: 'add', path: '/x-new', value: added },
    { op: 'replace', path, value: added },
    { op: 'add', path: target, value: added },
    { op: 'remove', path },
    { op: 'move', from: path, path: target },
    { op: 'copy', from: path, path: target },
  ]
  return wish.pick(all)
}

/** Every place of a list of items. */
function listPlaces(value: Json): string[] {
  const lists = ['/items', ...placedItems(value).map(({ pointer }) => `${pointer}/children`)]
  return lists.flatMap((list) => {
    const found = valueAt(value, list)
    return isList(found) ? Array.from({ length: found.length + 1 }, (_, place) => `${list}/${place}`) : []
  })
}
