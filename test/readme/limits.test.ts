import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Client, createAttempts } from '../../src/dashboard/access/attempts.js'
import { rowsUnder, testCoverage } from './readme.js'
import { textsOf } from './sources.js'

test('Attempts to sign in are slowed down as the table says', () => {
  const clients = [
    (at: number) => ({ account: `user ${at}`, network: 'one', device: null }),
    (at: number) => ({ account: 'ana', network: `network ${at}`, device: null }),
    () => ({ account: 'ana', network: 'one', device: 'laptop' }),
    () => ({ account: null, network: 'one', device: null }),
  ]
  const rows = rowsUnder('failed attempts', 'at once', 'then')
  assert.is(rows.length, clients.length)
  for (const [place, [what, most = '', every = '']] of rows.entries()) {
    const { take } = createAttempts(() => 0)
    const waits = Array.from({ length: 100 }, (_, at) => take(clients[place]?.(at) as Client))
    assert.is(waits.filter((seconds) => seconds === 0).length, Number.parseInt(most, 10), what)
    assert.match(every, `every ${waits.at(-1)} seconds`, what)
  }
})

test('The page lists the times of the server', () => {
  const source = ['src/http', 'src/web'].flatMap((folder) => textsOf(folder)).join('\n')
  for (const [, value = ''] of rowsUnder('limit', 'value')) {
    const [seconds] = /^\d+(?= seconds)/.exec(value) ?? []
    assert.ok(seconds === undefined || source.includes(` = ${seconds}_000\n`), value)
  }
})

testCoverage(test, 'docs/limits.md')

test.run()
