import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { placedItems } from '../../../src/change/items.js'
import { createTerminal } from '../../../src/cli/terminal.js'
import { toDiffHtml } from '../../../src/review/diff/html.js'
import { toDiffMarkdown } from '../../../src/review/diff/markdown.js'
import { type DiffReport, toDiffJson } from '../../../src/review/diff/report.js'
import { toCounts } from '../../../src/review/diff/report-words.js'
import { foldRows, toRows } from '../../../src/review/diff/rows.js'
import { toDiffText } from '../../../src/review/diff/text.js'
import { changedMenus } from '../../change/menus.js'
import { sized } from '../../support/figures.js'
import { calledIn, changeOf, menuOf, reportOf } from './diff-reports.js'

const { paintOut: PAINT } = createTerminal(process.stdout, process.stderr)
const link = (label: unknown, more: object = {}): unknown => ({
  label,
  url: typeof label === 'string' ? `/${label}` : '/x',
  ...more,
})
const statuses = ({ menus }: DiffReport): string[] =>
  menus.map(({ status, code, files }) => `${status} ${code} ${files.before} ${files.after}`)
/** The lines of the first tree of a report in text. */
const tree = (report: DiffReport): string[] => {
  const [, rest = ''] = toDiffText(report, PAINT).split(/^ +tree in .*\n/m)
  const [lines = ''] = rest.split('\n\n')
  return lines.split('\n').map((line) => line.slice(4))
}

test('Menus are paired by code and context, so that a renamed file is not a change of its menu', () => {
  const one = menuOf([link('a')])
  const report = reportOf({ 'a.yaml': one }, { 'b/c.yaml': one })
  assert.equal(statuses(report), ['moved main menus/a.yaml menus/b/c.yaml'])
  const changed = reportOf({ 'a.yaml': one }, { 'c.yaml': menuOf([link('b')]) })
  assert.equal(statuses(changed), ['changed main menus/a.yaml menus/c.yaml'])
  assert.match(toDiffText(changed, PAINT), 'file: menus/a.yaml → menus/c.yaml')
})

test('Where code or context changed, menus are paired by their path', () => {
  const report = reportOf(
    { 'a.yaml': menuOf([link('a')], { context: { partner: 3 } }) },
    { 'a.yaml': menuOf([link('a')], { context: { partner: 4 }, code: 'other' }) },
  )
  assert.equal(statuses(report), ['changed other menus/a.yaml menus/a.yaml'])
  const text = toDiffText(report, PAINT)
  assert.match(text, 'code: main → other')
  assert.match(text, 'context: {partner: 3} → {partner: 4}')
})

test('A file that replaces another one, or leaves its place, is compared with the menu served before', () => {
  const [open, guarded] = [menuOf([link('x')]), menuOf([link('x', { permissions: ['k'] })])]
  const taken = reportOf({ 'main.yaml': guarded }, { 'a.yaml': open, 'main.yaml': guarded })
  assert.equal(statuses(taken), [
    'changed main menus/main.yaml menus/a.yaml',
    'broken main null menus/main.yaml',
  ])
  assert.is(taken.seenByMore.length, 1)
  const left = reportOf({ 'a.yaml': guarded, 'main.yaml': open }, { 'main.yaml': open })
  assert.equal(statuses(left), ['changed main menus/a.yaml menus/main.yaml'])
  assert.is(left.seenByMore.length, 1)
  const both = { 'a.yaml': guarded, 'main.yaml': open }
  assert.equal(statuses(reportOf(both, { ...both, 'main.yaml': menuOf([link('y')]) })), [
    'changed main menus/main.yaml menus/main.yaml',
  ])
  assert.equal(reportOf(both, both).menus, [])
})

test('Added and removed menus are reported, and those without a change only counted', () => {
  const files = { 'same.yaml': menuOf([], { code: 'same' }) }
  const report = reportOf(
    { ...files, 'a.yaml': menuOf([]) },
    { ...files, 'b.yaml': menuOf([], { code: 'b' }) },
  )
  assert.equal(statuses(report), ['removed main menus/a.yaml null', 'added b null menus/b.yaml'])
  assert.is(toCounts(report), '1 added, 1 removed')
  assert.is(report.unchanged, 1)
})

