import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { toContextKey } from '../../src/model/context.js'
import type { Context } from '../../src/model/menu.js'
import type { MenuFile } from '../../src/model/menu-file.js'
import { selectMenu } from '../../src/model/select.js'
import { buildSnapshot, type Snapshot } from '../../src/model/snapshot.js'
import { UNTIMED } from '../support/items.js'
import { snapshotOf, toHash } from '../support/snapshot-of.js'
import { contexts, RUNS } from './arbitraries.js'
import { sameContext, select, type Variant } from './oracle.js'

/** A menu file of this code and context; YAML reads JSON. */
function menuText({ code, context }: Variant): string {
  return JSON.stringify({ version: 1, code, name: code, context, items: [] })
}

/** The file that such a menu stands in, past the parser: not every context of a request can stand in a text. */
function toFile({ path, code, context }: Variant & { readonly path: string }): MenuFile {
  const menu = { line: 1, code, name: code, context, display: {}, items: [], ...UNTIMED }
  return { path, version: path, menu, problems: [] }
}

function selected(snapshot: Snapshot, code: string, sets: readonly Context[]) {
  const { served, candidate } = selectMenu(snapshot.index, code, sets.map(toContextKey), 0)
  return { path: served?.path ?? null, candidate }
}

const NONE = { path: null, candidate: null }
const SITE = snapshotOf({
  'global.yaml': menuText({ code: 'main', context: {} }),
  'three.yaml': menuText({ code: 'main', context: { partnerId: 3 } }),
  'three-pro.yaml': menuText({ code: 'main', context: { partnerId: 3, plan: 'pro' } }),
  'unknown.yaml': menuText({ code: 'main', context: { partnerId: null } }),
  'footer-three.yaml': menuText({ code: 'footer', context: { partnerId: 3 } }),
  'proto.yaml': '{"version":1,"code":"__proto__","name":"Odd","context":{"__proto__":1},"items":[]}',
})

test('Without candidates, the menu without a context is selected', () => {
  assert.equal(selected(SITE, 'main', []), { path: 'global.yaml', candidate: 0 })
})

test('The first of several candidates with a menu wins', () => {
  const sets = [{ partnerId: 4 }, { plan: 'pro', partnerId: 3 }, { partnerId: 3 }, {}]
  assert.equal(selected(SITE, 'main', sets), { path: 'three-pro.yaml', candidate: 1 })
  assert.equal(selected(SITE, 'main', [...sets].reverse()), { path: 'global.yaml', candidate: 0 })
})

test('Contexts match exactly: neither a part of a context nor a larger one is equal', () => {
  assert.equal(selected(SITE, 'main', [{ plan: 'pro' }]), NONE)
  assert.equal(selected(SITE, 'main', [{ partnerId: 3, plan: 'pro', beta: true }]), NONE)
})

test('There is no implicit fallback to the menu without a context', () => {
  assert.equal(selected(SITE, 'main', [{ partnerId: 4 }]), NONE)
  assert.equal(selected(SITE, 'main', [{ partnerId: 4 }, {}]), { path: 'global.yaml', candidate: 1 })
  assert.equal(selected(SITE, 'footer', []), NONE)
})

test('The text "3" is not the number 3, and an absent value is not null', () => {
  assert.equal(selected(SITE, 'main', [{ partnerId: '3' }]), NONE)
  assert.equal(selected(SITE, 'main', [{ partnerId: null }]), { path: 'unknown.yaml', candidate: 0 })
})

test('An unknown code is not an error, and codes are case-sensitive', () => {
  for (const code of ['Main', 'mian', '', 'constructor', 'toString'])
    assert.equal(selected(SITE, code, []), NONE)
})

test('Codes and keys with a meaning in JavaScript are ordinary ones', () => {
  const sets = [JSON.parse('{"__proto__":1}')]
  assert.equal(selected(SITE, '__proto__', sets), { path: 'proto.yaml', candidate: 0 })
  assert.equal(selected(SITE, '__proto__', []), NONE)
})

test('A menu with no items wins as any other does', () => {
  const { served } = selectMenu(SITE.index, 'main', [toContextKey({ partnerId: 3 })], 0)
  assert.equal(served?.menu.items, [])
})

test('Selection follows the contract for any menus and any candidates', () => {
  const codes = fc.constantFrom('main', 'footer', '__proto__')
  const requests = fc
    .array(fc.record({ code: codes, context: contexts }), { maxLength: 8 })
    .chain((menus) => {
      const known = menus.map(({ context }) => fc.constant(context))
      const sets = fc.array(fc.oneof(contexts, ...known), { maxLength: 6 })
      return fc.tuple(fc.constant(menus), codes, sets)
    })
  const law = fc.property(requests, ([menus, code, sets]) => {
    const named = menus.map((menu, place) => ({ ...menu, path: `${String.fromCharCode(97 + place)}.yaml` }))
    const files = named.map(toFile)
    const snapshot = buildSnapshot({ files, previous: null, folderProblems: [], hash: toHash })
    const expected = select(named, code, sets)
    const { path, candidate } = selected(snapshot, code, sets)
    assert.is(path, expected?.path ?? null)
    if (expected !== null) {
      const first = sets.findIndex((set) => sameContext(set, expected.context))
      assert.is(candidate, Math.max(first, 0))
    }
  })
  fc.assert(law, RUNS)
})

test.run()
