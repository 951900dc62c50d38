import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { MenuItem } from '../../src/model/menu.js'
import { type JudgedItem, judgeItems } from '../../src/model/visibility.js'
import { sized } from '../support/figures.js'
import { divider, link, section } from '../support/items.js'
import { itemLists, RUNS } from './arbitraries.js'
import { type Left, prune } from './oracle.js'

const NO: Partial<MenuItem> = { permissions: ['no'] }
const canSee = (item: MenuItem) => !item.permissions.includes('no')

/** What is shown, as a text: labels, `|` for dividers, `[]` around what is below an item. */
function shown(judged: readonly JudgedItem[]): string {
  const left = judged.filter(({ fate }) => fate === 'shown')
  return left.map(({ item, children }) => wordFor(item) + below(shown(children))).join(' ')
}

function wordFor(item: MenuItem): string {
  return item.type === 'divider' ? '|' : String(item.label)
}

function below(text: string): string {
  return text === '' ? '' : `[${text}]`
}

function left(items: readonly MenuItem[]): string {
  return shown(judgeItems(items, canSee, null))
}

test('An item that the viewer may not see goes with its whole subtree', () => {
  const secret = section('secret', [link('a'), section('b', [link('c')])], { permissions: ['no'] })
  assert.is(left([link('x'), secret, link('y', { permissions: ['no'], children: [link('z')] })]), 'x')
})

test('A hidden item goes with its whole subtree', () => {
  const hidden = section('drawer', [link('a')], { hidden: true })
  assert.is(left([link('x'), hidden, divider({ hidden: true }), link('y')]), 'x y')
})

test('A section that lost all its children goes, from the deepest level up', () => {
  const deep = section('a', [section('b', [section('c', [link('d', { permissions: ['no'] })])])])
  assert.is(left([deep, link('x')]), 'x')
})

test('A section with only dividers left goes too', () => {
  const emptied = section('a', [divider(), link('b', { permissions: ['no'] }), divider()])
  assert.is(left([link('x'), emptied]), 'x')
})

test('A section that never had children stays', () => {
  assert.is(left([section('heading', []), link('x')]), 'heading x')
})

test('A section stays while one item below it is visible', () => {
  const half = section('a', [link('b', { permissions: ['no'] }), section('c', [link('d')])])
  assert.is(left([half]), 'a[c[d]]')
})

test('A section that names a route goes like any other when it lost its children', () => {
  const routed = section('a', [link('b', { hidden: true })], { routeName: 'reports' })
  assert.is(left([routed, link('x')]), 'x')
})

test('A link that lost all its children stays', () => {
  assert.is(left([link('a', { children: [link('b', { permissions: ['no'] })] })]), 'a')
  assert.is(left([link('a', { children: [divider(), link('b', { hidden: true }), divider()] })]), 'a')
})

test('In a list that lost an item, leading, trailing and repeated dividers go', () => {
  const lost = link('lost', { permissions: ['no'] })
  assert.is(left([lost, divider(), link('a')]), 'a')
  assert.is(left([link('a'), divider(), lost]), 'a')
  assert.is(left([link('a'), divider(), lost, divider(), link('b')]), 'a | b')
  assert.is(left([divider(), link('a'), divider(), divider(), link('b'), lost, divider()]), 'a | b')
})

test('A list can lose an item for any reason: hidden, denied, emptied, or a divider that is hidden itself', () => {
  const losses: MenuItem[] = [
    link('lost', { hidden: true }),
    link('lost', { permissions: ['no'] }),
    section('lost', [link('below', { hidden: true })]),
    divider({ hidden: true }),
    divider({ ...NO, type: 'divider' }),
  ]
  for (const lost of losses) assert.is(left([divider(), link('a'), divider(), lost]), 'a')
})

test('A list that lost nothing stays as written, even where another one lost something', () => {
  const written = section('kept', [divider(), link('a'), divider(), divider(), link('b'), divider()])
  const touched = section('touched', [divider(), link('c'), link('d', { permissions: ['no'] })])
  assert.is(left([divider(), written, divider(), divider(), touched]), '| kept[| a | | b |] | | touched[c]')
})

test('When only dividers are left of a whole menu, nothing remains', () => {
  assert.is(left([divider(), link('a', { permissions: ['no'] }), divider()]), '')
  assert.is(left([divider(), divider()]), '| |')
})

test('Every item of a list is judged in its order, with the reason why it went', () => {
  const emptied = section('e', [link('x', { permissions: ['no'] })])
  const judged = judgeItems(
    [divider(), link('h', { hidden: true }), link('d', { permissions: ['no'] }), emptied, link('s')],
    canSee,
    null,
  )
  const fates = judged.map(({ fate }) => fate)
  assert.equal(fates, ['loose', 'hidden', 'denied', 'emptied', 'shown'])
})

test('For any menu, the visible items follow the contract', () => {
  const plain = (judged: readonly JudgedItem[]): Left[] =>
    judged
      .filter(({ fate }) => fate === 'shown')
      .map(({ item, children }) => ({ item, children: plain(children) }))
  const law = fc.property(itemLists, (items) => {
    assert.equal(plain(judgeItems(items, canSee, null)), prune(items, canSee))
  })
  fc.assert(law, { ...RUNS, numRuns: sized(1_000, 10_000) })
})

test('To a viewer who may see everything, a menu with nothing hidden and no childless branch is shown as written', () => {
  const law = fc.property(itemLists, (items) => {
    const everything = items.flatMap(unhidden)
    assert.is(shown(judgeItems(everything, () => true, null)), written(everything))
  })
  fc.assert(law, RUNS)
})

/** The item without its marks; a section of dividers alone would go, so it gets a link. */
function unhidden(item: MenuItem): MenuItem[] {
  if (item.type === 'divider') return [divider()]
  const children = item.children.flatMap(unhidden)
  return [item.type === 'link' ? link('n', { children }) : section('s', [...children, link('n')])]
}

function written(items: readonly MenuItem[]): string {
  return items
    .map((item) => wordFor(item) + (item.type === 'divider' ? '' : below(written(item.children))))
    .join(' ')
}

test.run()
