import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { HOME } from '../dashboard/visiting.js'
import { openSite } from '../http/sites.js'
import { SEED, sized } from '../support/figures.js'
import { test } from '../support/test.js'
import { openEditor } from './editing.js'

const ITEMS = 20
const { tree: anItem } = fc.letrec<{ tree: object }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 2 },
    fc.constant({ type: 'divider' }),
    fc.record({
      label: fc.constantFrom('A', '<b>', '\u202e', 'Ä'),
      url: fc.constant('/'),
      hidden: fc.boolean(),
    }),
    fc.record({
      type: fc.constant('section'),
      label: fc.constantFrom('Group', '"'),
      children: fc.array(tie('tree'), { maxLength: 3 }),
    }),
  ),
}))
const MENUS = fc.sample(fc.array(anItem, { minLength: 2, maxLength: 8 }), {
  seed: SEED,
  numRuns: sized(8, 100),
})

const site = await openSite(
  Object.fromEntries(
    MENUS.map((items, at) => [
      `t${at}.yaml`,
      JSON.stringify({ version: 1, code: `t${at}`, name: 't', items }),
    ]),
  ),
  // Now and then there are as many items or levels as there may be.
  { hasDashboard: true, config: { limits: { items: ITEMS, levels: 3 } } },
)
test.after(() => site.close())

/** The menus of all rows as the script makes them, and as the server does where there is none. */
const BOTH = `(async () => {
  const read = (menu) => [...menu.querySelectorAll('li')].flatMap((each) => {
    if (each.hidden) return []
    const [control, reason] = [each.querySelector('a, button'), each.querySelector('.soft')]
    const words = [control.textContent.trim(), control.disabled ? 'disabled' : '', reason?.textContent.trim() ?? '']
    return [[...words, control.pathname ? decodeURIComponent(control.pathname + control.search) : control.value].join(' | ')]
  })
  const pointerOf = (row) => {
    const above = row.parentElement.closest('li')
    const index = [...row.parentElement.children].indexOf(row)
    return (above === null ? '/items/' : pointerOf(above) + '/children/') + index
  }
  const rows = [...document.querySelectorAll('.tree li:has(> .row)')]
  return Promise.all(rows.map(async (row) => {
    const pointer = pointerOf(row)
    const more = row.querySelector(':scope > .row > .more')
    more.click()
    const script = read(row.querySelector(':scope > form'))
    more.click()
    const search = new URLSearchParams(location.search)
    search.set('open', pointer)
    const response = await fetch('${HOME}/edit?' + search, { headers: { accept: 'text/html' } })
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    return { pointer, script, server: read(page.querySelector('.tree form')) }
  }))
})()`

test(`The menu of a row offers and refuses what the server would, for the same reason (seed ${SEED})`, async () => {
  const { page, open } = await openEditor(site)
  let count = 0
  for (const at of MENUS.keys()) {
    await open(`t${at}.yaml`)
    const rows = await page.evaluate<readonly { pointer: string; script: unknown; server: unknown }[]>(BOTH)
    for (const { pointer, script, server } of rows) assert.equal(script, server, `t${at} ${pointer}`)
    count += rows.length
  }
  assert.ok(count > 2 * MENUS.length, String(count))
})

test.run()
