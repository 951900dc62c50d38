import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { editedFields, fieldsOf, isAmong } from '../../../src/change/compare/field-changes.js'
import type { JsonMap } from '../../../src/model/json.js'
import { isAlike } from '../menu-model.js'
import { type Item, link, section } from '../menus.js'

test('An item has a field for each key, and of labels and attributes for each member', () => {
  const item = link('a', { label: { en: 'a', es: 'b' }, attributes: { rel: 'x' }, permissions: ['p'] })
  assert.equal(fieldsOf(item), ['label.en', 'label.es', 'url', 'attributes.rel', 'permissions'])
  assert.equal(fieldsOf(section('s', [link('a')], { attributes: {} })), ['type', 'label', 'attributes'])
})

const EDITS: readonly (readonly [what: string, before: Item, after: Item, fields: readonly string[]])[] = [
  ['nothing', link('a'), link('a'), []],
  ['a key', link('a'), { label: 'a', url: '/b' }, ['url']],
  ['a key that came and one that went', { icon: 'i:a' }, { hidden: true }, ['hidden', 'icon']],
  ['what is below it', section('s', [link('a')]), section('s', []), []],
  ['one locale', { label: { en: 'a', es: 'b' } }, { label: { en: 'a', es: 'c' } }, ['label.es']],
  ['a locale that went', { label: { en: 'a', es: 'b' } }, { label: { en: 'a' } }, ['label.es']],
  ['a label that got locales', { label: 'a' }, { label: { en: 'a', es: 'b' } }, ['label.es']],
  ['a label that lost its locales', { label: { en: 'a', es: 'b' } }, { label: 'a' }, ['label']],
  [
    'attributes that came',
    {},
    { attributes: { rel: 'a', class: 'b' } },
    ['attributes.class', 'attributes.rel'],
  ],
  ['attributes that went', { attributes: { rel: 'a' } }, {}, ['attributes.rel']],
  ['attributes that are empty now', { attributes: { rel: 'a' } }, { attributes: {} }, ['attributes']],
  ['attributes that were one value', { attributes: 'a' }, { attributes: { rel: 'a' } }, ['attributes.rel']],
]

for (const [what, before, after, fields] of EDITS) {
  test(`The edited fields name ${what}`, () => {
    assert.equal([...editedFields(before, after)].sort(), [...fields].sort())
  })
}

test('A field is among those that are named, and so is a part of one', () => {
  const names = new Set(['label', 'attributes.rel'])
  assert.equal(
    ['label', 'label.en', 'attributes.rel', 'attributes', 'labels', '.label', 'x-label.en'].map((field) =>
      isAmong(names, field),
    ),
    [true, true, true, false, false, false, false],
  )
})

// A label that is one text is the same text in each locale, so no text is in both forms.
const values = fc.constantFrom<JsonMap[string]>('a', 'b', { en: 'c' }, { en: 'c', es: 'd' }, {})
const items: fc.Arbitrary<Item> = fc.record(
  { label: values, url: values, attributes: values, 'x-own': values },
  { requiredKeys: [], noNullPrototype: true },
)

/** An item, and the same with another value of one key, or without it. */
const neighbours = fc
  .tuple(items, fc.constantFrom('label', 'url', 'attributes', 'x-own'), fc.option(values))
  .map(([item, key, value]): readonly [Item, Item] => {
    const { [key]: _, ...others } = item
    return [item, value === null ? others : { ...others, [key]: value }]
  })

test('Items differ in fields exactly when they are not equal', () => {
  fc.assert(
    fc.property(fc.oneof(neighbours, fc.tuple(items, items)), ([before, after]) => {
      assert.is(editedFields(before, after).length === 0, isAlike(before, after))
    }),
    { numRuns: 300 },
  )
})

test.run()
