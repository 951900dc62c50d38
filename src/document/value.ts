import { isMap, isScalar, isSeq, type Node, type Pair, type ParsedNode } from 'yaml'
import type { Steps } from '../model/pointer.js'
import type { Found } from './issue.js'
import { LONE_RETURN, NOT_PRINTABLE, toCodePoint } from './read/guard.js'
import type { Range } from './source.js'

/** The plain value (JSON's types) of composed YAML. Keys such as `__proto__` become ordinary own properties. */
export function toValue(node: Node | null, faults: Found[], pointer: Steps = []): unknown {
  if (isScalar(node)) {
    faults.push(...controlFaults(node, pointer))
    return node.value
  }
  if (isSeq(node))
    return node.items.map((child, place) => toValue(child as Node, faults, [...pointer, place]))
  if (!isMap(node)) return null
  const value: Record<string, unknown> = {}
  const seen = new Set<string>()
  for (const pair of node.items as Pair<Node, Node | null>[]) {
    const key = toKey(pair, seen, faults, pointer)
    if (key === null) continue
    const child = toValue(pair.value, faults, [...pointer, key])
    Object.defineProperty(value, key, { value: child, enumerable: true, writable: true, configurable: true })
  }
  return value
}

function toKey(pair: Pair<Node>, seen: Set<string>, faults: Found[], around: Steps): string | null {
  const range = rangeOf(pair.key)
  const refuse = (code: Found['code'], what: string, pointer = around): null => {
    faults.push({ code, range, pointer, what })
    return null
  }
  const key = isScalar(pair.key) ? pair.key.value : undefined
  if (typeof key !== 'string') return refuse('key-not-text', 'This key is not a text.')
  if (key === '<<' && isScalar(pair.key) && pair.key.type === 'PLAIN')
    return refuse('yaml-merge-key', 'Merge keys are not allowed.')
  const pointer = [...around, key]
  if (seen.has(key))
    return refuse('duplicate-key', `The key ${JSON.stringify(key)} appears twice in one map.`, pointer)
  seen.add(key)
  faults.push(...controlFaults(pair.key, pointer))
  return key
}

/**
 * An escaped control character is as invisible on a page as an unescaped one. Half a surrogate pair has no UTF-8, and strict
 * readers of JSON refuse the whole answer for one.
 */
function controlFaults(node: Node, pointer: Steps): readonly Found[] {
  const text = isScalar(node) ? node.value : null
  // Addresses have a rule of their own.
  if (typeof text !== 'string' || pointer.at(-1) === 'url') return []
  const found = NOT_PRINTABLE.exec(text) ?? /\p{Cs}/u.exec(text) ?? LONE_RETURN.exec(text)
  if (found === null) return []
  const character = toCodePoint(found[0])
  const is = character.startsWith('U+D')
    ? `${character}, half a character`
    : `the control character ${character}`
  const what = `The text has ${is}, written as an escape.`
  return [{ code: 'control-character', range: rangeOf(node), pointer, what }]
}

/** Where a value is in the text: its key when `part` is `key`. Falls back to the nearest value around it. */
export function locate(root: Node | null, pointer: Steps, part: 'key' | 'value' = 'value'): Range {
  let node = root
  let key: Node | null = null
  for (const step of pointer) {
    const pair: Pair<Node, Node | null> | null = isMap(node)
      ? ((node.items as Pair<Node, Node | null>[]).find(
          (each) => isScalar(each.key) && each.key.value === step,
        ) ?? null)
      : null
    const child =
      pair !== null ? pair.value : isSeq(node) ? (node.items[Number(step)] as Node | undefined) : null
    if (pair === null && child == null) return rangeOf(node)
    key = pair?.key ?? null
    node = child ?? key
  }
  return part === 'key' && key !== null ? rangeOf(key) : rangeOf(node)
}

/** The text of a scalar as it is written, quotes included; null for anything else. */
export function writtenAs(root: Node | null, pointer: Steps, text: string): string | null {
  const [start, end] = locate(root, pointer)
  const written = text.slice(start, end)
  return written === '' || written.includes('\n') ? null : written
}

/** The offsets of a node, without trailing trivia. */
function rangeOf(node: Node | null): Range {
  const range = (node as ParsedNode | null)?.range
  return range == null ? [0, 0] : [range[0], range[1]]
}
