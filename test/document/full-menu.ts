import type { Limits } from '../../src/model/limits.js'
import { toFlow } from '../support/yaml.js'

/** The locales of a menu that stands at its limits. */
export const EIGHT_LOCALES: readonly string[] = ['en', 'es', 'fr', 'de', 'pt-BR', 'zh-Hant', 'ar', 'ja']

type Size = Pick<Limits, 'items' | 'levels' | 'bytes'>
interface FullItem {
  readonly [key: string]: unknown
  readonly children: FullItem[]
}

/**
 * The text of a menu that stands at every limit at once: its items, its levels and, padded to the byte, its size. Each item
 * has every key that an item knows, eight locales, and eight parameters, permissions and attributes.
 */
export function fullMenu({ items, levels, bytes }: Size, style: 'flow' | 'block'): string {
  const bare = write(items, levels, '', style)
  const room = bytes - Buffer.byteLength(bare) - '#\n'.length
  if (room < 0) throw new Error(`the menu needs ${-room} bytes more`)
  const padded = write(items, levels, 'x'.repeat(Math.min(900, Math.floor(room / items))), style)
  return `${padded}#${'x'.repeat(bytes - Buffer.byteLength(padded) - '#\n'.length)}\n`
}

/** One branch that goes down to the last level, and all other items side by side at its first one. */
function write(count: number, levels: number, padding: string, style: 'flow' | 'block'): string {
  const items = Array.from({ length: count }, (_, place) => fullItem(place, padding))
  for (let level = 1; level < levels; level++) {
    const child = items[level]
    if (child !== undefined) items[level - 1]?.children.push(child)
  }
  const top = [items[0], ...items.slice(levels)].filter((item) => item !== undefined)
  const rows = top.map((item) => (style === 'flow' ? `- ${JSON.stringify(item)}\n` : toBlock(item, '')))
  return `version: 1\ncode: full\nname: Full\nitems:\n${rows.join('')}`
}

function fullItem(place: number, padding: string): FullItem {
  return {
    type: 'link',
    id: `i${place}`,
    label: Object.fromEntries(EIGHT_LOCALES.map((locale) => [locale, locale === 'en' ? `L${padding}` : 'L'])),
    routeName: 'r',
    routeParams: { a: [1, 2], b: 2, c: 3, d: 4, e: 5, f: 6, g: 7 },
    icon: 'b:i',
    permissions: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'],
    permissionMode: 'any',
    attributes: {
      class: 'c',
      rel: 'me',
      dir: 'ltr',
      lang: 'en',
      'data-a': 1,
      'data-b': 2,
      'data-c': 3,
      'data-d': 4,
    },
    hidden: false,
    visibleFrom: '2026-01-01T00:00:00Z',
    visibleUntil: '9999-01-01T00:00:00Z',
    children: [],
  }
}

/** An item in block style as far as its keys go, which is how people write it. */
function toBlock({ children, ...keys }: FullItem, indent: string): string {
  const lines = Object.entries(keys).map(([key, value]) => `${indent}  ${key}: ${toFlow(value)}\n`)
  const below = children.map((child) => toBlock(child, `${indent}    `)).join('')
  const last = below === '' ? '' : `${indent}  children:\n${below}`
  return `${indent}- ${lines.join('').trimStart()}${last}`
}