test('Another form of the same values is not a change', () => {
  const one = 'version: 1\ncode: main\nname: Main\nitems:\n  - label: a\n    url: /a\n'
  const other = '# new\nversion: 1\nname: "Main"\ncode: main\nitems: [{ url: /a, label: a, children: [] }]\n'
  const report = reportOf({ 'a.yaml': one }, { 'a.yaml': other })
  assert.equal([statuses(report), report.unchanged], [[], 1])
})

test('A file that breaks is reported with its errors, and the other menus as usual', () => {
  const broken = 'version: 1\ncode: main\nname: Main\nitems:\n  - lable: a\n'
  const before = { 'a.yaml': menuOf([link('a')]), 'b.yaml': menuOf([], { code: 'b' }) }
  const after = { 'a.yaml': broken, 'b.yaml': menuOf([link('x')], { code: 'b' }) }
  const report = reportOf(before, after)
  assert.equal(statuses(report), [
    'broken main menus/a.yaml menus/a.yaml',
    'changed b menus/b.yaml menus/b.yaml',
  ])
  assert.match(toDiffText(report, PAINT), /menus\/a\.yaml:5:5 error unknown-key/)
  const back = reportOf(after, before)
  assert.equal(statuses(back)[0], 'fixed main menus/a.yaml menus/a.yaml')
  assert.equal(back.problems, [])
  assert.equal(statuses(reportOf({ 'a.yaml': broken }, { 'a.yaml': `${broken}    url: 1\n` })), [])
})

test('Problems that were there before are not reported again, even when their lines moved', () => {
  const warned = link({ en: 'a' })
  const report = changeOf([warned], [link('b'), warned, link({ en: 'c' })])
  assert.equal(
    report.problems.map(({ path, code }) => `${path} ${code}`),
    ['menus/a.yaml missing-translation'],
  )
})

test('Items that more viewers see come first, and consequences are counted', () => {
  const branch = { type: 'section', label: 'Money', children: [link('Payouts'), link('Invoices')] }
  const office = (...children: readonly unknown[]): unknown => {
    return { type: 'section', label: 'Office', permissions: ['staff'], children }
  }
  const report = changeOf([office(branch, link('x'))], [office(link('x')), branch])
  assert.equal(calledIn(report.seenByMore), [['Money', 2]])
  const [, second = '', third = ''] = toDiffText(report, PAINT).split('\n\n')
  assert.match(
    second,
    /^⚠ seen by more viewers: 1 item\n {2}main {2}Money: viewers with staff → everybody, with 2 items below it/,
  )
  assert.match(third, /^~ main/)
})

test('A guarded destination in the open comes first, too', () => {
  const guarded = link('Payouts', { permissions: ['staff'] })
  const report = changeOf([guarded], [guarded, { label: 'Money', url: '/Payouts' }])
  assert.match(
    toDiffText(report, PAINT),
    'main  Money: leads to /Payouts, which fewer viewers could reach before  menus/a.yaml:',
  )
})

const NEW_ITEM = {
  id: 'sale',
  label: { en: 'Sale', es: 'Rebajas' },
  url: '/sale',
  icon: 'lucide:tag',
  attributes: { rel: 'noopener', 'data-track': 'nav' },
  permissions: ['staff', 'shop'],
  permissionMode: 'any',
  hidden: true,
  'x-owner': 'Ana',
}

