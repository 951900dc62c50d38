import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { NO_CONTEXT, toContextKey } from '../../src/model/context.js'
import type { Context } from '../../src/model/menu.js'
import { buildSnapshot } from '../../src/model/snapshot.js'
import { UNTIMED } from '../support/items.js'
import { snapshotOf } from '../support/snapshot-of.js'
import { serviceOver } from './services.js'

// A context that is nearly one of a menu gives nothing, by contract; the log says so.

const VARIANTS: readonly Context[] = [{ partner: 3 }, { partner: 'acme' }, { tenantId: 'x', plan: 'pro' }]
const SITE = snapshotOf(
  Object.fromEntries(
    VARIANTS.map((context, place) => [
      `main-${place}.yaml`,
      JSON.stringify({ version: 1, code: 'main', name: 'Main', context, items: [] }),
    ]),
  ),
)

function ask(sets: readonly Context[], code = 'main') {
  const { service, events } = serviceOver(() => SITE)
  const candidates = sets.map(toContextKey)
  const turn = () => service.resolve({ headers: {} }, { code, locale: null, candidates })
  return { turn, events }
}

/** A context that is sent, and the one that was probably meant. */
const NEAR: readonly (readonly [sent: Context, meant: RegExp])[] = [
  [{ partner: '3' }, /\{partner: "3"\}.*\{partner: 3\} in main-0\.yaml only in types/],
  [{ Partner: 3 }, /\{Partner: 3\}.*\{partner: 3\} in main-0\.yaml only in .*case/],
  [{ partner: 'ACME ' }, /\{partner: "acme"\} in main-1\.yaml/],
  [{ partnr: 3 }, /\{partner: 3\} in main-0\.yaml only in the spelling of a key/],
  [{ tenant_id: 'x', plan: 'PRO' }, /in main-2\.yaml/],
]

for (const [sent, meant] of NEAR) {
  test(`Nothing answers to ${JSON.stringify(sent)}, and one line of the log names the near miss`, () => {
    const { turn, events } = ask([{ other: 1 }, sent])
    for (let times = 0; times < 3; times++) assert.is(turn().served, null)
    assert.is(events.length, 1, JSON.stringify(events))
    const { event, fields } = events[0] ?? { event: '', fields: {} }
    assert.equal([event, fields['code']], ['context_nearly_matches', 'main'])
    assert.match(String(fields['what']), meant)
  })
}

test('A context that is near none, an unknown code and an answered request log nothing', () => {
  for (const [sets, code] of [
    [[{ partner: 4 }], 'main'],
    [[{ other: '3' }], 'main'],
    [[{}], 'main'],
    [[{ partner: '3' }], 'none'],
    [[{ partner: '3' }, { partner: 3 }], 'main'],
  ] as const) {
    const { turn, events } = ask(sets, code)
    turn()
    assert.equal(events, [])
  }
})

test('However many contexts visitors send, the log gets at most a thousand lines', () => {
  const { service, events } = serviceOver(() => SITE)
  for (let place = 0; place < 3_000; place++) {
    const candidates = [toContextKey({ partner: '3' }), `"x":${place}`, NO_CONTEXT]
    service.resolve({ headers: {} }, { code: 'main', locale: null, candidates })
  }
  assert.is(events.length, 1_000)
})

test('Where a code has thousands of variants, every context of a request is compared with all of them', () => {
  const files = Array.from({ length: 10_001 }, (_, partner) => ({
    path: `main-${partner}.yaml`,
    version: String(partner),
    menu: { line: 1, code: 'main', name: 'Main', context: { partner }, display: {}, items: [], ...UNTIMED },
    problems: [],
  }))
  const hash = (text: string): string => String(text.length)
  const snapshot = buildSnapshot({ files, previous: null, folderProblems: [], hash })
  const { service, events } = serviceOver(() => snapshot)
  const resolve = (...sets: readonly Context[]) =>
    service.resolve({ headers: {} }, { code: 'main', locale: null, candidates: sets.map(toContextKey) })
  resolve(...Array.from({ length: 63 }, (_, other) => ({ other })), { partner: '7' })
  assert.is(events.length, 1)
  resolve({ partner: '8' }, { other: 1 })
  assert.is(events.length, 2)
})

test.run()
