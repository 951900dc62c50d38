import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { STATUSES } from '../../src/dashboard/openapi.js'
import { PROBLEMS } from '../../src/dashboard/refusal.js'
import { get } from '../support/http.js'
import { createRepository } from '../support/repository.js'
import { plain } from './markdown.js'
import { CLI, ROOT, rowsUnder, takeBlocks, testCoverage } from './readme.js'
import { runShell, withServer } from './shell.js'

const MENU = `version: 1
code: main
name: Main menu
items:
  # Where most visitors go
  - label: { en: Sales, es: Ventas }
    url: /sales
  - label: Help
    url: /help
`

test('The example session ends with the commit of the page', async () => {
  const [session = '', commit] = takeBlocks('Example session', ['sh', 'diff'])
  const repository = createRepository()
  repository.commit('The first menu', {
    'menus/main.yaml': MENU,
    'menuscript.config.yaml': 'locales: [en, es]\n',
  })
  repository.git('config', 'user.name', 'Ana Núñez')
  await withServer('menuscript serve', repository.dir, async (url) => {
    const line = session
      .replace('http://127.0.0.1:4400', url)
      .replace('menuscript link', `'${process.execPath}' '${CLI}' link`)
    const printed = await runShell(line, repository.dir)
    assert.ok(printed.endsWith(commit ?? ''), printed)
  })
  assert.is(repository.git('status', '--porcelain', 'menus'), '')
  repository.close()
})

test('Every endpoint of the OpenAPI description has a row', async () => {
  await withServer('menuscript serve', ROOT, async (url) => {
    const { paths } = (await get(url, { target: '/openapi.json' })).json() as { paths: object }
    const described = Object.entries(paths).flatMap(([path, methods]) => {
      const [, own] = /^\/admin\/menus\/api(\/.*)$/.exec(path) ?? []
      const names = Object.keys(methods).filter((name) => name !== 'parameters')
      return own === undefined ? [] : names.map((name) => `${name.toUpperCase()} ${own}`)
    })
    const rows = rowsUnder('endpoint', 'does').map(([cell]) => plain(cell))
    assert.equal([...rows].sort(), described.sort())
  })
})

test('Every problem of the API has a row with its status, here or among those of every path', () => {
  const everywhere = rowsUnder('code', 'status', 'when').map(([code]) => plain(code))
  const own = Object.entries(STATUSES).filter(([code]) => code in PROBLEMS || !everywhere.includes(code))
  assert.equal(
    rowsUnder('code', 'status', 'reason')
      .map(([code, status]) => `${plain(code)} ${status}`)
      .sort(),
    own.map(([code, status]) => `${code} ${[status].flat().join(', ')}`).sort(),
  )
})

test('The choices of the example have the members of the request', () => {
  const [choices = ''] = takeBlocks('Drafts', ['json'])
  assert.equal(Object.keys(JSON.parse(choices)), ['version', 'choices'])
})

testCoverage(test, 'docs/management-api.md')

test.run()
