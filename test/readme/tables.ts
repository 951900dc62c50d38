import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'uvu'
import * as assert from 'uvu/assert'
import { ALIASES, OPTION_ROWS } from '../../src/config/option-table.js'
import { PROBLEM_KINDS } from '../../src/model/problem-codes.js'
import { POLICY_NAMES } from '../../src/service/hooks.js'
import { parseRoute } from '../../src/service/routes.js'
import { eventually } from '../support/eventually.js'
import { get, type HttpOptions } from '../support/http.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { inRepository } from '../support/repository.js'
import { plain } from './markdown.js'
import { PAGES, pageAt, ROOT, rowsUnder, tablesIn, textOf } from './readme.js'
import { runMenuscript, withServer } from './shell.js'

/** What an entry of docs/problems.md says: the severity, the meaning, and how to fix it. */
const ENTRY = /^\n(\w+)\. (?:.+\n)*.+\.\n\nTo fix it: (.+)\n+$/

/** The tests of the tables: each says what is there, all of it, and nothing else. */
export function addTableTests(test: Test): void {
  test('Every problem code has an entry with its severity and how to fix it, and no entry is of another', () => {
    const { sections } = pageAt('docs/problems.md')
    const entries = sections.filter(({ text }) => text.includes('To fix it: '))
    assert.equal(entries.map(({ heading }) => heading).sort(), Object.keys(PROBLEM_KINDS).sort())
    for (const [code, { severity, todo }] of Object.entries(PROBLEM_KINDS)) {
      const [, told = '', advice] = ENTRY.exec(textOf(code)) ?? []
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
    const codes = new Set(
      texts.flatMap((text) => matches(text, /(?:\bcode: |\bbadRequest\(\s*)'([a-z-]+)'/g)),
    )
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

  test('The README has a row for each page of docs/', () => {
    const rows = rowsUnder('page', 'what it answers')
    const paths = rows.map(([cell = '']) => /\]\((.+)\)$/.exec(cell)?.[1])
    assert.equal(
      paths.sort(),
      PAGES.map(({ path }) => path)
        .filter((path) => path !== 'README.md')
        .sort(),
    )
  })

  test('Every form of a report has a row', async () => {
    const choices = { lint: 'Check menus in CI', diff: 'Review a change' }
    for (const [command, section] of Object.entries(choices)) {
      const { stderr } = await runMenuscript(`menuscript ${command} --format none`, ROOT)
      const [, list = ''] = /choices are (.+)\./.exec(stderr) ?? []
      const told = tablesIn(section).flatMap(({ rows }) => rows.map(([cell]) => plain(cell).split(' ')[1]))
      assert.equal(told.sort(), list.split(', ').sort(), command)
    }
  })

  test('Every parameter, member, header and path of the endpoint has a row', async () => {
    const token = 'x'.repeat(32)
    await withServer(`MENUSCRIPT_ADMIN_TOKEN=${token} menuscript serve`, ROOT, async (url) => {
      const description = (await get(url, { target: '/openapi.json' })).json() as Description
      const parameters = description.paths['/api/menu/{code}']?.parameters.map(({ name }) => name) ?? []
      const [asked] = tablesIn('Ask over HTTP')
      assert.equal(
        asked?.rows.map(([cell]) => plain(cell)),
        parameters.filter((name) => name.startsWith('_')),
      )
      const [nodes, sent] = tablesIn('The answer')
      const headers = { 'Accept-Encoding': 'gzip' }
      await get(url, { target: '/api/menu/main', headers })
      await eventually(async () => {
        const answer = await get(url, { target: '/api/menu/main', headers })
        const named = sent?.rows.flatMap(([cell]) => plain(cell).split(', ')) ?? []
        for (const name of named) assert.ok(name.toLowerCase() in answer.headers, name)
      })
      const [node = {}] = (await get(url, { target: '/api/menu/main' })).json() as object[]
      const members = nodes?.rows.map(([cell]) => plain(cell))
      assert.equal(members, [...Object.keys(node), 'id', 'attributes'])
      for (const [cell] of rowsUnder('path', 'answer')) {
        const [target = '', method = 'GET'] = plain(cell).split(' ').reverse()
        const answer = await get(url, { target, method, headers: { Authorization: `Bearer ${token}` } })
        assert.is(answer.status, 200, target)
      }
    })
  })

  test('Every part of a route that the table names makes a route', () => {
    for (const [cell] of rowsUnder('part of a route', 'meaning')) {
      const [part = ''] = plain(cell).split(' ')
      assert.ok(parseRoute(`/a/${part}`) !== null, part)
    }
  })

  test('Every word of the glossary is used', () => {
    const text = PAGES.map((page) => page.text.replace(textOf('Words'), ''))
      .join('\n')
      .toLowerCase()
    for (const [word = ''] of rowsUnder('word', 'meaning')) assert.ok(text.includes(word), word)
  })

  test('The signals and the times that are named are those of the server', () => {
    const signals = matches(textsOf('src/cli').join('\n'), /\bon\('(SIG[A-Z]+)'/g)
    const rows = rowsUnder('signal', 'effect').flatMap(([cell = '']) => matches(cell, /`(SIG[A-Z]+)`/g))
    assert.equal(rows.sort(), [...new Set(signals)].sort())
    const source = readFileSync(join(ROOT, 'src/http/server.ts'), 'utf8')
    for (const [, value = ''] of rowsUnder('limit', 'value')) {
      const [seconds] = /^\d+(?= seconds)/.exec(value) ?? []
      assert.ok(seconds === undefined || source.includes(` = ${seconds}_000\n`), value)
    }
  })

  test('What reports an incident is an event, a metric or a problem', () => {
    const names = ['event', 'metric'].flatMap((head) =>
      PAGES.flatMap(({ tables }) => tables)
        .filter((table) => table.head[0] === head)
        .flatMap(({ rows }) => rows.flatMap(([cell]) => plain(cell).split(', '))),
    )
    for (const [, , cell = ''] of rowsUnder('what happens', 'what is served', 'what reports it')) {
      for (const name of matches(cell, /`(menu_\w+|[a-z]+_[a-z]+|[a-z]+-[a-z]+)(?:\{.*?\})?`/g))
        assert.ok(names.includes(name) || name in PROBLEM_KINDS, name)
    }
  })

  test('Every figure has what it reached and its goal', () => {
    const figures = [
      ...rowsUnder('figure of `npm run test:long`', 'reached', 'goal'),
      ...rowsUnder('what', 'reached', 'goal'),
    ]
    for (const row of figures) assert.ok(row.length === 3 && row.every((cell) => cell !== ''), row[0])
  })

  test('A range compares what its row says', () =>
    inRepository({ 'menus/a.yaml': 'version: 1\ncode: a\nname: A\nitems: []\n' }, async (repository) => {
      const fork = repository.git('rev-parse', 'HEAD')
      repository.git('checkout', '--quiet', '-b', 'work')
      const head = repository.commit('Work', { 'a.txt': 'a' })
      repository.git('checkout', '--quiet', 'main')
      const base = repository.commit('Other', { 'b.txt': 'b' })
      repository.git('checkout', '--quiet', 'work')
      const compared = {
        none: [head, null],
        BASE: [fork, null],
        'BASE..HEAD': [base, head],
        'BASE...HEAD': [fork, head],
      }
      const rows = rowsUnder('range', 'compares').map(([cell]) => plain(cell))
      assert.equal(rows, Object.keys(compared))
      for (const [range, commits] of Object.entries(compared)) {
        const words = range === 'none' ? '' : range.replace('BASE', 'main')
        const { stdout } = await runMenuscript(`menuscript diff ${words} --json`, repository.dir)
        const report = JSON.parse(stdout)
        assert.equal([report.base.commit, report.head.commit], commits, range)
      }
    }))
}

/** What is read of /openapi.json. */
interface Description {
  readonly paths: Readonly<Record<string, { readonly parameters: readonly { readonly name: string }[] }>>
}

function textsOf(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(join(ROOT, folder, path), 'utf8'))
}

function matches(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, found = '']) => found)
}
