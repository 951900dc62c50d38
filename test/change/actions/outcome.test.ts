import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { findItem } from '../../../src/change/actions/action.js'
import { type ActionTexts, describeOutcome, describeRefusal } from '../../../src/change/actions/outcome.js'
import { readItems } from '../../../src/change/items.js'

const TEXTS = {
  unnamed: { link: 'a link', section: 'a section', divider: 'a divider' },
  moved: '{name} moved to position {position} of {count}.',
  movedUnder: '{name} moved to position {position} of {count} under {parent}.',
  removedWith: '{name} removed with {nothing}.',
  refused: { divider: '{name} cannot go into {parent}.', levels: 'At most {limit} levels.' },
} as unknown as ActionTexts

const items = readItems({
  items: [
    {
      label: { en: 'Products', de: '{parent}' },
      children: [{ label: 'Shop' }, { label: 'Blog', children: [{}] }],
    },
    { type: 'divider', label: 'x' },
  ],
})
const item = (pointer: string) => findItem(items, pointer) ?? items.menu

test('An outcome names the item, its place and its parent in the language of the operator', () => {
  const say = (kind: 'up' | 'remove', pointer: string, locale: string) =>
    describeOutcome({ kind, item: item(pointer) }, TEXTS, [locale])
  assert.is(say('up', '/items/0/children/1', 'en'), 'Blog moved to position 2 of 2 under Products.')
  assert.is(say('up', '/items/0', 'de'), '{parent} moved to position 1 of 2.')
  assert.is(say('up', '/items/1', 'en'), 'a divider moved to position 2 of 2.')
  assert.is(say('remove', '/items/0/children/1', 'en'), 'Blog removed with {nothing}.')
})

test('A refusal names what is in the way', () => {
  const [blog, divider] = [item('/items/0/children/1'), item('/items/1')]
  assert.is(
    describeRefusal({ reason: 'divider', other: divider }, blog, TEXTS, ['en']),
    'Blog cannot go into a divider.',
  )
  assert.is(describeRefusal({ reason: 'levels', limit: 3 }, blog, TEXTS, ['en']), 'At most 3 levels.')
})

test.run()
