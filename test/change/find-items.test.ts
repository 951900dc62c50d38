import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { findItems } from '../../src/change/find-items.js'
import { readItems } from '../../src/change/items.js'

const items = readItems({
  items: [
    { label: 'Home', url: '/' },
    {
      label: { en: 'Gifts', fr: 'Idées cadeaux' },
      routeName: 'gifts',
      children: [
        { label: 'Vases', url: '/vases', children: [{ label: 'Blue', url: '/blue' }] },
        { label: 'Cups', url: '/cups' },
      ],
    },
  ],
})

test('A search finds words in labels of any language in destinations and in names of pages, without accents and case', () => {
  const shown = (search: string): string => [...(findItems(items, search)?.shown ?? [])].sort().join(' ')
  assert.is(findItems(items, '  '), null)
  assert.is(shown('VASÉ'), '/items/1 /items/1/children/0 /items/1/children/0/children/0')
  assert.equal([...(findItems(items, 'vases')?.open ?? [])], ['/items/1'])
  assert.is(findItems(items, 'idees gifts')?.count, 1)
  assert.is(
    shown('route gifts cadeaux'),
    [...items.all]
      .slice(1)
      .map(({ pointer }) => pointer)
      .sort()
      .join(' '),
  )
  assert.is(findItems(items, 'nowhere')?.count, 0)
  const pages = { gifts: 'Gift ideas\nGeschenke', '/vases': 'none' }
  assert.equal([findItems(items, 'geschenke', pages)?.count, findItems(items, 'none', pages)?.count], [1, 0])
})

test.run()
