import type { Operation } from '../../../src/change/operations/operation.js'
import { isList, isMap, type Json, type JsonMap } from '../../../src/model/json.js'

/** The key for the place of an item in the first value; no operation can see it. */
const KEY = Symbol('where it was')

type Keyed = { [key: string]: Json } & { [KEY]?: string }
type Step = readonly [around: Keyed | Json[], last: string]

/**
 * Where each item of a menu was before operations, by where it is after them. A second, simple implementation of JSON
 * Patch that carries a hidden key in each item: what the editor believes is judged by it.
 */
export function trackItems(before: JsonMap, operations: readonly Operation[]): ReadonlyMap<string, string> {
  const whole: Keyed = { '': structuredClone(before) as Json }
  for (const [pointer, item] of itemsOf(whole[''])) item[KEY] = pointer
  for (const operation of operations) apply(whole, operation)
  return new Map(
    itemsOf(whole['']).flatMap(([now, item]) => (item[KEY] === undefined ? [] : [[now, item[KEY]]])),
  )
}

function apply(whole: Keyed, operation: Operation): void {
  const at = (path: string): Step => stepTo(whole, path)
  if (operation.op === 'add') put(at(operation.path), structuredClone(operation.value))
  if (operation.op === 'remove') take(at(operation.path))
  if (operation.op === 'move') move(whole, operation)
  // A copy is made without what is hidden: it is a new item.
  if (operation.op === 'copy') put(at(operation.path), structuredClone(get(at(operation.from))))
  if (operation.op !== 'replace') return
  const [around, last] = at(operation.path)
  const [old, value] = [get([around, last]), structuredClone(operation.value)]
  if (isMap(old) && isMap(value) && (old as Keyed)[KEY] !== undefined)
    (value as Keyed)[KEY] = (old as Keyed)[KEY] ?? ''
  if (isList(around)) (around as Json[])[Number(last)] = value
  else define(around as Keyed, last, value)
}

function move(whole: Keyed, { from, path }: { readonly from: string; readonly path: string }): void {
  if (from === path) return
  const moved = take(stepTo(whole, from))
  put(stepTo(whole, path), moved)
}

function stepTo(whole: Keyed, path: string): Step {
  const steps = ['', ...path.split('/').slice(1)].map((step) =>
    step.replaceAll('~1', '/').replaceAll('~0', '~'),
  )
  let around: Json = whole
  for (const step of steps.slice(0, -1)) around = get([around as Keyed, step])
  return [around as Keyed, steps.at(-1) ?? '']
}

function get([around, last]: Step): Json {
  return (around as Keyed)[last] as Json
}

function put([around, last]: Step, value: Json): void {
  if (isList(around)) (around as Json[]).splice(last === '-' ? around.length : Number(last), 0, value)
  else define(around as Keyed, last, value)
}

function take([around, last]: Step): Json {
  const value = get([around, last])
  if (isList(around)) (around as Json[]).splice(Number(last), 1)
  else delete (around as Keyed)[last]
  return value
}

function define(map: Keyed, key: string, value: Json): void {
  Object.defineProperty(map, key, { value, enumerable: true, writable: true, configurable: true })
}

/** The items of a menu with their pointers. */
function itemsOf(menu: Json | undefined): readonly (readonly [string, Keyed])[] {
  const walk = (list: Json | undefined, at: string): readonly (readonly [string, Keyed])[] =>
    (isList(list) ? list : []).flatMap((item, place) =>
      isMap(item)
        ? [[`${at}/${place}`, item as Keyed] as const, ...walk(item['children'], `${at}/${place}/children`)]
        : [],
    )
  return walk(isMap(menu) ? menu['items'] : undefined, '/items')
}
