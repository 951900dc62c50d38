import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { toContextKey } from '../../src/model/context.js'
import type { MenuFile } from '../../src/model/menu-file.js'
import { isError } from '../../src/model/problem.js'
import { buildSnapshot, type Snapshot } from '../../src/model/snapshot.js'
import type { MenuRequest, Policies } from '../../src/service/hooks.js'
import type { MenuService } from '../../src/service/menu-service.js'
import type { Settings } from '../../src/service/settings.js'
import { sized } from '../support/figures.js'
import { UNTIMED } from '../support/items.js'
import { snapshotOf, toHash } from '../support/snapshot-of.js'
import { folders, itemLists, questions, RUNS, SITE } from './arbitraries.js'
import { answerTo, localeOf, type Question, type Written } from './oracle.js'
import { serviceOver, settingsOf, settingsOfSite, toText } from './services.js'

// The laws of a whole request: random menus, random requests, no hook but the one that says who asks.

const SETTINGS = settingsOfSite(SITE)
const WITH_VIEWER: Policies = {
  resolveViewer: ({ headers }) => ({ id: null, permissions: JSON.parse(String(headers['x-permissions'])) }),
}

/** The menus as files, read as a service reads them. */
function readSnapshot(menus: readonly Written[]): Snapshot {
  const files = menus.map((menu, place) => [`${place}.yaml`, toText(menu)] as const)
  const read = snapshotOf(Object.fromEntries(files))
  assert.equal(read.problems.filter(isError), [])
  return read
}

/** The menus past the parser, which would take most of the time; a menu that stays the same keeps its value. */
function snapshot(menus: readonly Written[], previous: Snapshot | null = null): Snapshot {
  const files = menus.map((written, place): MenuFile => {
    const path = `${place}.yaml`
    const version = toHash(JSON.stringify(written))
    const before = previous?.files.find((file) => file.path === path && file.version === version)
    const menu = { line: 1, name: 'A menu', display: {}, ...UNTIMED, ...written }
    return before ?? { path, version, menu, problems: [] }
  })
  return buildSnapshot({ files, previous, folderProblems: [], hash: toHash })
}

function ask(service: MenuService, { code, locale, acceptLanguage, sets, permissions }: Question) {
  const headers = {
    'x-permissions': JSON.stringify(permissions),
    ...(acceptLanguage !== null && { 'accept-language': acceptLanguage }),
  }
  const request: MenuRequest = { headers }
  const named = locale === null ? null : service.toEffectiveLocale(locale)
  const candidates = sets.map(toContextKey)
  const found = service.resolve(request, { code, locale: named, candidates })
  const tree = found.served === null ? null : service.view(request, found)
  return { locale: found.locale, path: found.served?.path ?? null, tree }
}

function serviceOf(menus: readonly Written[], settings: Settings = SETTINGS): MenuService {
  const read = snapshot(menus)
  return serviceOver(() => read, WITH_VIEWER, settings).service
}

test('Random menus and requests give the tree and the locale of the contract', () => {
  fc.assert(
    fc.property(folders, fc.array(questions, { minLength: 1, maxLength: 8 }), (menus, asked) => {
      const read = readSnapshot(menus)
      const { service } = serviceOver(() => read, WITH_VIEWER, SETTINGS)
      for (const question of asked) {
        const { tree, locale } = ask(service, question)
        assert.is(JSON.stringify(tree), JSON.stringify(answerTo(SITE, menus, question)))
        assert.is(locale, localeOf(SITE, question))
      }
    }),
    RUNS,
  )
})

test('Asking twice gives an equal answer, and never touches the one before', () => {
  fc.assert(
    fc.property(folders, questions, questions, (menus, one, other) => {
      const service = serviceOf(menus)
      const first = ask(service, one)
      const before = JSON.stringify(first)
      ask(service, other)
      assert.is(JSON.stringify(ask(service, one)), before)
      assert.is(JSON.stringify(first), before)
    }),
    RUNS,
  )
})

test('Cached values never leak between viewers, locales, contexts or versions of a menu', () => {
  const change = fc.record({ place: fc.nat(2), items: itemLists })
  const steps = fc.array(fc.oneof({ weight: 1, arbitrary: change }, { weight: 5, arbitrary: questions }), {
    minLength: 5,
    maxLength: 25,
  })
  fc.assert(
    fc.property(folders, steps, (start, taken) => {
      let menus = [...start]
      let current = snapshot(menus)
      const { service: kept } = serviceOver(() => current, WITH_VIEWER, SETTINGS)
      for (const step of taken) {
        if ('items' in step) {
          menus = menus.map((menu, place) => (place === step.place ? { ...menu, items: step.items } : menu))
          current = snapshot(menus, current)
          continue
        }
        // Questions that no menu answers would keep nothing: this one is for a menu that there is.
        const { code, context } = menus[step.sets.length % menus.length] ?? { code: '', context: {} }
        const question = { ...step, code, sets: [context] }
        assert.is(JSON.stringify(ask(kept, question)), JSON.stringify(ask(serviceOf(menus), question)))
      }
    }),
    { numRuns: sized(50, 500) },
  )
})

test('With nothing kept per viewer, the answers are the same', () => {
  const nothingKept: Settings = { ...SETTINGS, keeps: false }
  fc.assert(
    fc.property(folders, fc.array(questions, { maxLength: 5 }), (menus, asked) => {
      const one = serviceOf(menus)
      const other = serviceOf(menus, nothingKept)
      for (const question of asked) assert.equal(ask(other, question), ask(one, question))
    }),
    { numRuns: sized(40, 400) },
  )
})

test('An item asks for extra members only where the configuration does, after the six', () => {
  const text =
    '{version: 1, code: main, name: Main, items: [{id: home, label: Home, url: /, attributes: {class: x}}]}'
  const read = snapshotOf({ 'main.yaml': text })
  const nodeOf = (extra: readonly ('id' | 'attributes')[]) => {
    const api = { enabled: true, path_prefix: '/api/menu', node_members: extra, cors_origins: '*' } as const
    const { service } = serviceOver(() => read, {}, settingsOf({ api }))
    const query = { code: 'main', locale: null, candidates: [] }
    return service.view({ headers: {} }, service.resolve({ headers: {} }, query))[0]
  }
  assert.equal(Object.keys(nodeOf([]) ?? {}), ['label', 'href', 'routeName', 'icon', 'itemType', 'children'])
  const { id, attributes } = nodeOf(['id', 'attributes']) ?? {}
  assert.equal({ id, attributes }, { id: 'home', attributes: { class: 'x' } })
})

test.run()
