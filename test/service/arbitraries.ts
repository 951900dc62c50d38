import fc from 'fast-check'
import type { Context, LinkItem, MenuItem, RouteParam, RouteParams } from '../../src/model/menu.js'
import { sameContext } from '../model/oracle.js'
import { anyText } from '../support/any-text.js'
import { sized } from '../support/figures.js'
import { divider, link, section } from '../support/items.js'
import type { Question, Site, Written } from './oracle.js'

/** How often each law is tried. */
export const RUNS: { readonly numRuns: number } = { numRuns: sized(100, 1_000) }

export const SITE: Site = {
  locales: ['en', 'es', 'pt-BR', 'zh-Hant'],
  defaultLocale: 'es',
  routes: {
    home: '/',
    user: '/:_locale/users/:id',
    page: '/pages/:page?',
    csv: '/reports/:id.csv',
    file: '/files/*',
    ___proto__: '/own/:__proto__',
  },
  prefixes: { 'bootstrap-icons': 'bi', bi: 'wrong:twice' },
}

const PERMISSIONS = ['a', 'b', 'c'] as const
const CODES = ['main', 'footer', '__proto__', 'constructor'] as const

/** Texts with what an address must encode, and with what must never stand in one. */
const paramTexts: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '',
      '.',
      '..',
      '...',
      'a b',
      'a/b',
      '/x',
      '//evil',
      '?&=#',
      '%2e%2e',
      'ñ',
      '\ud800',
    ),
  },
  anyText({ maxLength: 6 }).filter((text) => !/\p{Cc}/u.test(text)),
)
const scalars = fc.oneof(paramTexts, fc.integer(), fc.constantFrom(1.5, -0, true, false, null))
const paramValues: fc.Arbitrary<RouteParam> = fc.oneof(
  { weight: 4, arbitrary: scalars },
  fc.array(scalars, { maxLength: 3 }),
)
const paramNames = fc.constantFrom('id', 'page', '*', '_locale', '__proto__', 'constructor', 'q', 'a b')

export const routeParams: fc.Arbitrary<RouteParams> = fc
  .uniqueArray(fc.tuple(paramNames, paramValues), { maxLength: 4, selector: ([name]) => name })
  .map((pairs) => Object.fromEntries(pairs))

/** Patterns of one to four segments of every kind. */
export const patterns: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(
      fc.constantFrom('users', ':id', ':page?', ':id.csv', ':_locale', ':__proto__', ':constructor?', 'a.b'),
      { maxLength: 3 },
    ),
    fc.constantFrom([], ['*'], ['']),
  )
  .map(([segments, end]) => `/${[...segments, ...end].join('/')}`)

/** The same parameters without half characters: a file of UTF-8 holds none. */
const filedParams = routeParams.filter((params) => JSON.stringify(params).search(/\\ud[89a-f]/) === -1)

const labels = fc.oneof(
  fc.constantFrom('Text', '<b>', '{{7*7}}'),
  fc
    .subarray(['en', 'es', 'pt', 'pt-BR', 'zh', 'zh-Hant', 'fr'], { minLength: 1 })
    .map((tags) => Object.fromEntries(tags.map((tag) => [tag, `in ${tag}`]))),
)
const marks = fc.record({
  hidden: fc.constantFrom(false, false, false, true),
  permissions: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.subarray([...PERMISSIONS])),
  permissionMode: fc.constantFrom('all', 'any'),
})
const targets: fc.Arbitrary<Pick<LinkItem, 'routeName' | 'routeParams'>> = fc.record({
  routeName: fc.constantFrom(null, ...Object.keys(SITE.routes), 'unknown', 'constructor'),
  routeParams: filedParams,
})
const icons = fc.constantFrom(null, 'house', 'bootstrap-icons:house', 'bi:house', 'other:x')
const looks = fc.record({ label: labels, icon: icons, marks, target: targets })

/** Menus of all types of items, up to four levels deep. */
export const itemLists: fc.Arbitrary<readonly MenuItem[]> = fc.letrec<{ list: MenuItem[] }>((tie) => ({
  list: fc.array(
    fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      { weight: 1, arbitrary: marks.map((marked) => divider(marked)) },
      { weight: 3, arbitrary: looks.map((look) => toLink(look, [])) },
      { weight: 1, arbitrary: fc.tuple(looks, tie('list')).map(([look, list]) => toLink(look, list)) },
      {
        weight: 2,
        arbitrary: fc
          .tuple(looks, tie('list'))
          .map(([{ label, icon, marks: marked, target }, list]) =>
            section(label, list, { icon, ...marked, ...withoutLoose(target) }),
          ),
      },
    ),
    { maxLength: 5 },
  ),
})).list

type Look = typeof looks extends fc.Arbitrary<infer T> ? T : never

function toLink({ label, icon, marks: marked, target }: Look, children: readonly MenuItem[]): MenuItem {
  const url = target.routeName === null ? 'https://example.org/?a=b' : null
  return link(label, { icon, children, ...marked, ...withoutLoose(target), url })
}

/** Parameters stand only beside a route. */
function withoutLoose({ routeName, routeParams: params }: Pick<LinkItem, 'routeName' | 'routeParams'>) {
  return routeName === null ? {} : { routeName, routeParams: params }
}

const contexts: fc.Arbitrary<Context> = fc.constantFrom<Context>(
  {},
  { id: 1 },
  { id: '1' },
  { id: null },
  { id: 1, plan: 'pro' },
  { plan: 'pro', id: 1 },
  JSON.parse('{"__proto__": 1}'),
)

/** Menus of which no two have the same code and an equal context. */
export const folders: fc.Arbitrary<readonly Written[]> = fc.uniqueArray(
  fc.record({ code: fc.constantFrom(...CODES), context: contexts, items: itemLists }),
  { maxLength: 6, comparator: (a, b) => a.code === b.code && sameContext(a.context, b.context) },
)

const tags = fc.constantFrom(
  'en',
  'ES',
  'pt_br',
  'pt-PT',
  'zh-Hant-TW',
  'zh',
  'fr',
  '*',
  'x-klingon',
  '__proto__',
)

export const acceptLanguages: fc.Arbitrary<string> = fc
  .array(fc.tuple(tags, fc.constantFrom('', ';q=0', '; q=0.5', ';q=0.123', ';q=1')), {
    minLength: 1,
    maxLength: 5,
  })
  .map((ranges) => ranges.map(([tag, weight]) => tag.replace('_', '-') + weight).join(', '))

export const questions: fc.Arbitrary<Question> = fc.record({
  code: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...CODES) },
    fc.constantFrom('unknown', 'toString', ''),
  ),
  locale: fc.oneof(fc.constant(null), tags),
  acceptLanguage: fc.oneof(fc.constant(null), acceptLanguages),
  sets: fc.array(contexts, { maxLength: 4 }),
  permissions: fc.subarray([...PERMISSIONS]),
})
