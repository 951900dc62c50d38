import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type MenuDocument, readDocument } from '../../../src/document/menu-document.js'
import { readSubject, toCommitMessage } from '../../../src/review/diff/commit-message.js'
import { compareDocuments } from '../../../src/review/diff/documents.js'
import type { Occasion } from '../../../src/store/publish/queue.js'
import { readerOf } from '../../store/opening.js'
import { anyText } from '../../support/any-text.js'
import { DEFAULT_LIMITS } from '../../support/limits.js'
import { menuOf, REPORT_OPTIONS, reportOf } from './diff-reports.js'

type Items = readonly unknown[]

const EDIT: Occasion = { kind: 'edit' }
const link = (label: unknown, more: object = {}): object => ({ label, url: '/x', ...more })

function messageOf(before: Items, after: Items, occasion = EDIT, more: object = {}): string {
  const { menus } = reportOf({ 'a.yaml': menuOf(before) }, { 'a.yaml': menuOf(after, { ...more }) })
  return toCommitMessage(menus, 'menus/a.yaml', occasion)
}

test('One change is the subject, in a few words in the present tense', () => {
  const [sales, shop] = [
    link('Sales', { id: 's' }),
    { type: 'section', label: 'Shop', children: [link('Lamps')] },
  ]
  const one = (...after: object[]): string => messageOf([sales, shop], after)
  const edited = (more: object): string => one({ ...sales, ...more }, shop)
  assert.is(edited({ label: 'Revenue' }), 'Menu main: renames Sales to Revenue')
  assert.is(edited({ icon: 'lucide:tag' }), 'Menu main: adds icon lucide:tag to Sales')
  assert.is(edited({ url: '/sale' }), 'Menu main: changes address of Sales to /sale')
  assert.is(edited({ permissions: ['staff'] }), 'Menu main: adds permissions staff to Sales')
  assert.is(edited({ hidden: true }), 'Menu main: hides Sales')
  assert.is(messageOf([{ ...sales, hidden: true }], [sales]), 'Menu main: shows Sales')
  assert.is(messageOf([link('a', { icon: 'i:i' })], [link('a')]), 'Menu main: removes icon of a')
  assert.is(one(sales, shop, link('New')), 'Menu main: adds New')
  assert.is(one(shop), 'Menu main: removes Sales')
  assert.is(one(shop, sales), 'Menu main: moves Shop to first place')
  assert.is(one(sales, shop, { type: 'divider' }), 'Menu main: adds divider')
})

test('A commit message names the start and end of a time window', () => {
  const [from, until] = ['2026-12-01T00:00:00+01:00', '2027-01-01T00:00:00+01:00']
  const sales = (more: object = {}): readonly object[] => [link('Sales', { id: 's', ...more })]
  const told = (before: object, after: object): string => messageOf(sales(before), sales(after))
  assert.is(told({}, { visibleFrom: from }), `Menu main: makes Sales visible from ${from}`)
  assert.is(
    told({ visibleUntil: from }, { visibleUntil: until }),
    `Menu main: makes Sales visible until ${until}`,
  )
  assert.is(told({ visibleFrom: from }, {}), 'Menu main: makes Sales visible from the start')
  assert.is(told({ visibleUntil: from }, {}), 'Menu main: makes Sales visible without an end')
  assert.is(
    messageOf(sales(), sales(), EDIT, { visibleFrom: from }),
    `Menu main: makes the menu visible from ${from}`,
  )
})

