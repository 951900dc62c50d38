import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Block, type Markdown, parseMarkdown, type Table } from './markdown.js'

/** The top folder of the project. */
export const ROOT: string = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
export const CLI: string = `${ROOT}/dist/cli.js`

export interface Page extends Markdown {
  /** From the top of the project: `README.md`, `docs/menus.md`. */
  readonly path: string
  readonly text: string
}

/** The README and the pages of `docs/`: what users read. */
export const PAGES: readonly Page[] = [
  'README.md',
  ...readdirSync(`${ROOT}/docs`)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `docs/${name}`),
].map(readPage)

const taken = new Set<Block | Table>()

/** Reads a page that need not be one of those. */
export function readPage(path: string): Page {
  const text = readFileSync(`${ROOT}/${path}`, 'utf8')
  return { path, text, ...parseMarkdown(text) }
}

/** The page with this path. */
export function pageAt(path: string): Page {
  const page = PAGES.find((each) => each.path === path)
  assert.ok(page !== undefined, `There is no page ${path}.`)
  return page
}

/** The texts of all blocks of a section, which must be of these languages in this order: a new one needs a check. */
export function takeBlocks(section: string, languages: readonly string[]): readonly string[] {
  const found = pageWith(section).blocks.filter((block) => block.section === section)
  assert.equal(
    found.map(({ language }) => language),
    languages,
    `The blocks of "${section}" are not those that this test executes.`,
  )
  return take(found).map(({ text }) => text)
}

/** The last test of the file that belongs to a page: nothing of the page is without a test. */
export function testCoverage(test: Test, path: string): void {
  test(`Every fenced block and every table of ${path} belongs to a test`, () => {
    const { blocks, tables } = pageAt(path)
    const left = [...blocks, ...tables].filter((each) => !taken.has(each))
    assert.equal(
      left.map(({ line }) => `${path}:${line}`),
      [],
    )
  })
}

export function tablesIn(section: string): readonly Table[] {
  return take(pageWith(section).tables.filter((table) => table.section === section))
}

/** The rows of all tables with this head, on whatever page. */
export function rowsUnder(...head: readonly string[]): readonly (readonly string[])[] {
  const found = take(
    PAGES.flatMap(({ tables }) => tables).filter((table) => table.head.join('|') === head.join('|')),
  )
  assert.ok(found.length > 0, `No page has a table with ${head.join(', ')}.`)
  return found.flatMap(({ rows }) => rows)
}

/** The text from a heading to the next one of any level. */
export function textOf(section: string): string {
  return pageWith(section).sections.find(({ heading }) => heading === section)?.text ?? ''
}

function take<T extends Block | Table>(found: readonly T[]): readonly T[] {
  for (const each of found) taken.add(each)
  return found
}

/** The one page with this heading. */
function pageWith(section: string): Page {
  const [page, another] = PAGES.filter(({ sections }) => sections.some(({ heading }) => heading === section))
  assert.ok(page !== undefined, `No page has the heading "${section}".`)
  assert.ok(another === undefined, `${page.path} and ${another?.path} have the heading "${section}".`)
  return page
}
