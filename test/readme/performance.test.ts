import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { runProcess } from '../support/process.js'
import { pageAt, ROOT, rowsUnder, testCoverage } from './readme.js'

const PAGE = pageAt('docs/performance.md')
const HEAD = ['row', 'what', 'ratio', 'quartiles', 'goal', 'time', 'baseline', 'load', 'commit']
const rows = rowsUnder(...HEAD)

test('Every figure has its baseline, the load of the machine and the commit', () => {
  for (const row of rows) assert.ok(row.length === HEAD.length && row.every((cell) => cell !== ''), row[0])
})

test('Goals that are missed are named, and no others', () => {
  const [, named = ''] = /^Goals that are missed: (.*?)\. Goals/m.exec(PAGE.text) ?? []
  const missed = rows.filter(([, , ratio, , goal]) => Number(ratio) > Number(goal)).map(([name]) => name)
  assert.equal(named === 'none' ? [] : named.split(', '), missed)
})

test('The benchmark knows each command of the page', async () => {
  const { stdout } = await runProcess('node', ['--import', 'tsx', 'test/bench/run.ts', '--help'], {
    cwd: ROOT,
  })
  const commands = [...PAGE.text.matchAll(/`npm run bench -- ([\w-]+)`/g)].map(([, name = '']) => name)
  assert.ok(commands.length > 0)
  for (const name of commands) assert.match(stdout, new RegExp(`\\b${name}\\b`))
})

testCoverage(test, 'docs/performance.md')

test.run()