test('A text of one locale names it', () => {
  const item = (es: string | null): object =>
    link({ en: 'Sales', ...(es === null ? {} : { es }) }, { id: 's' })
  assert.is(messageOf([item('Ventas')], [item('Ingresos')]), 'Menu main: renames Ventas to Ingresos (es)')
  assert.is(messageOf([item(null)], [item('Ventas')]), 'Menu main: adds label (es) Ventas to Sales')
  assert.is(messageOf([item('Ventas')], [item(null)]), 'Menu main: removes label (es) of Sales')
  const [one, other] = [link('Sales', { id: 's' }), link('Offers', { id: 's' })]
  assert.is(messageOf([one], [item('Ventas')]), 'Menu main: adds label (es) Ventas to Sales')
  assert.is(messageOf([item('Ventas')], [one]), 'Menu main: removes label (es) of Sales')
  assert.match(messageOf([item('Ventas')], [other]), 'renames Sales to Offers (en)')
})

test('Several changes are counted, and listed below', () => {
  const message = messageOf(
    [link('a', { id: 'a' }), link('b')],
    [link('c', { id: 'a', icon: 'i:i' })],
    EDIT,
    {
      name: 'Other',
    },
  )
  assert.is(
    message,
    'Menu main: removes b and 2 more changes\n\n- removes b\n- changes name of the menu to Other\n- renames a to c\n- adds icon i:i to c',
  )
  const many = messageOf(
    [],
    Array.from({ length: 50 }, (_, place) => link(`n${place}`)),
  )
  const lines = many.split('\n')
  assert.equal(
    [lines[0], lines.length, lines.at(-1)],
    ['Menu main: 50 changes in n0, n1 and 48 more', 23, 'and 30 more'],
  )
})

test('An item is one change, and so is the menu itself, as the review counts them', () => {
  const sales = (more: object = {}): object => link('Sales', { id: 's', ...more })
  const edited = sales({ icon: 'i:i', url: '/sale' })
  assert.is(
    messageOf([sales()], [edited]),
    'Menu main: changes Sales\n\n- changes address of Sales to /sale\n- adds icon i:i to Sales',
  )
  const ofMenu = { name: 'Other', display: { depthLimit: 2 } }
  assert.match(messageOf([sales()], [sales()], EDIT, ofMenu), /^Menu main: changes the settings\n\n- .*\n- /)
  assert.match(messageOf([sales()], [edited], EDIT, ofMenu), /^Menu main: 2 changes in Sales\n/)
})

test('A branch that is removed is one change, and comes first', () => {
  const lamps = { type: 'section', label: 'Lamps', children: [link('Floor'), link('Desk')] }
  const [one, other] = [link('a', { id: 'a' }), link('b', { id: 'a' })]
  assert.is(messageOf([one, lamps], [one]), 'Menu main: removes Lamps with 2 items')
  assert.is(
    messageOf([one, link('x'), lamps], [other]),
    'Menu main: removes Lamps with 2 items and 2 more changes\n\n- removes Lamps with 2 items\n- removes x\n- renames a to b',
  )
})

test('New, deleted, restored and imported menus are called that, and so is a change of nothing but the form', () => {
  const menu = menuOf([link('a'), link('b')], { context: { partner: 3 } })
  const added = reportOf({}, { 'a.yaml': menu, 'b.yaml': menuOf([]) })
  const [variant, plain] = added.menus
  assert.ok(variant !== undefined && plain !== undefined)
  assert.is(
    toCommitMessage([variant as never], '', EDIT),
    'Menu main {partner: 3}: adds the menu with 2 items',
  )
  const removed = reportOf({ 'a.yaml': menu }, {})
  assert.is(toCommitMessage(removed.menus, '', EDIT), 'Menu main {partner: 3}: removes the menu')
  assert.is(
    toCommitMessage(added.menus, '', { kind: 'import' }),
    'Imports 2 menus\n\n- main {partner: 3}: adds the menu with 2 items\n- main: adds the menu with 0 items',
  )
  const one = (kind: 'import' | 'merge'): string => messageOf([link('a')], [link('a'), link('b')], { kind })
  assert.equal([one('import'), one('merge')], ['Import of menu main: adds b', 'Merge of menu main: adds b'])
  assert.match(toCommitMessage(added.menus, '', { kind: 'merge' }), /^Merges 2 menus\n/)
  const restore: Occasion = { kind: 'restore', version: '2026-03-01' }
  assert.is(
    messageOf([link('a')], [link('a'), link('b')], restore),
    'Menu main: restores the version of 2026-03-01\n\n- adds b',
  )
  const item: Occasion = { ...restore, isItem: true }
  assert.match(messageOf([], [link('b')], item), 'Menu main: restores b from the version of 2026-03-01\n')
  assert.is(messageOf([link('a')], [link('a')]), 'menus/a.yaml: changes only the formatting')
  assert.is(messageOf([], [], restore), 'menus/a.yaml: restores the version of 2026-03-01')
  const fixed = reportOf({ 'a.yaml': 'code: [' }, { 'a.yaml': menuOf([]) })
  assert.is(toCommitMessage(fixed.menus, '', EDIT), 'Menu main: fixes the file')
  const moved = reportOf({ 'a.yaml': menuOf([]) }, { 'b.yaml': menuOf([]) })
  assert.is(toCommitMessage(moved.menus, '', EDIT), 'Menu main: moves the file to menus/b.yaml')
})

