import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { closing, test } from '../support/test.js'
import { openSite } from './sites.js'

const SHARED = /^public, max-age=0, s-maxage=(\d+), stale-while-revalidate=(\d+)$/

function menu(code: string, keys: object, items: readonly object[]): string {
  return JSON.stringify({ version: 1, code, name: code, ...keys, items })
}

/** What each path answers before and after the window, and within. */
const EXPECTED: Readonly<Record<string, readonly [outside: string, within: string]>> = {
  '/api/menu/main': ['Home', 'Home,,Sale'],
  [`/api/menu/shop?_context_sets=${encodeURIComponent('[{"a":1},{}]')}`]: ['All year', 'Only now'],
}

test('Over a socket, items and menus come and go with their windows, and no cache may keep an answer for longer', async () => {
  const start = Date.now()
  const [opens, closes] = [start + 2_000, start + 3_500]
  const window = {
    visibleFrom: new Date(opens).toISOString(),
    visibleUntil: new Date(closes).toISOString(),
  }
  const [home, sale] = [
    { label: 'Home', url: '/' },
    { label: 'Sale', url: '/sale', ...window },
  ]
  const site = closing(
    await openSite({
      'main.yaml': menu('main', {}, [home, { type: 'divider' }, sale]),
      'shop.yaml': menu('shop', {}, [{ label: 'All year', url: '/' }]),
      'sale.yaml': menu('shop', { context: { a: 1 }, ...window }, [{ label: 'Only now', url: '/' }]),
    }),
  )
  const tags = new Map<string, Set<string>>()
  for (let isOver = false; !isOver; await sleep(20)) {
    isOver = Date.now() >= closes
    for (const [path, expected] of Object.entries(EXPECTED)) {
      const asked = Date.now()
      const { headers, text } = await site.ask(path)
      const answered = Date.now()
      const next = [opens, closes].find((time) => time > asked) ?? Number.POSITIVE_INFINITY
      // It may be of either side of the boundary.
      if (answered >= next) continue
      const labels = (JSON.parse(text) as { label: string }[]).map(({ label }) => label).join()
      assert.is(labels, expected[asked >= opens && asked < closes ? 1 : 0], `${asked - opens} ms`)
      const control = headers['cache-control'] ?? ''
      const [, fresh, stale] = SHARED.exec(control) ?? []
      assert.ok(asked + (Number(fresh) + Number(stale)) * 1000 <= next, `${control} at ${asked - opens} ms`)
      assert.is(headers['vary'], 'Accept-Encoding, Accept-Language')
      const known = headers['etag'] ?? ''
      tags.set(labels, (tags.get(labels) ?? new Set()).add(known))
      if (isOver) assert.is(control, 'public, max-age=0, s-maxage=60, stale-while-revalidate=10')
    }
  }
  // Each answer has one tag, and no two have the same.
  for (const [outside, within] of Object.values(EXPECTED))
    for (const labels of [outside, within]) assert.is(tags.get(labels)?.size, 1, labels)
  assert.is(new Set([...tags.values()].flatMap((each) => [...each])).size, tags.size)
  for (const [path, [outside, within]] of Object.entries(EXPECTED)) {
    const [old = ''] = tags.get(within) ?? []
    const [now = ''] = tags.get(outside) ?? []
    assert.is((await site.ask(path, { headers: { 'if-none-match': old } })).status, 200)
    assert.is((await site.ask(path, { headers: { 'if-none-match': now } })).status, 304)
  }
})

test.run()
