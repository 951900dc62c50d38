import fc from 'fast-check'
import type { Json, JsonMap } from '../../../src/model/json.js'
import { anyText } from '../../support/any-text.js'

/** Texts that every file may have: control characters are refused everywhere. */
const texts = fc
  .oneof(
    fc.constantFrom(
      'on',
      'null',
      '~',
      '1e3',
      '007',
      '- x',
      'a: b # c',
      '<<',
      '@',
      "'",
      '"',
      'two\nlines',
      '{}',
      'a ',
    ),
    anyText({ minLength: 1, maxLength: 12 }),
  )
  .filter((text) => !/[\p{Cc}\ufffe\uffff]/u.test(text.replaceAll('\n', '')))
const words = texts.filter((text) => text.trim() !== '')
const scalars = fc.oneof(
  texts,
  fc.integer(),
  fc.constantFrom<Json>(true, false, null, '', 0.5, -1e-7, '1', 9007199254740991),
)
const keys = fc.oneof(texts, fc.constantFrom('__proto__', 'constructor', 'id', '<<'))

function mapsOf(
  names: fc.Arbitrary<string>,
  values: fc.Arbitrary<Json>,
  minLength = 0,
): fc.Arbitrary<JsonMap> {
  return fc
    .uniqueArray(fc.tuple(names, values), { minLength, maxLength: 3, selector: ([name]) => name })
    .map((entries) => Object.fromEntries(entries))
}

/** A map with any of these keys. */
function some(shape: Readonly<Record<string, fc.Arbitrary<Json>>>): fc.Arbitrary<JsonMap> {
  return fc.record(shape, { requiredKeys: [] }) as fc.Arbitrary<JsonMap>
}

const tags = fc.constantFrom('en', 'es', 'pt-BR', 'fr')
const labels: fc.Arbitrary<Json> = fc.oneof(
  words,
  mapsOf(tags, fc.oneof({ weight: 4, arbitrary: words }, fc.constantFrom<Json>(null, '', ' ')), 1).filter(
    (label) => Object.values(label).some((text) => typeof text === 'string' && text.trim() !== ''),
  ),
)
const icons = fc.constantFrom<Json>('bootstrap-icons:house', 'trello', '', null)
const classes = fc.constantFrom<Json>('nav', 'nav flex-column', 'a:b/c', '')
const routes = fc.constantFrom('home', 'shop.room', 'a:b')
const params = mapsOf(keys, fc.oneof(scalars, fc.array(scalars, { maxLength: 2 })))
const free = fc.oneof(scalars, fc.array(scalars, { maxLength: 2 }), mapsOf(keys, scalars))
const permission = fc.constantFrom('a', 'reports.view', 'two words')

const common = {
  permissions: fc.array(permission, { maxLength: 3 }),
  permissionMode: fc.constantFrom('all', 'any'),
  attributes: some({
    target: fc.constantFrom('_blank', '_self'),
    rel: fc.constantFrom('noopener', 'nofollow'),
    class: classes,
    download: fc.boolean(),
    'data-a': fc.integer(),
  }),
  hidden: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
  'x-itemType': fc.constantFrom<Json>('service', 'other'),
  'x-linkResolver': free,
  'x-badge': free,
}
const labelled = { ...common, icon: icons }
const destinations: fc.Arbitrary<JsonMap> = fc.oneof(
  fc.record({ routeName: routes, routeParams: params }, { requiredKeys: ['routeName'] }),
  fc.record(
    {
      url: fc.constantFrom('/', '/a?b=c#d', 'https://example.org/', 'mailto:a@example.org'),
      routeParams: params,
    },
    { requiredKeys: ['url'] },
  ),
)

const items: fc.Arbitrary<JsonMap[]> = fc.letrec<{ list: JsonMap[] }>((tie) => {
  const below = fc.option(
    tie('list').map((children) => ({ children })),
    { nil: {} },
  )
  return {
    list: fc.array(
      fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        some({ ...common, label: words }).map((own): JsonMap => ({ type: 'divider', ...own })),
        fc
          .tuple(labels, destinations, some(labelled), below)
          .map(([label, to, own, children]): JsonMap => ({ label, ...to, ...own, ...children })),
        fc
          .tuple(labels, some({ ...labelled, routeName: routes, routeParams: params }), below)
          .map(([label, own, children]): JsonMap => ({ type: 'section', label, ...own, ...children })),
      ),
      { maxLength: 4 },
    ),
  }
}).list

const displays = some({
  classes: some({ menu: classes, item: classes, current: classes, branch: classes }),
  htmlId: fc.constantFrom<Json>('top', null),
  depthLimit: fc.constantFrom<Json>(1, 64, null),
  collapsible: fc.boolean(),
  collapsibleExpanded: fc.boolean(),
  nestedCollapsible: fc.boolean(),
  icon: icons,
  label: labels,
  'x-classHasChildren': free,
  'x-nestedCollapsibleSections': free,
  'x-own': free,
})

/** The values of valid menu files, every key of the format among them. Some items have ids. */
export const validMenus: fc.Arbitrary<JsonMap> = fc
  .record({
    code: fc.constantFrom('main', 'a.b', '123', '_'),
    name: words.filter((name) => name.length <= 200),
    rest: some({
      context: fc.option(mapsOf(keys, scalars), { nil: null }),
      display: displays,
      'x-base': free,
      'x-owner': free,
    }),
    items,
    ids: fc.boolean(),
  })
  .map(({ code, name, rest, items: list, ids }) => ({
    version: 1,
    code,
    name,
    ...rest,
    items: ids ? withIds(list, 'i') : list,
  }))

function withIds(list: readonly JsonMap[], prefix: string): JsonMap[] {
  return list.map((item, place) => {
    const id = `${prefix}-${place}`
    const children = item['children'] as JsonMap[] | undefined
    return { id, ...item, ...(children !== undefined && { children: withIds(children, id) }) }
  })
}
