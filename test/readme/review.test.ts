import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { inRepository } from '../support/repository.js'
import { plain } from './markdown.js'
import { ROOT, rowsUnder, tablesIn, takeBlocks, testCoverage } from './readme.js'
import { runMenuscript } from './shell.js'

test('The example of a review is what diff prints for these two menus', async () => {
  const blocks = takeBlocks('Review a change', ['yaml', 'yaml', 'sh', 'text', 'sh', 'markdown'])
  const [before = '', after = '', ask = '', text, askForComment = '', comment] = blocks
  const files = { 'menuscript.config.yaml': 'locales: [en, es]\n', 'menus/main.yaml': before }
  await inRepository(files, async ({ dir, git, write }) => {
    git('checkout', '--quiet', '-b', 'change')
    write('menus/main.yaml', after)
    const run = async (line: string) => (await runMenuscript(line, dir)).stdout
    assert.is(await run(ask), text)
    assert.is(await run(askForComment), comment)
    const report = JSON.parse(await run('menuscript diff main --json'))
    const named = tablesIn('The JSON report')[0]?.rows.flatMap(([cell]) => plain(cell).split(', '))
    assert.equal(named?.sort(), Object.keys(report).sort())
    const [menu] = report.menus
    const members = [...Object.keys(menu), ...Object.keys(menu.items[0])]
    const rows = rowsUnder('member', 'of', 'meaning').flatMap(([cell]) => plain(cell).split(', '))
    assert.equal([...new Set(members)].sort(), rows.sort())
  })
})

test('A range compares what its row describes', () =>
  inRepository({ 'menus/a.yaml': 'version: 1\ncode: a\nname: A\nitems: []\n' }, async (repository) => {
    const fork = repository.git('rev-parse', 'HEAD')
    repository.git('checkout', '--quiet', '-b', 'work')
    const head = repository.commit('Work', { 'a.txt': 'a' })
    repository.git('checkout', '--quiet', 'main')
    const base = repository.commit('Other', { 'b.txt': 'b' })
    repository.git('checkout', '--quiet', 'work')
    const compared = {
      none: [head, null],
      BASE: [fork, null],
      'BASE..HEAD': [base, head],
      'BASE...HEAD': [fork, head],
    }
    const rows = rowsUnder('range', 'compares').map(([cell]) => plain(cell))
    assert.equal(rows, Object.keys(compared))
    for (const [range, commits] of Object.entries(compared)) {
      const words = range === 'none' ? '' : range.replace('BASE', 'main')
      const { stdout } = await runMenuscript(`menuscript diff ${words} --json`, repository.dir)
      const report = JSON.parse(stdout)
      assert.equal([report.base.commit, report.head.commit], commits, range)
    }
  }))

test('Every form of a report has a row', async () => {
  const { stderr } = await runMenuscript('menuscript diff --format none', ROOT)
  const [, list = ''] = /choices are (.+)\./.exec(stderr) ?? []
  const rows = tablesIn('Review a change').flatMap((table) => table.rows)
  assert.equal(rows.map(([cell]) => plain(cell).split(' ')[1]).sort(), list.split(', ').sort())
})

testCoverage(test, 'docs/review.md')

test.run()