test('On a page about a menu, a subject does not name it again; one by a person is whatever language they write', () => {
  const subjectOf = (occasion: Occasion): string => messageOf([link('a')], [link('a'), link('b')], occasion)
  assert.equal(readSubject(subjectOf(EDIT)), { text: 'adds b', isEnglish: true })
  assert.equal(readSubject('Menu main {partner: 3}: hides Sales'), { text: 'hides Sales', isEnglish: true })
  const merge = 'Merge of menu main: adds b'
  assert.equal(readSubject(subjectOf({ kind: 'merge' })), { text: merge, isEnglish: true })
  assert.equal(readSubject('Imports 2 menus'), { text: 'Imports 2 menus', isEnglish: true })
  for (const text of ['قائمة جديدة', 'Menu: fix', 'feat: Menu main: x', ''])
    assert.equal(readSubject(text), { text, isEnglish: false })
})

test('Documents are compared as the files of two states are', async () => {
  const documentsOf = (items: Items): readonly MenuDocument[] => [
    readDocument('a.yaml', Buffer.from(menuOf(items)), DEFAULT_LIMITS),
  ]
  const [before, after] = [documentsOf([link('a', { id: 'a' })]), documentsOf([link('b', { id: 'a' })])]
  const message = async (old: readonly MenuDocument[], now: readonly MenuDocument[]): Promise<string> =>
    toCommitMessage((await compareDocuments(old, now, readerOf({}), REPORT_OPTIONS)).menus, '', EDIT)
  assert.is(await message(before, after), 'Menu main: renames a to b')
  assert.is(await message([], after), 'Menu main: adds the menu with 1 item')
  assert.is(await message(before, []), 'Menu main: removes the menu')
})

test('A long subject is cut by characters, and is complete below', () => {
  const label = '😀'.repeat(100)
  const [subject = '', empty, line] = messageOf([], [link(label)]).split('\n')
  assert.equal([[...subject].length, subject.at(-1), empty, line], [72, '…', '', `- adds ${label}`])
})

test('Whatever the labels hold, the lines fit a message: short, visible, and never trailers', () => {
  const text = anyText()
  const law = fc.property(fc.array(text), fc.array(text), (before, after) => {
    const message = messageOf(
      before.map((label) => link(label)),
      after.map((label) => link(label)),
    )
    const [subject = '', empty = '', ...lines] = message.split('\n')
    assert.ok([...subject].length <= 72 && /^(?:Menu main|menus\/a\.yaml): ./u.test(subject), subject)
    assert.is(empty, '')
    assert.ok(lines.length <= 21)
    for (const line of lines) assert.match(line, /^(?:- |and \d+ more$)/)
    assert.not.match(message.replaceAll('\n', ''), /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u)
  })
  fc.assert(law, { numRuns: 100 })
})

test.run()
