import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isError } from '../../../src/model/problem.js'
import { anyText } from '../../support/any-text.js'
import { sized } from '../../support/figures.js'
import { menuOf, parse } from '../parsing.js'

const MENU = `# yaml-language-server: $schema=../schemas/menu.schema.json
version: 1
code: sidebar
name: "Partner sidebar"
context: { partnerId: 3, role: 'operator' }
items:
  - label: { en: Dashboard, es: Panel }
    routeName: dashboard
    icon: bootstrap-icons:house
  - type: section
    label: >-
      Reports and
      figures
    children:
      - label: Sales 🍰
        routeName: report
        routeParams: { id: sales, tags: [a, b] }
        permissions: [reports.view]
      - type: divider
      - label: Help
        url: https://help.example.org/
        attributes: { target: _blank, class: external }
`

/** Never throws, and gives a menu exactly when there is no error; all places lie in the text. */
function assertSound(bytes: Uint8Array): void {
  const { menu, problems, omitted } = parse(bytes)
  assert.is(menu === null, problems.some(isError))
  assert.ok(problems.length <= 50 && omitted >= 0)
  const lines = Buffer.from(bytes)
    .toString('utf8')
    .split(/\r\n|\n|\r/).length
  for (const { line, column, endColumn, what, todo } of problems) {
    assert.ok(line >= 1 && line <= lines && column >= 1 && endColumn >= column)
    assert.ok(what !== '' && todo !== '')
  }
}

test('bytes of any kind never throw, and give a menu exactly when there is no error', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), assertSound), { numRuns: sized(600, 6_000) })
})

test('texts of any kind never throw, and give a menu exactly when there is no error', () => {
  const syntax = fc.constantFrom(
    ...'-?:,[]{}#&*!|>\'"%@`~ \n\t\r',
    '- ',
    ': ',
    '---\n',
    '<<: ',
    '\u2028',
    '\ufeff',
    'items:\n',
  )
  const texts = fc.array(fc.oneof(syntax, anyText({ maxLength: 5 })), { maxLength: 60 })
  fc.assert(
    fc.property(texts, (parts) => assertSound(Buffer.from(parts.join('')))),
    { numRuns: sized(900, 9_000) },
  )
})

// Files that are changed at random places: test/hostile/yaml/mutation.test.ts.

test('a menu cut off anywhere never throws, and gives a menu exactly when there is no error', () => {
  const bytes = Buffer.from(MENU)
  for (let length = 0; length <= bytes.length; length++) assertSound(bytes.subarray(0, length))
})

const text = anyText({ minLength: 1, maxLength: 20 }).filter(isPrintable)
const key = fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'toString', '1', 'true', ''))
const exact = fc.oneof(fc.maxSafeInteger(), fc.double({ noNaN: true, min: -9e15, max: 9e15 }))
const scalar = fc.oneof(text, exact, fc.boolean(), fc.constant(null))
const mapOf = <T>(value: fc.Arbitrary<T>) =>
  fc
    .uniqueArray(fc.tuple(key, value), { selector: ([name]) => name, maxLength: 4 })
    .map((entries) => Object.fromEntries(entries))
const label = fc.oneof(
  text,
  fc.dictionary(fc.constantFrom('en', 'es', 'pt-BR', 'zh-Hant'), text, { minKeys: 1 }),
)
const own = { permissions: fc.array(fc.constantFrom('a', 'b.c', 'd e')), hidden: fc.boolean() }
const named = { ...own, label, icon: fc.constantFrom('bi:house', 'x') }

const { item } = fc.letrec<{ item: Record<string, unknown> }>((tie) => {
  const children = { children: fc.array(tie('item'), { maxLength: 3, depthIdentifier: 'items' }) }
  const route = {
    routeName: fc.constantFrom('home', 'constructor'),
    routeParams: mapOf(fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }))),
  }
  return {
    item: fc.oneof(
      { depthIdentifier: 'items' },
      fc.record({ type: fc.constant('divider'), ...own }, { requiredKeys: ['type'] }),
      fc.record(
        { url: fc.constantFrom('/', '#a', 'https://a.b/?c'), ...named, ...children },
        { requiredKeys: ['label', 'url'] },
      ),
      fc.record({ ...named, ...route, ...children }, { requiredKeys: ['label', 'routeName'] }),
      fc.record(
        { type: fc.constant('section'), ...named, ...route, ...children },
        { requiredKeys: ['type', 'label'] },
      ),
    ),
  }
})

test('a menu written as JSON reads back unchanged', () => {
  const menus = fc.record({
    version: fc.constant(1),
    code: fc.stringMatching(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/),
    name: text,
    context: mapOf(scalar),
    items: fc.array(item, { maxLength: 4 }),
  })
  fc.assert(
    fc.property(menus, fc.constantFrom(undefined, 2), (written, indent) => {
      const file = parse(Buffer.from(JSON.stringify(written, null, indent)))
      const read = menuOf(file)
      const { version: _, items, ...rest } = plain(written) as Record<string, unknown>
      assert.is(sorted({ code: read.code, name: read.name, context: read.context }), sorted(rest))
      assert.is(sorted(plain(read.items)), sorted(withDefaults(items)))
    }),
    { numRuns: sized(300, 3_000) },
  )
})

/** The items as written, with what is not written filled in; lines are not compared. */
function withDefaults(items: unknown): unknown[] {
  return (items as Record<string, unknown>[]).map(({ type = 'link', children = [], ...keys }) => {
    const base = {
      ...{ type, id: null, hidden: false, visibleFrom: null, visibleUntil: null },
      ...{ permissions: [], permissionMode: 'all', attributes: null },
    }
    if (type === 'divider') return { ...base, ...keys }
    const labelled = {
      ...base,
      icon: null,
      routeName: null,
      routeParams: {},
      children: withDefaults(children),
    }
    return type === 'section' ? { ...labelled, ...keys } : { ...labelled, url: null, ...keys }
  })
}

/** A value as JSON has it (`-0` is `0` there), without the lines of items. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (name, member: unknown) => (name === 'line' ? undefined : member)))
}

/** A value as JSON with sorted keys: uvu's `equal` takes a key `constructor` for the constructor. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member
    const entries = Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))
    return Object.fromEntries(entries)
  })
}

/** Not blank, and without the characters that no menu file may hold. */
function isPrintable(value: string): boolean {
  return value.trim() !== '' && !/[\p{Cc}\p{Cs}\ufffe\uffff]/u.test(value)
}

test.run()
