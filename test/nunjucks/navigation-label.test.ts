import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { outlineOf } from './outline.js'
import { menu, type OpenPages, type Pages, requestFor, rule } from './pages.js'

// How visitors hear of a menu: `display.label`, and where there is none its `name`, which is for editors.

const ITEMS = [{ label: 'Home', url: '/' }]
const LABEL = { en: 'Shop', es: 'Tienda' }

function openShop(open: OpenPages, display: object): Pages {
  const options = { locales: ['en', 'es', 'fr'] }
  return open({ 'main.yaml': menu('main', ITEMS, { display }) }, { options })
}

/** What the navigation is called in a request. */
function nameIn({ render }: Pages, call = "dashboard_menu_html('main')", request = requestFor('/')): string {
  return /^<nav aria-label="([^"]*)">/.exec(render(`{{ ${call} }}`, { request }))?.[1] ?? 'no name'
}

rule('display.label names the navigation, in the language of the labels of its items', (open) => {
  const pages = openShop(open, { label: LABEL })
  const asked = (tag: string) => requestFor('/', { 'accept-language': tag })
  assert.is(nameIn(pages), 'Shop')
  assert.is(nameIn(pages, "dashboard_menu_html('main', 'es')"), 'Tienda')
  assert.is(nameIn(pages, "dashboard_menu_html('main', 'es-MX')"), 'Tienda')
  assert.is(nameIn(pages, "dashboard_menu_html('main', 'fr')"), 'Shop', 'the default locale')
  assert.is(nameIn(pages, undefined, asked('es')), 'Tienda')
  assert.is(
    nameIn(openShop(open, { label: 'Everywhere' }), "dashboard_menu_html('main', 'es')"),
    'Everywhere',
  )
  assert.is(nameIn(openShop(open, { label: { fr: 'Magasin', es: '' } })), 'Magasin', 'any text')
  assert.equal(pages.events, [])
})

rule('Without it the name of the menu is used, and a keyword takes precedence over both', (open) => {
  assert.is(nameIn(openShop(open, {})), 'The main menu')
  for (const display of [{}, { label: LABEL }]) {
    assert.is(nameIn(openShop(open, display), "dashboard_menu_html('main', label='Mine')"), 'Mine')
  }
})

rule(
  'It is the text of the toggle of a menu that folds, and breadcrumbs keep a name of their own',
  (open) => {
    const { render } = openShop(open, { label: LABEL, collapsible: true })
    const [nav, summary] = ['nav', 'summary'].map((name) =>
      outlineOf(render("{{ dashboard_menu_html('main', 'es') }}")).find((element) => element.name === name),
    )
    assert.equal([nav?.attributes['aria-label'], summary?.text], ['Tienda', 'Tienda'])
    const crumbs = render("{{ dashboard_menu_breadcrumbs('main', 'es') }}")
    assert.match(crumbs, '<nav aria-label="Breadcrumb">')
  },
)

rule('It is text, with any content, with autoescape on or off', (open) => {
  const label = `"><script>alert('1')</script>&amp;{{ 7 * 7 }}`
  for (const autoescape of [true, false]) {
    const display = { label, collapsible: true }
    const { render } = open({ 'main.yaml': menu('main', ITEMS, { display }) }, { autoescape })
    const elements = outlineOf(render("{{ dashboard_menu_html('main') }}"))
    const names = elements.map(({ name }) => name)
    assert.equal(names, ['nav', 'details', 'summary', 'ul', 'li', 'a'])
    assert.is(elements[0]?.attributes['aria-label'], label)
    assert.is(elements[2]?.text, label)
  }
})

rule(
  'The configuration has it in the language of the request or of the keyword, and null where there is none',
  (open) => {
    const { config } = openShop(open, { label: { EN: 'Shop', es: 'Tienda' } })
    const labelIn = (call: string, tag = 'en') =>
      config(call, { request: requestFor('/', { 'accept-language': tag }) }).label
    assert.is(labelIn("dashboard_menu_config('main')"), 'Shop')
    assert.is(labelIn("dashboard_menu_config('main')", 'es'), 'Tienda')
    assert.is(labelIn("dashboard_menu_config('main', locale='es')"), 'Tienda')
    assert.is(openShop(open, {}).config("dashboard_menu_config('main')").label, null)
    assert.is(openShop(open, { label: 'A' }).config("dashboard_menu_config('none')").label, null)
  },
)

rule(
  'A hook that sets the language sets that of the name, too, and one that fails leaves the default',
  (open) => {
    const menus = { 'main.yaml': menu('main', ITEMS, { display: { label: LABEL } }) }
    const named = (resolveLocale: () => string) => {
      const pages = open(menus, { policies: { resolveLocale } })
      return [nameIn(pages), pages.config("dashboard_menu_config('main')").label]
    }
    assert.equal(
      named(() => 'es'),
      ['Tienda', 'Tienda'],
    )
    assert.equal(
      named(() => JSON.parse('no')),
      ['Shop', 'Shop'],
    )
  },
)

test.run()
