import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { placedItems } from '../../src/change/match.js'
import { toDiffJson } from '../../src/cli/diff/json.js'
import { type DiffReport, toCounts, wideningsIn } from '../../src/cli/diff/report.js'
import { foldRows, toRows } from '../../src/cli/diff/rows.js'
import { toDiffText } from '../../src/cli/diff/text.js'
import { createTerminal } from '../../src/cli/terminal.js'
import { changedMenus } from '../change/menus.js'
import { menuOf, reportOf } from './diff-reports.js'

const { paintOut: PAINT } = createTerminal(process.stdout, process.stderr)
const link = (label: unknown, more: object = {}): unknown => ({
  label,
  url: typeof label === 'string' ? `/${label}` : '/x',
  ...more,
})
const statuses = ({ menus }: DiffReport): string[] =>
  menus.map(({ status, code, files }) => `${status} ${code} ${files.before} ${files.after}`)
/** The lines of the first tree of a report in text. */
const tree = (report: DiffReport): string[] =>
  (
    toDiffText(report, PAINT)
      .split(/^ +tree in .*$/m)[1]
      ?.split('\n\n')[0] ?? ''
  )
    .split('\n')
    .slice(1)
    .map((line) => line.slice(4))

test('Menus are paired by code and context, so that a renamed file is no change of its menu', () => {
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

test('Added and removed menus are told, and those without a change only counted', () => {
  const files = { 'same.yaml': menuOf([], { code: 'same' }) }
  const report = reportOf(
    { ...files, 'a.yaml': menuOf([]) },
    { ...files, 'b.yaml': menuOf([], { code: 'b' }) },
  )
  assert.equal(statuses(report), ['removed main menus/a.yaml null', 'added b null menus/b.yaml'])
  assert.is(toCounts(report), '1 added, 1 removed')
  assert.is(report.unchanged, 1)
})

test('Another form of the same values is no change', () => {
  const one = 'version: 1\ncode: main\nname: Main\nitems:\n  - label: a\n    url: /a\n'
  const other = '# new\nversion: 1\nname: "Main"\ncode: main\nitems: [{ url: /a, label: a, children: [] }]\n'
  const report = reportOf({ 'a.yaml': one }, { 'a.yaml': other })
  assert.equal([statuses(report), report.unchanged], [[], 1])
})

test('A file that breaks is told with what is wrong, and the other menus as ever', () => {
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
  assert.equal(statuses(back)[0], 'mended main menus/a.yaml menus/a.yaml')
  assert.equal(back.problems, [])
  assert.equal(statuses(reportOf({ 'a.yaml': broken }, { 'a.yaml': `${broken}    url: 1\n` })), [])
})

test('Problems that were there before are not told again, even when their lines moved', () => {
  const warned = link({ en: 'a' })
  const report = reportOf(
    { 'a.yaml': menuOf([warned]) },
    { 'a.yaml': menuOf([link('b'), warned, link({ en: 'c' })]) },
  )
  assert.equal(
    report.problems.map(({ problem, file }) => `${file} ${problem.code}`),
    ['menus/a.yaml missing-translation'],
  )
})

test('What more viewers see comes first, and what follows from it is counted', () => {
  const branch = { type: 'section', label: 'Money', children: [link('Payouts'), link('Invoices')] }
  const before = menuOf([
    { type: 'section', label: 'Office', permissions: ['staff'], children: [branch, link('x')] },
  ])
  const after = menuOf([
    { type: 'section', label: 'Office', permissions: ['staff'], children: [link('x')] },
    branch,
  ])
  const report = reportOf({ 'a.yaml': before }, { 'a.yaml': after })
  assert.equal(
    wideningsIn(report).map(({ item, below }) => [item.after?.name, below]),
    [['Money', 2]],
  )
  const [, , third = ''] = toDiffText(report, PAINT).split('\n\n')
  assert.match(
    toDiffText(report, PAINT).split('\n\n')[1] ?? '',
    /^⚠ seen by more viewers: 1 item\n {2}main {2}Money: viewers with staff → everybody, with 2 items below it/,
  )
  assert.match(third, /^~ main/)
})

test('A guarded destination in the open comes first, too', () => {
  const guarded = link('Payouts', { permissions: ['staff'] })
  const report = reportOf(
    { 'a.yaml': menuOf([guarded]) },
    { 'a.yaml': menuOf([guarded, { label: 'Money', url: '/Payouts' }]) },
  )
  assert.match(
    toDiffText(report, PAINT),
    'main  Money: leads to /Payouts, to which fewer viewers had an item before  menus/a.yaml:',
  )
})

test('The two trees are one: what is gone stands where it stood, what moved at both places', () => {
  const before = menuOf([
    link('a'),
    { label: 'Shop', url: '/shop', children: [link('b'), { type: 'divider' }, link('c')] },
    { label: 'Blog', url: '/blog' },
    link('d'),
  ])
  const after = menuOf([
    link('a'),
    { label: 'Shop', url: '/shop', children: [link('b'), link('e', { permissions: ['k', 'l'] })] },
    link('c'),
    { label: 'News', url: '/blog', icon: 'i:i' },
    link('d'),
  ])
  assert.equal(tree(reportOf({ 'a.yaml': before }, { 'a.yaml': after })), [
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

test('Of any change the tree has each item that is there once and in order, and each that is gone where it was', () => {
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
      const rows = toRows(menu, report)
      if (rows.length === 0) return
      const [there, gone] = [
        rows.filter(({ mark }) => mark !== 'gone'),
        rows.filter(({ mark }) => mark === 'gone'),
      ]
      assert.equal(
        there.map(({ item, level }) => [item.pointer, level]),
        placedItems(after).map(({ pointer }) => [pointer, pointer.split('/children').length - 1]),
      )
      const pointers = gone.map(({ item }) => item.pointer)
      assert.is(new Set(pointers).size, pointers.length)
      const removed = menu.difference.items.filter(({ kind }) => kind === 'removed')
      for (const { before } of removed) assert.ok(pointers.includes(before?.pointer ?? ''))
      const shown = foldRows(rows)
      const count = shown.reduce((sum, row) => sum + ('omitted' in row ? row.omitted : 1), 0)
      assert.is(count, rows.length)
    }),
    { numRuns: 150 },
  )
})

test('Lines far from any change are left out, and said to be', () => {
  const items = Array.from({ length: 12 }, (_, place) => link(`i${place}`))
  const report = reportOf({ 'a.yaml': menuOf(items) }, { 'a.yaml': menuOf(items.with(6, link('new'))) })
  assert.equal(tree(report), [
    '  … 5 more',
    '  i5  /i5',
    '- i6  /i6',
    '+ new  /new',
    '  i7  /i7',
    '  … 4 more',
  ])
})

test('For a viewer the trees have what this viewer sees', () => {
  const items = (gate: object): string =>
    menuOf([link('a'), link('b', gate), link('c', { permissions: ['x'] })])
  const [before, after] = [{ 'a.yaml': items({ permissions: ['k'] }) }, { 'a.yaml': items({}) }]
  assert.equal(tree(reportOf(before, after, { viewer: [] })), [
    '  a  /a',
    '+ ⚠ b  /b  (this viewer did not see it)',
  ])
  assert.equal(tree(reportOf(after, before, { viewer: [] })), [
    '  a  /a',
    '- b  /b  (this viewer sees it no more)',
  ])
  assert.equal(tree(reportOf(before, after, { viewer: ['k'] })), [
    '  a  /a',
    '~ ⚠ b  /b  (seen by everybody, before by viewers with k)',
  ])
})

test('Labels are told in the locale that is asked for', () => {
  const [before, after] = [
    { en: 'Home', es: 'Inicio' },
    { en: 'Home', es: 'Portada' },
  ].map((label) => ({
    'a.yaml': menuOf([{ label, url: '/' }]),
  }))
  assert.equal(tree(reportOf(before ?? {}, after ?? {})), ['~ Home  /  (label es changed)'])
  assert.equal(tree(reportOf(before ?? {}, after ?? {}, { chain: ['es', 'en'] })), [
    '~ Portada  /  (was “Inicio”)',
  ])
})

test('The JSON has the pointer, file and line of each item on both sides', () => {
  const report = reportOf(
    { 'a.yaml': 'version: 1\ncode: main\nname: M\nitems:\n  - { label: a, url: /a, permissions: [k] }\n' },
    {
      'a.yaml':
        'version: 1\ncode: main\nname: M\nitems:\n  - { label: b, url: /b }\n  - { label: a, url: /a }\n',
    },
  )
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
      viewers: [['k']],
      seenBy: 'viewers with k',
      line: 5,
    },
    after: { pointer: '/items/1', ...place, position: 2, viewers: [], seenBy: 'everybody', line: 6 },
    moved: false,
    fields: [{ kind: 'permissions', key: 'permissions', part: null, from: ['k'] }],
    widens: true,
    narrows: false,
    exposes: false,
  })
})

test.run()
