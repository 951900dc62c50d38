import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Policies } from '../../src/service/hooks.js'
import { menu, type OpenPages, type Pages, requestFor, rule } from './pages.js'

const LOCALES = ['en', 'es', 'pt-BR', 'zh-Hant']
const ITEMS = [
  {
    label: Object.fromEntries(LOCALES.map((tag) => [tag, `in ${tag}`])),
    routeName: 'news',
  },
]

function openShop(open: OpenPages, policies: Policies = {}): Pages {
  const options = { locales: LOCALES, default_locale: 'pt-BR', routes: { news: '/:_locale/news' } }
  return open({ 'main.yaml': menu('main', ITEMS) }, { options, policies })
}

/** The label and the path of the one item. */
function seen({ tree }: Pages, locale: unknown, request: object = requestFor('/')): string {
  const [node] = tree("dashboard_menu_tree('main', locale)", { locale, request })
  return `${node?.label} ${node?.href}`
}

const ARGUMENTS: Readonly<Record<string, string>> = {
  en: 'en',
  ES: 'es',
  es_MX: 'es',
  'es-mx': 'es',
  PT_br: 'pt-BR',
  'pt-br-x-klingon': 'pt-BR',
  zh_hant_TW: 'zh-Hant',
  pt: 'pt-BR',
  zh: 'pt-BR',
  fr: 'pt-BR',
  '*': 'pt-BR',
  'not a tag': 'pt-BR',
  __proto__: 'pt-BR',
  constructor: 'pt-BR',
}

for (const [argument, locale] of Object.entries(ARGUMENTS)) {
  rule(`The locale ${argument} is ${locale}, whatever the request says`, (open) => {
    const request = { ...requestFor('/', { 'accept-language': 'en' }), locale: 'en' }
    const pages = openShop(open)
    assert.is(seen(pages, argument, request), `in ${locale} /${locale}/news`)
    assert.equal(pages.events, [])
  })
}

rule(
  'Without an argument the language is that of the request: its locale, else Accept-Language, else the default',
  (open) => {
    const pages = openShop(open)
    const cases: readonly (readonly [request: object, locale: string])[] = [
      [requestFor('/'), 'pt-BR'],
      [requestFor('/', { 'accept-language': 'es' }), 'es'],
      [requestFor('/', { 'accept-language': 'fr, es-MX;q=0.5, en;q=0.1' }), 'es'],
      [requestFor('/', { 'accept-language': 'fr' }), 'pt-BR'],
      [{ ...requestFor('/', { 'accept-language': 'es' }), locale: 'EN_gb' }, 'en'],
      [{ url: '/', locale: 'zh_Hant', headers: {}, params: {} }, 'zh-Hant'],
    ]
    for (const [request, locale] of cases) {
      for (const argument of [null, undefined, ''])
        assert.is(seen(pages, argument, request), `in ${locale} /${locale}/news`)
    }
    assert.equal(pages.events, [])
  },
)

// What `_locale=fr` gives at the endpoint, though the browser would like Spanish.
rule('A locale of the request that is none of ours is the default one', (open) => {
  const request = { ...requestFor('/', { 'accept-language': 'es' }), locale: 'fr' }
  assert.is(seen(openShop(open), null, request), 'in pt-BR /pt-BR/news')
})

rule('A locale of the request that is not a text counts as none, and Accept-Language is asked', (open) => {
  for (const locale of [null, undefined, '', 7, {}, ['en'], () => 'en']) {
    const request = { ...requestFor('/', { 'accept-language': 'es' }), locale }
    assert.is(seen(openShop(open), null, request), 'in es /es/news')
  }
})

rule('The hook takes precedence over the request, and the argument over the hook', (open) => {
  const pages = openShop(open, { resolveLocale: () => 'ZH_Hant-HK' })
  const request = { ...requestFor('/', { 'accept-language': 'es' }), locale: 'en' }
  assert.is(seen(pages, null, request), 'in zh-Hant /zh-Hant/news')
  assert.is(seen(pages, 'es', request), 'in es /es/news')
  assert.is(seen(openShop(open, { resolveLocale: () => 'fr' }), null, request), 'in pt-BR /pt-BR/news')
  assert.is(seen(openShop(open, { resolveLocale: () => '' }), null, request), 'in pt-BR /pt-BR/news')
})

rule('A locale that is not a text takes no page down and is logged once', (open) => {
  for (const locale of [7, true, {}, ['es']]) {
    const { render, events } = openShop(open)
    for (let times = 0; times < 3; times++)
      assert.match(render("{{ dashboard_menu_tree('main', locale) | length }}.", { locale }), /^[01]\.$/)
    assert.is(events.length, 1)
  }
})

rule(
  'The entries of a language switch lead to their own language, and the one of the page is current',
  (open) => {
    const items = LOCALES.map((_locale) => ({ label: _locale, routeName: 'news', routeParams: { _locale } }))
    const options = { locales: LOCALES, routes: { news: '/:_locale/news' } }
    const { tree, events } = open({ 'main.yaml': menu('main', items) }, { options })
    const nodes = tree("dashboard_menu_tree('main', 'en')", { request: requestFor('/es/news') })
    assert.equal(
      nodes.map(({ href, isCurrent }) => (isCurrent ? `${href} is current` : href)),
      ['/en/news', '/es/news is current', '/pt-BR/news', '/zh-Hant/news'],
    )
    assert.equal(events, [])
  },
)

rule('Each visitor gets an answer in their own language, in any order', (open) => {
  const pages = openShop(open)
  for (const tag of ['es', 'en', 'zh-Hant', 'es', 'pt-BR', 'en'])
    assert.is(seen(pages, null, requestFor('/', { 'accept-language': tag })), `in ${tag} /${tag}/news`)
})

test.run()
