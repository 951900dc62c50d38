import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, posix } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { PROBLEM_KINDS } from '../../src/model/problem-codes.js'
import { toAnchor } from './markdown.js'
import { PAGES, type Page, pageAt, ROOT, readPage } from './readme.js'

/** A longer README is a manual: the rest belongs in `docs/`. */
const README_LINES = 150

const every: readonly Page[] = [...PAGES, readPage('CONTRIBUTING.md'), readPage('CHANGELOG.md')]
const byPath = new Map(every.map((page) => [page.path, page]))

test('Every relative link leads to a file, and every anchor to a heading', () => {
  assert.equal(
    every.flatMap((page) => linksOf(page).filter((link) => !leads(page, link))),
    [],
  )
})

test('The README links to the index', () => {
  assert.ok(linksOf(pageAt('README.md')).includes('docs/index.md'))
})

test('Every page with an example or a table has a file of tests by its name', () => {
  const untested = PAGES.filter(({ path, blocks, tables }) => {
    const name = basename(path, '.md').toLowerCase()
    const file = `${ROOT}/test/readme/${name}.test.ts`
    const isTested =
      existsSync(file) && readFileSync(file, 'utf8').includes(`\ntestCoverage(test, '${path}')\n`)
    return blocks.length + tables.length > 0 && !isTested
  })
  assert.equal(
    untested.map(({ path }) => path),
    [],
  )
})

test('No page has two headings with one anchor', () => {
  for (const { path, sections } of every.filter(({ path }) => path !== 'CHANGELOG.md')) {
    const anchors = sections.map(({ heading }) => toAnchor(heading))
    assert.equal(anchors, [...new Set(anchors)], path)
  }
})

test('Every problem code is an anchor of docs/problems.md', () => {
  const page = pageAt('docs/problems.md')
  for (const code of Object.keys(PROBLEM_KINDS)) assert.ok(leads(page, `#${code}`), code)
})

test(`The README has at most ${README_LINES} lines`, () => {
  assert.ok(pageAt('README.md').text.split('\n').length <= README_LINES)
})

test('Every picture is on a page, has a text in its place and less than 60 KB', () => {
  const pictures = readdirSync(`${ROOT}/docs/pictures`)
  const shown = PAGES.flatMap(({ text }) => [
    ...text.matchAll(/^!\[.{20,}\]\((?:docs\/)?pictures\/(.+)\)$/gm),
  ])
  assert.equal([...new Set(shown.map(([, name]) => name))].sort(), pictures.sort())
  for (const name of pictures) assert.ok(statSync(`${ROOT}/docs/pictures/${name}`).size < 60_000, name)
})

/** The addresses of the links and pictures in a page that lead neither to another host nor out of a block of code. */
function linksOf({ text }: Page): readonly string[] {
  const prose = text.replace(/^(`{3,}).*\n[\s\S]*?^\1$/gm, '').replace(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^\w+:/.test(link))
}

function leads(from: Page, link: string): boolean {
  const [file = '', anchor] = link.split('#')
  const path = file === '' ? from.path : posix.join(dirname(from.path), file)
  if (!existsSync(`${ROOT}/${path}`)) return false
  if (anchor === undefined) return true
  return byPath.get(path)?.sections.some(({ heading }) => toAnchor(heading) === anchor) ?? false
}

test.run()
