import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Context } from '../../src/model/menu.js'
import { select } from '../model/oracle.js'
import { sized } from '../support/figures.js'
import { menuPath, menuText, openSite } from './sites.js'

// The law of selection over HTTP: a fixed fallback does not exist.

const STORED: readonly Context[] = [
  {},
  { id: 1 },
  { id: '1' },
  { id: true },
  { id: null },
  { id: 1, plan: 'pro' },
  { plan: 'pro' },
  { 'a b&c=d?': 'ñ"\\' },
]
const MENUS = [
  ...STORED.map((context) => ({ code: 'main', context })),
  ...STORED.slice(1, 4).map((context) => ({ code: 'without-global', context })),
]
const site = await openSite(
  Object.fromEntries(
    MENUS.map(({ code, context }, place) => [`${place}.yaml`, menuText(code, `menu ${place}`, context)]),
  ),
)
test.after(() => site.close())

const near = fc.constantFrom<Context>(
  { id: 2 },
  { ID: 1 },
  { id: '' },
  { id: 1, plan: 'free' },
  { id: 1.5 },
  { id: -0 },
)
const candidates = fc.array(fc.oneof(fc.constantFrom(...STORED), near), { maxLength: 6 })
const reordered = (context: Context): Context => Object.fromEntries(Object.entries(context).reverse())

test('A random list of context sets selects exactly the first that is equal to a menu of the code', async () => {
  const law = fc.asyncProperty(
    fc.constantFrom('main', 'without-global'),
    candidates,
    fc.boolean(),
    async (code, sets, turned) => {
      const sent = turned ? sets.map(reordered) : sets
      const { json } = await site.ask(menuPath(code, sent))
      const winner = select(MENUS, code, sets)
      const expected = winner === null ? [] : [`menu ${MENUS.indexOf(winner)}`]
      assert.equal(
        (json() as { label: string }[]).map(({ label }) => label),
        expected,
      )
    },
  )
  await fc.assert(law, { numRuns: sized(150, 1_500) })
})

test('A menu that wins with an empty tree is the answer: the next candidate is not asked', async () => {
  const empty = JSON.stringify({ version: 1, code: 'empty', name: 'Empty', context: { id: 1 }, items: [] })
  const other = await openSite({ 'a.yaml': empty, 'b.yaml': menuText('empty', 'Global') })
  const { text, headers } = await other.ask(menuPath('empty', [{ id: 1 }, {}]))
  assert.is(text, '[]')
  assert.ok(Object.hasOwn(headers, 'menu-version'))
  await other.close()
})

test.run()