test('Every format shows all facts of a new item, and the destination of a removed one', () => {
  const section = { type: 'section', label: 'New', children: [NEW_ITEM] }
  const route = { label: 'Way', routeName: 'shop.room', routeParams: { id: 'den' } }
  const report = changeOf([link('a'), link('gone')], [link('a'), section, route])
  const facts = [
    ['leads to', '/sale'],
    ['label (en)', 'Sale'],
    ['label (es)', 'Rebajas'],
    ['seen by', 'nobody'],
    ['permissions', 'staff or shop'],
    ['hidden', 'yes'],
    ['icon', 'lucide:tag'],
    ['attribute data-track', 'nav'],
    ['attribute rel', 'noopener'],
    ['id', 'sale'],
    ['x-owner', 'Ana'],
  ] as const
  const others = [
    ['type', 'section'],
    ['leads to', 'route shop.room (id: den)'],
    ['led to', '/gone'],
  ] as const
  const [text, markdown, html] = [toDiffText(report, PAINT), toDiffMarkdown(report), toDiffHtml(report)]
  for (const [what, value] of [...facts, ...others]) {
    const isSaid = new RegExp(`^ +${what.replace(/[()]/g, '\\$&')}:? ${value.replace(/[()]/g, '\\$&')}$`, 'm')
    assert.match(text, isSaid)
    assert.ok(
      markdown.includes(`${what} \`${value}\``) || markdown.includes(`\`${what}\` \`${value}\``),
      what,
    )
    assert.match(html, `<dt>${what}</dt><dd>`)
    assert.ok(html.includes(`>${value}</bdi>`), value)
  }
  const { menus } = toDiffJson(report) as { menus: { items: { kind: string; fields: unknown[] }[] }[] }
  const [, sale, , gone] = menus[0]?.items.map(({ fields }) => fields) ?? []
  assert.is(sale?.length, 11, 'each text and each attribute is a field')
  assert.equal(gone, [
    { kind: 'label', key: 'label', part: null, from: 'gone' },
    { kind: 'target', key: 'url', part: null, from: '/gone' },
  ])
})

test('The items of a new or removed menu are reported like any others', () => {
  const report = reportOf(
    { 'old.yaml': menuOf([link('a')], { code: 'old' }) },
    { 'new.yaml': menuOf([NEW_ITEM], { code: 'new', display: { icon: 'i:i' } }) },
  )
  const text = toDiffText(report, PAINT)
  assert.match(text, /^\+ new {2}Main {2}added with 1 item .*\n {4}display icon: i:i\n {2}\+ Sale added/m)
  assert.match(text, /^ {8}label \(es\): Rebajas$/m)
  assert.match(text, /^- old {2}Main {2}removed with 1 item .*\n {2}- a removed .*\n {8}led to \/a$/m)
})

test('Items that fewer viewers see have a block of their own, hiding included', () => {
  const branch = (more: object): unknown => ({ type: 'section', label: 'S', children: [link('x')], ...more })
  const guarded = (label: string, key: string): unknown => link(label, { permissions: [key] })
  const report = changeOf(
    [link('a'), link('b'), branch({}), guarded('c', 'k')],
    [link('a', { hidden: true }), guarded('b', 'k'), branch({ permissions: ['m'] }), guarded('c', 'l')],
  )
  const blocks = toDiffText(report, PAINT).split('\n\n')
  assert.match(blocks[1] ?? '', /^⚠ seen by more viewers: 1 item\n {2}main {2}c: /)
  assert.equal(
    blocks[2]?.split('\n').map((line) => line.replace(/ {2}menus.*/, '')),
    [
      'seen by fewer viewers: 4 items',
      '  main  a: everybody → nobody (hidden)',
      '  main  b: everybody → viewers with k',
      '  main  S: everybody → viewers with m, with 1 item below it',
      '  main  c: viewers with k → viewers with l',
    ],
  )
  const markdown = toDiffMarkdown(report)
  assert.match(
    markdown,
    /^### Seen by fewer viewers: 4 items\n\n- `main` \*\*`a`\*\*: `everybody` → `nobody \(hidden\)`/m,
  )
  assert.match(toDiffHtml(report), '<h2 id="narrower">Seen by fewer viewers: 4 items</h2>')
  const { narrowed, seenByFewer } = toDiffJson(report) as DiffReport & { narrowed: number }
  const called = { a: 0, b: 0, S: 1, c: 0 }
  assert.equal([narrowed, calledIn(seenByFewer)], [4, Object.entries(called)])
})

