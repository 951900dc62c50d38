import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { toContextKey } from '../../../src/model/context.js'
import type { Context } from '../../../src/model/menu.js'
import type { Snapshot } from '../../../src/model/snapshot.js'
import type { ExplainedItem } from '../../../src/service/explain/explanation.js'
import type { Policies, Viewer } from '../../../src/service/hooks.js'
import type { MenuService } from '../../../src/service/menu-service.js'
import { sized } from '../../support/figures.js'
import { snapshotOf, toHash } from '../../support/snapshot-of.js'
import { folders, questions, SITE } from '../arbitraries.js'
import { toFiled } from '../filed.js'
import { answerTo, localeOf, type Question, type Written } from '../oracle.js'
import { serviceOver, settingsOfSite } from '../services.js'
import { everyExplained, toTree } from './explaining.js'

// The laws of an explanation: it tells what the request gets, of every item of the file, whatever the hooks decide.

const SETTINGS = settingsOfSite(SITE)
const WITH_VIEWER: Policies = {
  resolveViewer: ({ headers }) => ({ id: 7, permissions: JSON.parse(String(headers['x-permissions'])) }),
}

const asked = fc.array(questions, { minLength: 1, maxLength: 5 })
const hosts = fc.record({ id: fc.constantFrom('9', '..', 7), page: fc.constant('p') }, { requiredKeys: [] })
const RUNS = { numRuns: sized(40, 400) }

function readSnapshot(menus: readonly Written[]): Snapshot {
  return snapshotOf(Object.fromEntries(menus.map((menu, place) => [`${place}.yaml`, toFiled(menu).text])))
}

/** Both answers to one question: what is explained, and what the endpoint's own path gives. */
function askBoth(service: MenuService, question: Question, host: object = {}, viewer: Viewer | null = null) {
  const { code, locale, acceptLanguage, sets, permissions } = question
  const headers = {
    'x-permissions': JSON.stringify(permissions),
    ...(acceptLanguage !== null && { 'accept-language': acceptLanguage }),
  }
  const params: Readonly<Record<string, unknown>> = { ...host }
  const explanation = service.explain({ headers }, { code, locale, contexts: sets, viewer, host: params })
  const effective = locale === null ? null : service.toEffectiveLocale(locale)
  const query = { code, locale: effective, candidates: sets.map(toContextKey), viewer }
  const found = service.resolve({ headers }, query)
  return { explanation, found, tree: service.view({ headers }, found, { host: params }) }
}

test('The items that are shown are the tree that the endpoint gives, under any permissions and locale', () => {
  fc.assert(
    fc.property(folders, asked, hosts, (menus, list, host) => {
      const read = readSnapshot(menus)
      const { service } = serviceOver(() => read, WITH_VIEWER, SETTINGS)
      for (const question of list) {
        const lent = askBoth(service, question, host)
        assert.is(JSON.stringify(toTree(lent.explanation.items)), JSON.stringify(lent.tree))
        const { explanation, tree } = askBoth(service, question)
        assert.is(JSON.stringify(toTree(explanation.items)), JSON.stringify(tree))
        assert.equal(tree, answerTo(SITE, menus, question) ?? [])
        assert.is(explanation.locale.effective, localeOf(SITE, question))
      }
    }),
    RUNS,
  )
})

test('Winner, code, locale and viewer are those that the request is resolved to', () => {
  fc.assert(
    fc.property(folders, asked, fc.boolean(), (menus, list, given) => {
      const read = readSnapshot(menus)
      const { service } = serviceOver(() => read, WITH_VIEWER, SETTINGS)
      for (const question of list) {
        const viewer = given ? { id: 'given', permissions: question.permissions } : null
        const { explanation, found } = askBoth(service, question, {}, viewer)
        const { code, locale, menu, viewer: told } = explanation
        assert.equal([code.asked, code.resolved], [question.code, found.code])
        assert.equal([locale.asked, locale.effective], [question.locale, found.locale])
        assert.equal({ id: told.id, permissions: told.permissions }, found.viewer)
        assert.equal([menu?.path, menu?.version], [found.served?.path, found.served?.version])
        assert.equal(menu?.context, found.served?.menu.context)
      }
    }),
    RUNS,
  )
})

test('Each context that was sent is a candidate: lost before the one that won, not tried behind it', () => {
  fc.assert(
    fc.property(folders, asked, (menus, list) => {
      const read = readSnapshot(menus)
      const { service } = serviceOver(() => read, WITH_VIEWER, SETTINGS)
      for (const question of list) {
        const { explanation, found } = askBoth(service, question)
        const contexts: readonly Context[] = question.sets.length === 0 ? [{}] : question.sets
        const won = found.candidate ?? contexts.length
        assert.equal(
          explanation.candidates.map(({ context, outcome }) => ({ context, outcome })),
          contexts.map((context, place) => ({
            context,
            outcome: place < won ? 'lost' : place === won ? 'won' : 'not-tried',
          })),
        )
        assert.ok(explanation.candidates.every(({ why }) => why !== ''))
      }
    }),
    RUNS,
  )
})

