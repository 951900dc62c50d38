import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { labelsOf, menu, rule } from './pages.js'

// Templates follow time windows, as the endpoint does.

const [DECEMBER, JANUARY] = [Date.UTC(2026, 11, 1), Date.UTC(2027, 0, 1)]
const [visibleFrom, visibleUntil] = ['2026-12-01T01:00:00+01:00', '2027-01-01T00:00:00Z']
const SALE = { label: 'Sale', url: '/sale', id: 'sale', visibleFrom, visibleUntil }
const MENUS = {
  'main.yaml': menu('main', [{ label: 'Home', url: '/' }, { type: 'divider' }, SALE]),
  'main.sale.yaml': menu('main', [SALE], { context: { sale: true }, visibleFrom }),
}

rule('Trees and HTML change with the windows of items and menus, and back with the clock', (open) => {
  let now = 0
  const { tree, render } = open(MENUS, { clock: () => now })
  const shownAt = (time: number): readonly unknown[] => {
    now = time
    return [
      labelsOf(tree("dashboard_menu_tree('main')")).join(),
      labelsOf(tree("dashboard_menu_tree('main', null, [{ sale: true }, null])")).join(),
      render("{{ dashboard_menu_html('main') }}").includes('Sale'),
    ]
  }
  const [outside, within] = [
    ['Home', 'Home', false],
    ['Home,,Sale', 'Sale', true],
  ]
  assert.equal([DECEMBER - 1, DECEMBER, JANUARY - 1, DECEMBER - 1].map(shownAt), [
    outside,
    within,
    within,
    outside,
  ])
  assert.equal(shownAt(JANUARY), ['Home', '', false])
})

rule('A template does not see the window of an item', (open) => {
  const { tree } = open(MENUS, { clock: () => DECEMBER })
  const [, , sale] = tree("dashboard_menu_tree('main')")
  assert.is(sale?.label, 'Sale')
  assert.not.ok(Object.keys(sale ?? {}).some((name) => name.startsWith('visible')))
})

test.run()
