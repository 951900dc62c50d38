import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { toContextKey } from '../../src/model/context.js'
import { parseRoute, toPath } from '../../src/service/routes.js'
import { fileOf } from '../support/snapshot-of.js'
import { plain } from './markdown.js'
import { optionsOf } from './options.js'
import { PAGES, ROOT, rowsUnder, tablesIn, takeBlocks, testCoverage, textOf } from './readme.js'

test('The menu file has no problem, and its tables have every key of the schema', () => {
  const [menu = ''] = takeBlocks('The menu file', ['yaml'])
  assert.equal(fileOf('sidebar.yaml', menu).problems, [])
  const { properties, definitions } = schemaOf('menu')
  const keys = (schema: Schema, ...more: string[]) =>
    [...Object.keys(schema.properties ?? {}), ...more].sort()
  const [ofMenu, ofItem, ofDisplay] = tablesIn('The menu file').map(({ rows }) =>
    rows.map(([key]) => plain(key)).sort(),
  )
  assert.equal(ofMenu, keys({ properties }, 'x-…'))
  assert.equal(ofItem, keys(definitions?.['item'] ?? {}, 'x-…'))
  assert.equal(ofDisplay, keys(definitions?.['display'] ?? {}))
  for (const key of keys(definitions?.['attributes'] ?? {}))
    assert.ok(textOf('The menu file').includes(`\`${key}\``), key)
})

test('Contexts are equal exactly as the table shows', () => {
  const rows = rowsUnder('in the file', 'in the request', 'equal')
  for (const [file = '', request = '', answer] of rows) {
    const [a, b] = [file, request].map((cell) => toContextKey(JSON.parse(plain(cell))))
    assert.is(a === b ? 'yes' : 'no', answer, `${file} ${request}`)
  }
})

test('Routes give the addresses of the table', async () => {
  const [text = ''] = takeBlocks('Links and routes', ['yaml'])
  const { routes } = await optionsOf(text)
  for (const [name = '', params = '', href] of rowsUnder('route', '`routeParams`', '`href` in `en`')) {
    const route = parseRoute(String(routes?.[plain(name)]))
    assert.ok(route !== null, `${name} is not a route`)
    const path = toPath(route, { item: JSON.parse(plain(params)), host: {}, locale: 'en' }) ?? '#'
    assert.is(path, plain(href), `${name} ${params}`)
  }
})

test('Every part of a route that the table names makes a route', () => {
  for (const [cell] of rowsUnder('part of a route', 'meaning')) {
    const [part = ''] = plain(cell).split(' ')
    assert.ok(parseRoute(`/a/${part}`) !== null, part)
  }
})

test('Every word of the glossary is used', () => {
  const text = PAGES.map((page) => page.text.replace(textOf('Glossary'), ''))
    .join('\n')
    .toLowerCase()
  for (const [word = ''] of rowsUnder('term', 'meaning')) assert.ok(text.includes(word), word)
})

testCoverage(test, 'docs/menus.md')

interface Schema {
  readonly properties?: Readonly<Record<string, unknown>> | undefined
  readonly definitions?: Readonly<Record<string, Schema>>
}

function schemaOf(name: string): Schema {
  return JSON.parse(readFileSync(join(ROOT, `schemas/${name}.schema.json`), 'utf8'))
}

test.run()
