import { isMap, isScalar, isSeq, type ParsedNode, type YAMLMap, type YAMLSeq } from 'yaml'
import type { Json } from '../../model/json.js'
import type { Steps } from '../../model/pointer.js'
import type { Found } from '../issue.js'
import { type GroupNode, type Member, type ScalarNode, toEntry, toGroup, type YamlNode } from '../node.js'
import type { Range } from '../source.js'
import { LONE_RETURN, NOT_PRINTABLE, toCodePoint } from './guard.js'

/**
 * Our node for one of the YAML library, in a text that the guard let through. Values have JSON's types; keys with a fault are
 * left out.
 */
export function toNode(root: ParsedNode, text: string, faults: Found[]): YamlNode {
  const read = (node: ParsedNode, pointer: Steps): YamlNode => {
    if ('items' in node) return isMap(node) ? readMap(node, pointer) : readList(node, pointer)
    faults.push(...controlFaults(node, pointer))
    return toScalar(node)
  }

  const readList = (list: YAMLSeq.Parsed, pointer: Steps): GroupNode => {
    const members = list.items.map((each, place) => toEntry(read(each, [...pointer, place])))
    return toGroupNode(list, members, text)
  }

  const readMap = (map: YAMLMap.Parsed, pointer: Steps): GroupNode => {
    const seen = new Set<string>()
    const members = map.items.flatMap((pair): readonly Member[] => {
      const key = readKey(pair.key, seen, pointer)
      if (key === null) return []
      const [keyStart, keyEnd] = rangeOf(pair.key)
      const node = pair.value === null ? null : read(pair.value, [...pointer, key])
      return [{ key, keyStart, keyEnd, node }]
    })
    return toGroupNode(map, members, text)
  }

  const readKey = (node: ParsedNode, seen: Set<string>, around: Steps): string | null => {
    const refuse = (code: Found['code'], what: string, pointer = around): null => {
      faults.push({ code, range: rangeOf(node), pointer, what })
      return null
    }
    const key = isScalar(node) ? node.value : undefined
    if (typeof key !== 'string') return refuse('key-not-text', 'This key is not a string.')
    if (key === '<<' && isScalar(node) && node.type === 'PLAIN')
      return refuse('yaml-merge-key', 'Merge keys are not allowed.')
    const pointer = [...around, key]
    if (seen.has(key))
      return refuse('duplicate-key', `The key ${JSON.stringify(key)} appears twice in one map.`, pointer)
    seen.add(key)
    faults.push(...controlFaults(node, pointer))
    return key
  }
  return read(root, [])
}

const STYLES: Readonly<Record<string, ScalarNode['style']>> = {
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
  BLOCK_LITERAL: 'literal',
  BLOCK_FOLDED: 'folded',
}

function toScalar(node: Exclude<ParsedNode, YAMLMap | YAMLSeq>): ScalarNode {
  const [start, end] = rangeOf(node)
  const [value, type = ''] = isScalar(node) ? [node.value as Json, node.type] : [null]
  return { kind: 'scalar', style: STYLES[type] ?? 'plain', value, start, end }
}

function toGroupNode(
  group: YAMLMap.Parsed | YAMLSeq.Parsed,
  members: readonly Member[],
  text: string,
): GroupNode {
  const isList = isSeq(group)
  const [start, end] = rangeOf(group)
  if (group.flow === true) return toGroup('flow', isList, members, start, end)
  const last = members.at(-1)
  const lineEnd = text.indexOf('\n', last?.node?.end ?? last?.keyEnd ?? start)
  return toGroup('block', isList, members, start, lineEnd === -1 ? text.length : lineEnd)
}

/** The offsets of a node, without the blanks and the comments behind it. */
function rangeOf({ range }: Pick<ParsedNode, 'range'>): Range {
  return [range[0], range[1]]
}

/**
 * An escaped control character is as invisible on a page as an unescaped one. Half a surrogate pair has no UTF-8, and strict
 * readers of JSON refuse the whole answer for one.
 */
function controlFaults(node: ParsedNode, pointer: Steps): readonly Found[] {
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
