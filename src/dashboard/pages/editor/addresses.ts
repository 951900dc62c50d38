import { pathTo } from '../path-to.js'

const PAGES = ['edit', 'item', 'place', 'transfer', 'settings', 'review'] as const

/** The addresses of the pages on which a menu file is edited, each with its parameters. */
export type EditorAddresses = {
  readonly [page in (typeof PAGES)[number]]: (file: string, more?: Readonly<Record<string, string>>) => string
}

/** @param home the path of the dashboard */
export function toAddresses(home: string): EditorAddresses {
  const entries = PAGES.map((page) => {
    const toAddress: EditorAddresses['edit'] = (file, more = {}) => pathTo(home, page, { file, ...more })
    return [page, toAddress]
  })
  return Object.fromEntries(entries)
}
