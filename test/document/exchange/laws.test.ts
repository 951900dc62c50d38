import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { exportMenu } from '../../../src/document/exchange/export.js'
import { toMenuText } from '../../../src/document/new-menu.js'
import type { Json, JsonMap } from '../../../src/model/json.js'
import { isError } from '../../../src/model/problem.js'
import { sized } from '../../support/figures.js'
import { parse, toLines as toShort } from '../parsing.js'
import { imported, onlyMenu, toLines } from './importing.js'
import { validMenus } from './valid-menus.js'

const LOCALES = { locales: ['en', 'es', 'pt-BR'], defaultLocale: 'en' }
const RUNS = { numRuns: sized(80, 5_000) }

/** What of a menu the JSON of the bundle can express, written down a second time. */
function expressible(menu: JsonMap): unknown {
  const { label: _, ['x-own']: __, classes, ...display } = (menu['display'] ?? {}) as JsonMap
  return full({
    ...menu,
    display: full({ ...display, classes: full((classes ?? {}) as JsonMap) }),
    items: (menu['items'] as JsonMap[]).flatMap(expressibleItem) as Json,
  })
}

function expressibleItem(item: JsonMap): readonly unknown[] {
  if (item['hidden'] === true) return []
  const { id: _, hidden: __, attributes, children = [], ...rest } = item
  const isRouted = item['routeName'] !== undefined
  const { label, icon, routeParams, ...marks } = rest
  const isDivider = item['type'] === 'divider'
  return [
    full({
      ...marks,
      ...(!isDivider && { label: fullLabel(label ?? null), icon: icon ?? null }),
      ...(isRouted && { routeParams: routeParams ?? null }),
      permissionMode: item['permissionMode'] === 'any' ? 'any' : null,
      attributes: (attributes as JsonMap | undefined)?.['target'] === '_blank' ? { target: '_blank' } : null,
      children: (children as JsonMap[]).flatMap(expressibleItem) as Json,
    }),
  ]
}

/** A label that has a text in the default locale: the first of the locales that visitors are served, else any. */
function fullLabel(label: Json): Json {
  if (label === null || typeof label === 'string') return label
  const texts = Object.entries(label).filter(([, text]) => typeof text === 'string' && text.trim() !== '')
  const [first] = ['en', 'es', 'pt-BR'].flatMap((locale) => texts.filter(([tag]) => tag === locale))
  return { en: (first ?? texts[0])?.[1], ...Object.fromEntries(texts) } as JsonMap
}

/** A map without what counts as absent. */
function full(map: JsonMap): JsonMap {
  const isEmpty = (value: Json): boolean =>
    value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)
  return Object.fromEntries(Object.entries(map).filter(([, value]) => !isEmpty(value)))
}

/** A block as other programs read it: without the members that only we know. */
function asOthersReadIt(block: object): unknown {
  return JSON.parse(JSON.stringify(block, (key, value) => (key === 'menuscript' ? undefined : value)))
}

/** A value without what `full` takes away of the items list. */
function withItems(value: unknown): unknown {
  return { items: [], ...(value as object) }
}

test('A valid menu that is exported and imported is the same: hidden items, windows, ids and attributes too', () => {
  fc.assert(
    fc.property(validMenus, (value) => {
      const { menus, notes } = imported(JSON.stringify(exportMenu(value, LOCALES).block))
      assert.equal(toLines(notes.filter(({ kind }) => kind === 'refused' || kind === 'dropped')), [])
      const [is, wanted] = [menus[0]?.value, value].map((each) => JSON.parse(JSON.stringify(each)))
      if (!isDeepStrictEqual(is, wanted)) assert.equal(is, wanted)
    }),
    RUNS,
  )
})

test('A valid menu that is exported and imported is equal for other programs, but for what the JSON cannot express', () => {
  fc.assert(
    fc.property(validMenus, (value) => {
      assert.equal(toShort(parse(Buffer.from(toMenuText(null, value))).problems.filter(isError)), [])
      const { block } = exportMenu(value, LOCALES)
      const found = imported(asOthersReadIt(block))
      const { value: back } = onlyMenu(found)
      const [is, wanted] = [withItems(expressible(back)), withItems(expressible(value))]
      if (!isDeepStrictEqual(is, wanted)) assert.equal(is, wanted)
    }),
    RUNS,
  )
})

test('What was imported is the same after another export and import, without a note', () => {
  fc.assert(
    fc.property(validMenus, (value) => {
      const { block, notes } = exportMenu(value, LOCALES)
      // No hidden item is ever shown.
      const isHidden = JSON.stringify(value['items']).includes('"hidden":true')
      assert.is(
        toLines(notes).some((line) => /^dropped (\/(items|children)\/\d+)+$/.test(line)),
        isHidden,
      )
      const once = onlyMenu(imported(asOthersReadIt(block)))
      const exported = exportMenu(once.value, LOCALES)
      assert.equal(exported.notes, [])
      const again = onlyMenu(imported(exported.block))
      if (!isDeepStrictEqual(again.value, once.value)) assert.equal(again.value, once.value)
    }),
    RUNS,
  )
})

test.run()
