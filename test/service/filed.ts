import type { Written } from './oracle.js'
import { toText } from './services.js'

/** A menu as a file, and the line on which each of its items begins, parents before children. */
export interface Filed {
  readonly text: string
  readonly lines: readonly number[]
}

type Entry = Readonly<Record<string, unknown>>

/** A menu as a file that people could have written, an item on lines of its own. */
export function toFiled(written: Written): Filed {
  const { items, ...head } = JSON.parse(toText(written)) as Entry & { readonly items: readonly Entry[] }
  const rows = Object.entries(head).map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
  const lines: number[] = []
  const addList = (key: string, list: readonly Entry[], margin: string): void => {
    rows.push(`${margin}${key}:${list.length === 0 ? ' []' : ''}`)
    for (const { type, children, ...rest } of list) {
      lines.push(rows.length + 1)
      rows.push(`${margin}  - type: ${type}`)
      const pairs = Object.entries(rest).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
      rows.push(...pairs.map((pair) => `${margin}    ${pair}`))
      if (Array.isArray(children)) addList('children', children, `${margin}    `)
    }
  }
  addList('items', items, '')
  return { text: `${rows.join('\n')}\n`, lines }
}