/** Each item of the file once, in its order and with its line, and what is not on the tree with its reason. */
function checkWhole(items: readonly ExplainedItem[], lines: readonly number[]): void {
  const every = [...everyExplained(items)]
  assert.equal(
    every.map(({ line }) => line),
    lines,
  )
  for (const { fate, why, href, label } of every) {
    assert.ok(why !== '' && label.why !== '')
    assert.is(href === null, fate !== 'shown')
  }
}

test('Every item of the file is explained once, in its order, with its line and a reason', () => {
  fc.assert(
    fc.property(folders, asked, (menus, list) => {
      const read = readSnapshot(menus)
      const { service } = serviceOver(() => read, WITH_VIEWER, SETTINGS)
      for (const question of list) {
        const { explanation, found } = askBoth(service, question)
        const menu = menus[Number.parseInt(found.served?.path ?? '-1', 10)]
        checkWhole(explanation.items, menu === undefined ? [] : toFiled(menu).lines)
      }
    }),
    RUNS,
  )
})

test('No item is reported as shown below one that is not', () => {
  fc.assert(
    fc.property(folders, asked, (menus, list) => {
      const read = readSnapshot(menus)
      const { service } = serviceOver(() => read, WITH_VIEWER, SETTINGS)
      for (const question of list) {
        const { items } = askBoth(service, question).explanation
        const gone = [...everyExplained(items)].filter(({ fate }) => fate !== 'shown')
        for (const { children } of gone)
          for (const { line, fate } of everyExplained(children)) assert.is.not(fate, 'shown', `line ${line}`)
      }
    }),
    RUNS,
  )
})

/** A number that looks random, and is the same for the same words. */
function dice(...words: readonly unknown[]): number {
  return Number.parseInt(toHash(JSON.stringify(words)).slice(0, 8), 16)
}

function oneOf<T>(choices: readonly (() => T)[], ...words: readonly unknown[]): T {
  const [choice] = choices.slice(dice(...words) % choices.length)
  if (choice === undefined) throw new Error('There is nothing to choose from.')
  return choice()
}

function fail(): never {
  throw new Error('a whim')
}

/** Hooks that decide by a whim, and for the same question always alike. */
function whimsical(seed: number): Policies {
  const yes = () => true
  return {
    ...WITH_VIEWER,
    resolveMenuCode: (_, hint, menus) =>
      oneOf([() => hint, () => 'main', () => (menus.has(hint) ? hint : 'footer')], seed, hint),
    resolveLocale: ({ headers }) =>
      oneOf([() => 'es', () => 'pt_br', () => 'fr', fail], seed, headers['accept-language']),
    canView: (item, { permissions }) =>
      oneOf([yes, yes, yes, yes, () => false, () => fail()], seed, item.line, permissions),
    generatePath: (routeName, params) =>
      oneOf(
        [() => `/${routeName}`, () => '/made?of=it', () => null, () => 'javascript:x', fail],
        seed,
        params,
      ),
  }
}

/** Some of the hooks, so that each meets our own rules for the others. */
const someHooks: fc.Arbitrary<Policies> = fc
  .tuple(fc.integer(), fc.subarray(['resolveMenuCode', 'resolveLocale', 'canView', 'generatePath'] as const))
  .map(([seed, names]) => {
    const all = whimsical(seed)
    return { ...WITH_VIEWER, ...Object.fromEntries(names.map((name) => [name, all[name]])) }
  })

test('The explanation matches what the request gets, with any decisions of hooks', () => {
  fc.assert(
    fc.property(folders, asked, someHooks, (menus, list, policies) => {
      const read = readSnapshot(menus)
      const { service } = serviceOver(() => read, policies, SETTINGS)
      for (const question of list) {
        const { explanation, found, tree } = askBoth(service, question)
        assert.is(JSON.stringify(toTree(explanation.items)), JSON.stringify(tree))
        assert.equal(
          [explanation.code.resolved, explanation.locale.effective, explanation.menu?.path],
          [found.code, found.locale, found.served?.path],
        )
        const menu = menus[Number.parseInt(found.served?.path ?? '-1', 10)]
        checkWhole(explanation.items, menu === undefined ? [] : toFiled(menu).lines)
      }
    }),
    RUNS,
  )
})

test('To explain a request changes nothing: explained again it is the same, and so is its answer', () => {
  fc.assert(
    fc.property(folders, questions, someHooks, (menus, question, policies) => {
      const read = readSnapshot(menus)
      const { service } = serviceOver(() => read, policies, SETTINGS)
      const first = askBoth(service, question)
      const again = askBoth(service, question)
      assert.equal(again.explanation, first.explanation)
      assert.equal(again.tree, first.tree)
      assert.equal(JSON.parse(JSON.stringify(again.explanation)), again.explanation)
    }),
    { numRuns: sized(40, 400) },
  )
})

test.run()
