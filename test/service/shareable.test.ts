import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Menu, MenuItem } from '../../src/model/menu.js'
import type { Policies } from '../../src/service/hooks.js'
import { isShareable } from '../../src/service/shareable.js'
import { link, section, UNTIMED } from '../support/items.js'

const HOOKS: Readonly<Record<string, Policies>> = {
  resolveMenuCode: { resolveMenuCode: (_, hint) => hint },
  resolveViewer: { resolveViewer: () => ({ id: null, permissions: [] }) },
  canView: { canView: () => true },
  resolveLocale: { resolveLocale: () => 'en' },
  generatePath: { generatePath: () => '/' },
  prepareRequest: { prepareRequest: () => undefined },
}

function menuOf(...items: MenuItem[]): Menu {
  return { line: 1, code: 'main', name: 'Main', context: {}, display: {}, ...UNTIMED, items }
}

const OPEN = menuOf(link('a'), section('b', [link('c')]))
const GUARDED = menuOf(link('a'), section('b', [link('c', { permissions: ['x'] })]))

test('A menu without permissions is shared while nothing of the deployment takes part', () => {
  assert.is(isShareable({}, OPEN), true)
})

test('A permission at any depth makes a menu private, on a hidden item too', () => {
  assert.is(isShareable({}, GUARDED), false)
  assert.is(isShareable({}, menuOf(link('a', { hidden: true, permissions: ['x'] }))), false)
})

for (const [name, policies] of Object.entries(HOOKS)) {
  test(`With ${name} alone every menu is private`, () => {
    assert.is(isShareable(policies, OPEN), false)
  })

  test(`With ${name} and varyOn menus are shared by what varies`, () => {
    assert.is(isShareable({ ...policies, varyOn: ['X-Tenant'] }, GUARDED), true)
  })
}

test('A hook that an object has from its class makes every menu private', () => {
  const policies = new (class {
    canView(): boolean {
      return true
    }
  })()
  assert.is(isShareable(policies, OPEN), false)
})

test('A hook that is exported as undefined counts as none', () => {
  assert.is(isShareable({ canView: undefined } as unknown as Policies, OPEN), true)
})

test.run()