test('The items are counted, in the head of each menu and in all', () => {
  const report = reportOf(
    { 'a.yaml': menuOf([link('a'), link('b'), link('c')]), 'b.yaml': menuOf([link('x')], { code: 'b' }) },
    {
      'a.yaml': menuOf([link('c'), link('a', { icon: 'i:i' }), link('d'), link('e')]),
      'b.yaml': menuOf([link('x')], { code: 'b', name: 'New' }),
    },
  )
  const text = toDiffText(report, PAINT)
  assert.match(text, /^menus: 2 changed\nitems: 2 added, 1 removed, 1 moved, 1 edited$/m)
  assert.match(text, /^~ main {2}Main {2}changed: 2 added, 1 removed, 1 moved, 1 edited {2}/m)
  assert.match(text, /^~ b {2}New {2}changed {2}/m)
  const markdown = toDiffMarkdown(report)
  assert.match(markdown, /^Items: 2 added, 1 removed, 1 moved, 1 edited\.$/m)
  assert.match(markdown, /^`Main`, `menus\/a\.yaml`: 2 added, 1 removed, 1 moved, 1 edited$/m)
  assert.is(toDiffHtml(report).match(/2 added, 1 removed, 1 moved, 1 edited/g)?.length, 2)
  const { counts, menus } = toDiffJson(report) as { counts: unknown; menus: { counts: unknown }[] }
  assert.equal([counts, menus[0]?.counts], Array(2).fill({ added: 2, removed: 1, moved: 1, edited: 1 }))
})

test('Consequences of a branch are not called out, even if they changed in other ways', () => {
  const branch = (permissions: readonly string[], label: string, own: object = {}): unknown[] => {
    const children = [{ label, url: '/orders' }, link('Open', own), link('Last')]
    return [{ type: 'section', label: 'Office', permissions, children }]
  }
  const report = changeOf(branch(['staff'], 'Orders'), branch([], 'All orders'))
  assert.equal(calledIn(report.seenByMore), [['Office', 3]])
  const text = toDiffText(report, PAINT)
  assert.is(text.match(/⚠/g)?.length, 3, 'in the block, in the list, in the tree')
  assert.match(text, /^ {2}~ Office › All orders .*\n {8}label: Orders → All orders\n\n/m)
  const both = changeOf(branch(['staff'], 'Orders', { permissions: ['k'] }), branch([], 'Orders', {}))
  assert.equal(calledIn(both.seenByMore), Object.entries({ Office: 2, Open: 0 }))
})

test('The two trees are one: removed items are where they were, moved ones at both places', () => {
  const shop = (...children: readonly unknown[]): unknown => ({ label: 'Shop', url: '/shop', children })
  const before = [
    ...[link('a'), shop(link('b'), { type: 'divider' }, link('c'))],
    ...[{ label: 'Blog', url: '/blog' }, link('d')],
  ]
  const after = [
    ...[link('a'), shop(link('b'), link('e', { permissions: ['k', 'l'] })), link('c')],
    ...[{ label: 'News', url: '/blog', icon: 'i:i' }, link('d')],
  ]
  assert.equal(tree(changeOf(before, after)), [
    '  … 1 more',
    '  Shop  /shop',
    '    b  /b',
    '-   ─────',
    '-   c  /c  (moved to the top level)',
    '+   e  /e  [k, l]',
    '→ c  /c  (from Shop, place 3)',
    '~ News  /blog  (was “Blog”; icon changed)',
    '  d  /d',
  ])
})

test('An item moved out of a removed section is shown in it, too', () => {
  const old = { type: 'section', label: 'Old', children: [link('a'), link('b')] }
  assert.equal(tree(changeOf([old, link('c')], [link('c'), link('a')])), [
    '- Old',
    '-   a  /a  (moved to the top level)',
    '-   b  /b',
    '  c  /c',
    '→ a  /a  (from Old, place 1)',
  ])
})

