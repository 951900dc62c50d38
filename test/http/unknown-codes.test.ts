import * as assert from 'uvu/assert'
import { createUnknownCodes } from '../../src/service/notices.js'
import { createEventLog } from '../service/services.js'
import { closing, test } from '../support/test.js'
import { menuPath, menuText, openSite } from './sites.js'

const KNOWN = new Map([
  ['main', 1],
  ['sidebar', 1],
])
const MINUTE = 60_000

/** Notes on a clock of its own. */
function noting() {
  const { log, events } = createEventLog()
  let now = 5
  const note = createUnknownCodes(log, () => now)
  return {
    note: (...codes: readonly string[]) => {
      for (const code of codes) note(code, KNOWN.keys())
    },
    wait: (ms: number) => {
      now += ms
    },
    lines: () => events.map(({ fields }) => fields),
  }
}

test('An unknown code requested over HTTP is logged at info, with a suggestion', async () => {
  const site = closing(await openSite({ 'main.yaml': menuText('main', 'Home', { partner: 3 }) }))
  await site.ask('/api/menu/mian')
  await site.ask('/api/menu/mian')
  await site.ask('/api/menu/main')
  await site.ask(menuPath('main', [{ partner: 4 }]))
  const lines = site.events.filter(({ event }) => event === 'menu_unknown')
  assert.equal(
    lines.map(({ fields }) => fields),
    [{ code: 'mian', suggestion: 'main', requests: 1 }],
  )
})

test('One line a minute sums up the requests since the last: how many, and the latest codes', () => {
  const { note, wait, lines } = noting()
  note('mian', 'nosuch', 'nosuch', 'sidebra')
  assert.equal(lines(), [{ code: 'mian', suggestion: 'main', requests: 1 }])
  wait(MINUTE - 1)
  note('mian')
  assert.is(lines().length, 1)
  wait(1)
  note('sidebr')
  assert.equal(lines()[1], {
    code: 'sidebr',
    suggestion: 'sidebar',
    requests: 5,
    others: ['mian', 'sidebra', 'nosuch'],
  })
  wait(10 * MINUTE)
  note('gone')
  assert.equal(lines()[2], { code: 'gone', suggestion: null, requests: 1 })
})

test('However many codes visitors think of, and however long they are, a line stays a line', () => {
  const { note, wait, lines } = noting()
  for (let place = 0; place < 5_000; place++) note(`${place}-${'x'.repeat(5_000)}`)
  wait(MINUTE)
  note('last')
  assert.is(lines().length, 2)
  const [first, second = {}] = lines()
  assert.equal([second['requests'], (second['others'] as unknown[]).length], [5_000, 10])
  assert.ok(JSON.stringify([first, second]).length < 5_000)
})

test.run()
