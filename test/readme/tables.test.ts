import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ALIASES, OPTION_ROWS } from '../../src/config/option-table.js'
import { PROBLEM_KINDS } from '../../src/model/problem-codes.js'
import { POLICY_NAMES } from '../../src/service/hooks.js'
import { get, type HttpOptions } from '../support/http.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { plain } from './markdown.js'
import { pageAt, ROOT, rowsUnder, tablesIn, textOf } from './readme.js'
import { withServer } from './shell.js'

test('Every problem code has an entry with its severity and how to fix it, and no entry is of another', () => {
  const { sections } = pageAt('docs/problems.md')
  const entries = sections.filter(({ text }) => text.includes('To fix it: '))
  assert.equal(entries.map(({ heading }) => heading).sort(), Object.keys(PROBLEM_KINDS).sort())
  for (const [code, { severity, todo }] of Object.entries(PROBLEM_KINDS)) {
    const [, told = '', , advice] = /^\n(\w+)\. ((?:.+\n)*.+\.)\n\nTo fix it: (.+)\n+$/.exec(textOf(code)) ?? []
    assert.equal([told.toLowerCase(), plain(advice)], [severity, todo], code)
  }
})

test('Every option has one row with its default; those that nothing reads yet stand apart', () => {
  const [read, unread] = tablesIn('Options')
  const [former] = tablesIn('Former names')
  const rows = [...(read?.rows ?? []), ...(unread?.rows ?? [])]
  const options = OPTION_ROWS.filter(({ isAlias }) => !isAlias)
  assert.equal(rows.map(([name]) => plain(name)).sort(), options.map(({ name }) => name).sort())
  for (const { name, fallback, description } of options) {
    const [, shown] = rows.find(([cell]) => plain(cell) === name) ?? []
    assert.equal(JSON.parse(plain(shown)), fallback, name)
    const apart = unread?.rows.some(([cell]) => plain(cell) === name) ?? false
    if (/does not have yet/.test(description)) assert.ok(apart, `${name} is not read yet`)
  }
  assert.equal(
    former?.rows.map((row) => row.map(plain)),
    [...ALIASES].map((pair) => [...pair]),
  )
})

test('Every export of a policies module has one row', () => {
  const rows = rowsUnder('export', 'answers', 'default', 'when it fails')
  assert.equal(
    rows.map(([name]) => plain(name).split('(')[0]),
    [...POLICY_NAMES],
  )
})

test('Every event of the log has a row, and no row is of another', () => {
  const events = new Set(
    textsOf('src').flatMap((text) => matches(text, /\b(?:(?:log|notices)\.\w+|tell)\(\s*'([a-z_]+)'/g)),
  )
  const told = rowsUnder('event', 'when').flatMap(([cell]) => plain(cell).split(', '))
  assert.equal(told.sort(), [...events].sort())
})

test('Every problem that HTTP answers has one row with the status that it is answered with', async () => {
  const texts = [...textsOf('src/http'), ...textsOf('src/web')]
  const codes = new Set(texts.flatMap((text) => matches(text, /(?:\bcode: |\bbadRequest\(\s*)'([a-z-]+)'/g)))
  const rows = rowsUnder('code', 'status', 'when')
  assert.equal(rows.map(([code]) => plain(code)).sort(), [...codes].sort())
  const provocations: Readonly<Record<string, [path: string, options?: HttpOptions]>> = {
    'bad-context-sets': ['/api/menu/a?_context_sets=[1]'],
    'malformed-percent': ['/api/menu/a?_locale=%zz'],
    'repeated-parameter': ['/api/menu/a?_locale=en&_locale=es'],
    'query-too-long': [`/api/menu/a?${'x'.repeat(8193)}`],
    'two-hosts': ['/', { headers: ['Host', 'a', 'Host', 'b'] }],
    'no-host': ['/', { headers: ['X-Other', 'a'] }],
    'unknown-expectation': ['/', { headers: { expect: 'tea' } }],
    'not-found': ['/api/menu/a/b'],
    'method-not-allowed': ['/api/menu/a', { method: 'PUT' }],
    'internal-error': ['/api/menu/a'],
    unauthorized: ['/metrics'],
  }
  // What it takes to be overloaded is in a test of its own.
  const provoked = rows.filter(([code]) => plain(code) !== 'overloaded')
  const folder = createMenusFolder({
    'menuscript.config.yaml': 'policies: policies.mjs\n',
    'policies.mjs': "export const resolveMenuCode = () => { throw new Error('no') }\n",
  })
  const serve = `MENUSCRIPT_ADMIN_TOKEN=${'x'.repeat(32)} menuscript serve`
  await withServer(serve, folder.dir, async (url) => {
    for (const [cell, status] of provoked) {
      const [target = '', options = {}] = provocations[plain(cell)] ?? []
      const answer = await get(url, { ...options, target })
      const { code } = answer.json() as { code: string }
      assert.equal([code, String(answer.status)], [plain(cell), status])
      assert.is(answer.headers['content-type'], 'application/problem+json')
    }
    const position = async (query: string) =>
      ((await get(url, { target: `/api/menu/a?${query}` })).json() as { position: number }).position
    assert.is(await position('_locale=%20%zz'), 3, 'as it is sent')
    assert.is(await position('_context_sets=%5B%20,'), 2, 'in the decoded text')
  })
  folder.close()
})

test('Every metric of ours has a row', () => {
  const metrics = matches(textsOf('src/http').join('\n'), /'(menu(?:script)?_[a-z_]+)'/g)
  const told = rowsUnder('metric', 'what it counts').flatMap(([cell]) => plain(cell).split(', '))
  assert.equal([...told].sort(), [...new Set(metrics)].sort())
})

function textsOf(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(join(ROOT, folder, path), 'utf8'))
}

function matches(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, found = '']) => found)
}

test.run()
