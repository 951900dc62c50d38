import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { toContextKey } from '../../src/model/context.js'
import { isError } from '../../src/model/problem.js'
import type { Policies } from '../../src/service/hooks.js'
import type { Resolution } from '../../src/service/resolution.js'
import { isWithin, type Limits, timed, times, windows } from '../model/windows.js'
import { snapshotOf } from '../support/snapshot-of.js'
import { folders, itemLists, questions, RUNS, SITE } from './arbitraries.js'
import { answerTo, type Written } from './oracle.js'
import { serviceOver, settingsOfSite, toText } from './services.js'

const SETTINGS = settingsOfSite(SITE)
const WITH_VIEWER: Policies = {
  resolveViewer: ({ headers }) => ({ id: null, permissions: JSON.parse(String(headers['x-permissions'])) }),
}

type Timed = Written & Limits

/** Menus and items with windows. */
const timedFolders: fc.Arbitrary<readonly Timed[]> = folders.chain((menus) => {
  const each = menus.map((menu) =>
    fc
      .tuple(windows, timed(fc.oneof(fc.constant(menu.items), itemLists)))
      .map(([window, items]): Timed => ({ ...menu, ...window, items })),
  )
  return fc.tuple(...each)
})

/** The menu at a time, without what is outside its window. */
function atTime({ items, ...menu }: Timed, now: number): Written {
  const hide = (list: Timed['items']): Timed['items'] =>
    list.map((item) => ({
      ...item,
      hidden: item.hidden || !isWithin(item, now),
      ...(item.type !== 'divider' && { children: hide(item.children) }),
    }))
  return { ...menu, items: hide(items) }
}

test('At any time, in any order, a request gets what it would get without the menus and items outside their windows', () => {
  const law = fc.property(
    timedFolders,
    fc.array(fc.tuple(questions, times, times), { minLength: 1, maxLength: 12 }),
    (menus, asked) => {
      const files = menus.map((menu, place) => [`${place}.yaml`, toText(menu)] as const)
      const snapshot = snapshotOf(Object.fromEntries(files))
      assert.equal(snapshot.problems.filter(isError), [])
      let now = 0
      const { service } = serviceOver(
        () => snapshot,
        WITH_VIEWER,
        SETTINGS,
        () => now,
      )
      for (const [question, time, later] of asked) {
        const { code, locale, acceptLanguage, sets, permissions } = question
        const headers = {
          'x-permissions': JSON.stringify(permissions),
          ...(acceptLanguage !== null && { 'accept-language': acceptLanguage }),
        }
        const effective = locale === null ? null : service.toEffectiveLocale(locale)
        const query = { code, locale: effective, candidates: sets.map(toContextKey) }
        const ask = (): readonly [text: string, resolution: Resolution] => {
          const resolution = service.resolve({ headers }, query)
          const tree = resolution.served === null ? null : service.view({ headers }, resolution)
          return [JSON.stringify(tree), resolution]
        }
        now = time
        const [text, { until }] = ask()
        const present = menus.filter((menu) => isWithin(menu, now)).map((menu) => atTime(menu, now))
        assert.is(text, JSON.stringify(answerTo(SITE, present, question)))
        assert.ok(until > now)
        now = later
        if (time <= later && later < until) assert.is(ask()[0], text)
      }
    },
  )
  fc.assert(law, RUNS)
})

const MENU = (from: string, until: string, context = '{}') =>
  `version: 1\ncode: main\nname: Main\ncontext: ${context}\n${from}${until}items:\n  - { label: Home, url: / }\n`
const [DECEMBER, JANUARY] = [Date.UTC(2026, 11, 1), Date.UTC(2027, 0, 1)]

test('A menu outside its window gives way to the next candidate, and its opening ends what was answered before', () => {
  const snapshot = snapshotOf({
    'winter.yaml': MENU(
      'visibleFrom: 2026-12-01T00:00:00Z\n',
      'visibleUntil: 2027-01-01T00:00:00Z\n',
      '{ a: 1 }',
    ),
    'main.yaml': MENU('', '', 'null').replace('context: null\n', ''),
  })
  const { service } = serviceOver(() => snapshot)
  const at = (now: number) => {
    const candidates = [{ a: 1 }, {}].map(toContextKey)
    const { served, candidate, until } = service.resolve(
      { headers: {} },
      { code: 'main', locale: null, candidates, now },
    )
    return [served?.path, candidate, until]
  }
  assert.equal(at(DECEMBER - 1), ['main.yaml', 1, DECEMBER])
  assert.equal(at(DECEMBER), ['winter.yaml', 0, JANUARY])
  assert.equal(at(JANUARY), ['main.yaml', 1, Number.POSITIVE_INFINITY])
  assert.equal(
    snapshot.files.map(({ path, problems }) => [path, problems]),
    [
      ['main.yaml', []],
      ['winter.yaml', []],
    ],
  )
})

test('Between two boundaries a menu is one value, and a menu without windows is always the same', () => {
  const snapshot = snapshotOf({
    'a.yaml': MENU('', 'visibleUntil: 2027-01-01T00:00:00Z\n')
      .replace('code: main', 'code: a')
      .replace('context: {}\n', ''),
    'b.yaml': MENU('', '').replace('code: main', 'code: b').replace('context: {}\n', ''),
  })
  const { service } = serviceOver(() => snapshot)
  const servedAt = (code: string, now: number) =>
    service.resolve({ headers: {} }, { code, locale: null, candidates: [], now }).served
  assert.is(servedAt('a', DECEMBER), servedAt('a', JANUARY - 1))
  assert.is(servedAt('b', 0), snapshot.served.get('b.yaml'))
})

test.run()
