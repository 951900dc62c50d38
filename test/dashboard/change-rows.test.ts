import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { numberOfChanges } from '../../src/change/compare/differences.js'
import { type ChangeDetail, toChangeRows } from '../../src/dashboard/pages/files/change-rows.js'
import { LANGUAGES } from '../../src/dashboard/texts/language.js'
import type { Json } from '../../src/model/json.js'
import { changeOf } from '../review/diff/diff-reports.js'

const [english] = LANGUAGES
const LAMPS = {
  type: 'section',
  label: 'Lamps',
  children: [
    { label: 'Floor', url: '/floor' },
    { type: 'section', label: 'Desk', children: [{ label: 'Red', url: '/red' }] },
  ],
}
const HOME = { label: 'Home', url: '/' }

const toText = ({ what, from, to, remark }: ChangeDetail): string =>
  `${what}${to === null ? '' : `: ${from === null ? '' : `${from} → `}${to}`}${remark === null ? '' : ` · ${remark}`}`

/** The rows of a change of items, as `marks name: details`. */
function rowsOf(before: readonly object[], after: readonly object[], t = english): readonly string[] {
  const { menus } = changeOf(before, after)
  const rows = menus.flatMap((menu) =>
    toChangeRows(
      menu,
      t,
      { locales: ['en', 'es', 'de', 'ar'], defaultLocale: 'en' },
      { items: after as Json },
    ),
  )
  return rows.map(
    ({ marks, name, details }) => `${marks.join(' ')} ${name}: ${details.map(toText).join(' · ')}`,
  )
}

test('A branch that is gone is one row with the number of items below it', () => {
  assert.equal(rowsOf([LAMPS, HOME], [HOME]), ['gone Lamps: with 3 items: Floor, Desk, Red'])
})

test('A review has a row for each change that is counted', () => {
  const [floor] = LAMPS.children
  const after = [
    { ...HOME, id: 'h', label: 'Start', icon: 'a:b' },
    { label: 'Sale', url: '/sale' },
    floor as object,
  ]
  for (const [one, other] of [
    [[{ ...HOME, id: 'h' }, LAMPS], after],
    [after, [HOME, LAMPS]],
    [[HOME], [HOME]],
  ] as const) {
    const { menus } = changeOf(one, other)
    const counted = menus.map(({ items, fields }) => numberOfChanges(items, fields.length > 0))
    assert.equal(
      counted,
      menus.map((menu) => toChangeRows(menu, english, { locales: ['en'], defaultLocale: 'en' }).length),
    )
  }
})

test('What stays of a branch that is gone has a row of its own', () => {
  const [floor] = LAMPS.children
  assert.equal(rowsOf([LAMPS], [floor as object]), [
    'gone Lamps: with 2 items: Desk, Red',
    'moved Floor: top level, first place',
  ])
})

test('What visitors lose comes first, in the list and in an item', () => {
  const hidden = { ...HOME, id: 'h', label: 'Start', icon: 'a:b', hidden: true }
  const after = [{ label: 'Sale', url: '/sale' }, hidden]
  assert.equal(rowsOf([{ ...HOME, id: 'h' }, LAMPS], after), [
    'changed Start: hidden: no → yes · label: Home → Start · icon: a:b',
    'gone Lamps: with 3 items: Floor, Desk, Red',
    'new Sale: top level, first place · address: /sale',
  ])
})

test('Languages have their names, in the order of the configuration', () => {
  const label = { ar: 'بيت', de: 'Start', en: 'Home', es: 'Inicio' }
  assert.equal(rowsOf([HOME], [{ ...HOME, label: { ...label, de: 'Heim' } }]), [
    'changed Home: label (Spanish): Inicio · label (German): Heim · label (Arabic): بيت',
  ])
})

test('A text that becomes a new one names the languages that keep theirs', () => {
  const label = { en: 'Home', de: 'Start', es: 'Inicio' }
  assert.equal(rowsOf([{ ...HOME, label }], [{ ...HOME, label: { ...label, en: 'Welcome' } }]), [
    'changed Welcome: label (English): Home → Welcome · Unchanged: Spanish and German. Check whether this still fits.',
  ])
  // One that is added is a translation of those that are there.
  assert.equal(rowsOf([{ ...HOME, label }], [{ ...HOME, label: { ...label, ar: 'بيت' } }]), [
    'changed Home: label (Arabic): بيت',
  ])
})

test('A new item has its texts in one line', () => {
  const label = { en: 'Sale', ar: 'تخفيضات', de: 'Angebote', es: 'Rebajas' }
  assert.equal(rowsOf([HOME], [HOME, { label, url: '/sale' }]), [
    'new Sale: top level, last place · label (Spanish, German, Arabic): Rebajas · Angebote · تخفيضات · address: /sale',
  ])
})

test('A new item has its place and what it has besides its name', () => {
  assert.equal(rowsOf([HOME], [HOME, { label: 'Sale', url: '/sale', icon: 'a:b' }]), [
    'new Sale: top level, last place · address: /sale · icon: a:b',
  ])
  assert.equal(rowsOf([HOME], [HOME, { type: 'section', label: 'Shop' }]), [
    'new Shop: top level, last place · type: section',
  ])
})

test.run()
