import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { type Block, parseMarkdown, type Table } from './markdown.js'

/** The top folder of the project. */
export const ROOT: string = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
export const CLI: string = `${ROOT}/dist/cli.js`
export const README: string = readFileSync(`${ROOT}/README.md`, 'utf8')

const { headings, blocks, tables } = parseMarkdown(README)
export const HEADINGS: readonly string[] = headings

const taken = new Set<Block>()

/** The texts of all blocks of a section, which must be of these languages in this order: a new one needs a check. */
export function takeBlocks(section: string, languages: readonly string[]): readonly string[] {
  const found = blocks.filter((block) => block.section === section)
  assert.equal(
    found.map(({ language }) => language),
    languages,
    `The blocks of "${section}" are not those that this test executes.`,
  )
  for (const block of found) taken.add(block)
  return found.map(({ text }) => text)
}

/** The blocks that no test took, by line. */
export function untaken(): readonly string[] {
  return blocks
    .filter((block) => !taken.has(block))
    .map(({ line, language }) => `README.md:${line} ${language}`)
}

export function tablesIn(section: string): readonly Table[] {
  return tables.filter((table) => table.section === section)
}

/** The rows of all tables with this head, wherever they stand. */
export function rowsUnder(...head: readonly string[]): readonly (readonly string[])[] {
  const found = tables.filter((table) => table.head.join('|') === head.join('|'))
  assert.ok(found.length > 0, `The README has no table with ${head.join(', ')}.`)
  return found.flatMap(({ rows }) => rows)
}

/** The text from a heading to the next one of its level. */
export function textOf(section: string): string {
  const [, rest = ''] = README.split(`\n## ${section}\n`)
  return rest.split('\n## ')[0] ?? ''
}
