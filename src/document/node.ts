import type { Json, JsonList, JsonMap } from '../model/json.js'
import type { Steps } from '../model/pointer.js'
import type { Range } from './source.js'

/** A value of a YAML text with its offsets, from its first character to behind its last. */
export type YamlNode = ScalarNode | GroupNode

export interface ScalarNode {
  readonly kind: 'scalar'
  /** How it is quoted. A missing value is plain, and empty. */
  readonly style: ScalarStyle
  readonly value: Json
  readonly start: number
  readonly end: number
}

export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded'

/** A list or a map: `flow` in brackets or braces, else a `block`, which ends with the line of its last value. */
export interface GroupNode {
  readonly kind: 'block' | 'flow'
  readonly isList: boolean
  readonly value: JsonList | JsonMap
  readonly members: readonly Member[]
  readonly start: number
  readonly end: number
}

/** A value of a list or a map. */
export interface Member {
  /** Null in a list, whose members have no offsets of a key either. */
  readonly key: string | null
  readonly keyStart: number
  readonly keyEnd: number
  /** Null for a key without a colon. */
  readonly node: YamlNode | null
}

/** A member of a list. */
export function toEntry(node: YamlNode): Member {
  return { key: null, keyStart: 0, keyEnd: 0, node }
}

const ORDINARY = { configurable: true, enumerable: true, writable: true } as const

/** The node of a list or a map. */
export function toGroup(
  kind: GroupNode['kind'],
  isList: boolean,
  members: readonly Member[],
  start: number,
  end: number,
): GroupNode {
  return { kind, isList, value: toGroupValue(isList, members), members, start, end }
}

/** The value of a list or a map. Keys such as `__proto__` become ordinary own properties. */
function toGroupValue(isList: boolean, members: readonly Member[]): JsonList | JsonMap {
  if (isList) return members.map(({ node }) => node?.value ?? null)
  const map: Record<string, Json> = {}
  for (const { key, node } of members) {
    const value = node?.value ?? null
    if (key === '__proto__') Object.defineProperty(map, key, { value, ...ORDINARY })
    else if (key !== null) map[key] = value
  }
  return map
}

/** Where a value is in the text: its key when `part` is `key`. Falls back to the nearest value around it. */
export function locate(root: YamlNode, pointer: Steps, part: 'key' | 'value' = 'value'): Range {
  let node: YamlNode | null = root
  let key: Range | null = null
  let range: Range = [root.start, root.end]
  for (const step of pointer) {
    const member = memberAt(node, step)
    if (member === undefined) return range
    node = member.node
    key = member.key === null ? null : [member.keyStart, member.keyEnd]
    range = node === null ? [member.keyStart, member.keyEnd] : [node.start, node.end]
  }
  return part === 'key' && key !== null ? key : range
}

/** The member of a list at a place, or of a map under a key; undefined where there is none. */
export function memberAt(node: YamlNode | null | undefined, step: string | number): Member | undefined {
  if (node === null || node === undefined || node.kind === 'scalar') return undefined
  return node.isList ? node.members[Number(step)] : node.members.find(({ key }) => key === step)
}

/** The text of a scalar as it is written, quotes included; null for anything else. */
export function writtenAs(root: YamlNode, pointer: Steps, text: string): string | null {
  const written = text.slice(...locate(root, pointer))
  return written === '' || written.includes('\n') ? null : written
}
