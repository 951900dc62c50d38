import { type Limits, toYamlLimits } from '../../../src/model/limits.js'
import { DEFAULT_LIMITS } from '../../support/limits.js'
import type { Random } from './random.js'

/** A text that nests, how deep, and the limits that it is held against. */
export interface Nested {
  readonly style: string
  readonly depth: number
  readonly text: string
  readonly limits: Limits
  /** Whether it nests deeper than its limits allow. */
  readonly tooDeep: boolean
}

const LEAST = 64
const MOST = 100_000
/** Deeper than a stack reaches that composes a text; what nests deeper still only takes longer to refuse. */
const BEYOND_STACKS = 4_000
const LARGEST: Limits = { ...DEFAULT_LIMITS, items: 10_000, levels: 64, bytes: 8 * 1_048_576 }
const HEAD = 'version: 1\ncode: main\nname: Main\n'

/** A way to nest that many times, and how deep it can go before the indents alone fill a file. */
interface Style {
  readonly most: number
  readonly write: (depth: number) => string
}

const STYLES: Readonly<Record<string, Style>> = {
  'flow lists': { most: MOST, write: (depth) => '['.repeat(depth) + ']'.repeat(depth) },
  'flow lists, never closed': { most: MOST, write: (depth) => '['.repeat(depth) },
  'flow maps': { most: MOST, write: (depth) => `${'{a: '.repeat(depth)}1${'}'.repeat(depth)}` },
  'flow maps, never closed': { most: MOST, write: (depth) => '{a: '.repeat(depth) },
  'flow keys': { most: MOST, write: (depth) => `${'{? '.repeat(depth)}a${'}'.repeat(depth)}` },
  'flow lists and maps in turn': { most: MOST, write: (depth) => '[{a: '.repeat(depth / 2 + 1) },
  'flow lists on lines of their own': { most: MOST, write: (depth) => '\n [\n'.repeat(depth) },
  'block lists in a line': { most: MOST, write: (depth) => `\n  ${'- '.repeat(depth)}a` },
  'block keys in a line': { most: MOST, write: (depth) => `\n  ${'? '.repeat(depth)}a` },
  'block lists and keys in turn': { most: MOST, write: (depth) => `\n  ${'- ? '.repeat(depth / 2 + 1)}a` },
  'block lists over flow lists': {
    most: MOST,
    write: (depth) => `\n  ${'- '.repeat(depth / 2 + 1)}${'['.repeat(depth / 2 + 1)}`,
  },
  'block maps': { most: 600, write: (depth) => `\n${stairs(depth, 1, () => 'a:')}` },
  'block lists of maps': { most: 500, write: (depth) => `\n${stairs(depth / 2 + 1, 2, () => '- a:')}` },
  'values of explicit keys': { most: 600, write: (depth) => `\n${stairs(depth, 1, () => '? a\n%: ')}` },
}

/** What is nested stands as the whole file, as a value that is free, as the items, or in a label. */
const PLACES: readonly ((nest: string) => string)[] = [
  (nest) => nest.trimStart(),
  (nest) => `${HEAD}items: []\nx-a: ${nest}\n`,
  (nest) => `${HEAD}items: ${nest}\n`,
  (nest) =>
    `${HEAD}items:\n  - url: /\n    label:${nest.startsWith('\n') ? nest.replaceAll('\n', '\n     ') : ` ${nest}`}\n`,
]

const ITEMS: Readonly<Record<string, Style>> = {
  'items in flow style': {
    most: 30_000,
    write: (levels) => `- ${'{label: A, url: /, children: ['.repeat(levels)}${']}'.repeat(levels)}`,
  },
  'items in block style': {
    most: 200,
    write: (levels) => stairs(levels, 4, () => '- label: A\n%  url: /\n%  children:'),
  },
}

/** A text that nests 64 to 100,000 deep in one of many ways; items nest deeper than their limit. */
export function nested(random: Random): Nested {
  const limits = random.pick([DEFAULT_LIMITS, LARGEST])
  if (random.below(5) === 0) {
    const style = random.pick(Object.keys(ITEMS))
    const { most = LEAST, write = String } = ITEMS[style] ?? {}
    const depth = depthBetween(limits.levels + 1, most, random)
    return { style, depth, limits, text: `${HEAD}items:\n${write(depth)}\n`, tooDeep: depth > limits.levels }
  }
  const style = random.pick(Object.keys(STYLES))
  const { most = LEAST, write = String } = STYLES[style] ?? {}
  const depth = depthBetween(LEAST, most, random)
  const text = random.pick(PLACES)(write(depth))
  return { style, depth, limits, text, tooDeep: depth > toYamlLimits(limits).depth }
}

/** Mostly a depth at which a stack could end, and now and then any. */
function depthBetween(least: number, most: number, random: Random): number {
  return random.scaled(least, random.below(10) === 0 ? most : Math.min(most, BEYOND_STACKS))
}

/** Rows that each stand deeper than the one before; `%` is the indent of the row. */
function stairs(count: number, step: number, row: () => string): string {
  const rows = Array.from({ length: count }, (_, place) => {
    const indent = ' '.repeat(place * step + 1)
    return `${indent}${row().replaceAll('%', indent)}`
  })
  return rows.join('\n')
}