test('For any change the tree has each existing item once and in order, and each removed one where it was', () => {
  /** An empty label is refused by the format. */
  const labelled = (_: string, value: unknown): unknown =>
    typeof value === 'object' && value !== null && Object.keys(value).length === 0 ? 'x' : value
  const textOf = (value: unknown): string =>
    JSON.stringify(value, (key, each) => (key === 'label' ? labelled(key, each) : each))
  fc.assert(
    fc.property(changedMenus, ([before, after]) => {
      const report = reportOf({ 'a.yaml': textOf(before) }, { 'a.yaml': textOf(after) })
      const [menu] = report.menus
      if (menu === undefined) return
      assert.is(menu.status, 'changed')
      const rows = toRows(menu.shown.trees)
      if (rows.length === 0) return
      const there = rows.filter(({ mark }) => mark !== 'gone')
      assert.equal(
        there.map(({ item, level }) => [item.pointer, level]),
        placedItems(after).map(({ pointer }) => [pointer, pointer.split('/children').length - 1]),
      )
      const pointers = rows.flatMap(({ mark, item }) => (mark === 'gone' ? [item.pointer] : []))
      assert.is(new Set(pointers).size, pointers.length)
      const removed = menu.items.filter(({ kind }) => kind === 'removed')
      for (const { before } of removed) assert.ok(pointers.includes(before?.pointer ?? ''))
      const shown = foldRows(rows)
      const count = shown.reduce((sum, row) => sum + ('omitted' in row ? row.omitted : 1), 0)
      assert.is(count, rows.length)
    }),
    { numRuns: sized(50, 500) },
  )
})

test('Lines far from any change are left out, with a note', () => {
  const items = Array.from({ length: 12 }, (_, place) => link(`i${place}`))
  assert.equal(tree(changeOf(items, items.with(6, link('new')))), [
    '  … 5 more',
    '  i5  /i5',
    '- i6  /i6',
    '+ new  /new',
    '  i7  /i7',
    '  … 4 more',
  ])
})

test('For a viewer the trees have what this viewer sees', () => {
  const items = (gate: object): unknown[] => [link('a'), link('b', gate), link('c', { permissions: ['x'] })]
  const [before, after] = [items({ permissions: ['k'] }), items({})]
  const secondLine = (...change: Parameters<typeof changeOf>): string | undefined =>
    tree(changeOf(...change))[1]
  assert.is(secondLine(before, after, { viewer: [] }), '+ ⚠ b  /b  (this viewer did not see it)')
  assert.is(secondLine(after, before, { viewer: [] }), '- b  /b  (this viewer no longer sees it)')
  const seen = '~ ⚠ b  /b  (seen by everybody, before by viewers with k)'
  assert.equal(tree(changeOf(before, after, { viewer: ['k'] })), ['  a  /a', seen])
})

test('Labels are reported in the requested locale', () => {
  const home = (es: string): unknown[] => [{ label: { en: 'Home', es }, url: '/' }]
  const [before, after] = [home('Inicio'), home('Portada')]
  assert.equal(tree(changeOf(before, after)), ['~ Home  /  (label es changed)'])
  const chain = ['es', 'en']
  assert.equal(tree(changeOf(before, after, { chain })), ['~ Portada  /  (was “Inicio”)'])
})

test('The JSON has the pointer, file and line of each item on both sides', () => {
  const file = (...items: readonly string[]): Record<string, string> => {
    return { 'a.yaml': `version: 1\ncode: main\nname: M\nitems:\n  - ${items.join('\n  - ')}\n` }
  }
  const before = file('{ label: a, url: /a, permissions: [k] }')
  const report = reportOf(before, file('{ label: b, url: /b }', '{ label: a, url: /a }'))
  const { version, widened, menus } = toDiffJson(report) as Record<string, unknown> & {
    menus: { items: unknown[] }[]
  }
  assert.equal([version, widened], [1, 1])
  const place = { name: 'a', path: [], type: 'link', target: '/a', file: 'menus/a.yaml' }
  assert.equal(menus[0]?.items[1], {
    kind: 'changed',
    before: {
      pointer: '/items/0',
      ...place,
      position: 1,
      count: 1,
      viewers: [['k']],
      seenBy: 'viewers with k',
      line: 5,
    },
    after: {
      pointer: '/items/1',
      ...place,
      position: 2,
      count: 2,
      viewers: [],
      seenBy: 'everybody',
      line: 6,
    },
    moved: false,
    fields: [{ kind: 'permissions', key: 'permissions', part: null, from: ['k'] }],
    widens: true,
    narrows: false,
    exposes: false,
  })
})

test.run()
