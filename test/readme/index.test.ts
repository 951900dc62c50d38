import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { PAGES, pageAt, rowsUnder, testCoverage } from './readme.js'

test('Every page of docs/ has one row in the index', () => {
  const rows = rowsUnder('page', 'what it covers')
  const paths = rows.map(([cell = '']) => `docs/${/\]\((.+)\)$/.exec(cell)?.[1]}`)
  const pages = PAGES.map(({ path }) => path).filter((path) => !/^(?:README|docs\/index)\.md$/.test(path))
  assert.equal(paths.sort(), pages.sort())
})

test('The index has the five groups', () => {
  const [, ...groups] = pageAt('docs/index.md').sections.map(({ heading }) => heading)
  assert.equal(groups, ['Start', 'Guides', 'Reference', 'Operations', 'Project'])
})

testCoverage(test, 'docs/index.md')

test.run()
