import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { createSessions } from '../../src/dashboard/access/sessions.js'
import { commitFolder, gitIn } from '../support/repository.js'
import { test } from '../support/test.js'
import { ADMIN, API, codeOf, MENU, openForScript, renamed, textOf, versionOf } from './managing.js'

const BAD_NAMES = [
  ...[
    '../x.yaml',
    'a/../x.yaml',
    '/etc/x.yaml',
    'a\\b.yaml',
    'a\0.yaml',
    'a\nb.yaml',
    '.git/x.yaml',
    'x.txt',
  ],
  ...['C:/x.yaml', 'CON.yaml', 'con/x.yaml', 'a./x.yaml', 'a /x.yaml', 'a?.yaml', '\ufffd.yaml'],
  ...[`${'x'.repeat(251)}.yaml`, `${'a/'.repeat(33)}x.yaml`, `${'a/'.repeat(2_000)}x.yaml`],
]

test('E7: No menu is made under a name that leaves the folder, is not read, or cannot be on Windows', async () => {
  const [script, { folder }] = await openForScript()
  for (const name of BAD_NAMES) {
    const path = `/source?file=${encodeURIComponent(name)}`
    const headers = { 'if-none-match': '*' }
    const body = 'version: 1\ncode: x\nname: X\nitems: []\n'
    const refused = await script('PUT', path, { body, type: 'text/yaml', headers })
    assert.is(codeOf(refused), '422 bad-path', JSON.stringify(name))
  }
  assert.equal(readdirSync(join(folder.dir, 'menus')), ['main.yaml'])
})

test('E7: A menu whose name Windows forbids can be read, changed and deleted where it exists', async () => {
  const menus = { 'aux.yaml': MENU, 'a:b.yaml': MENU.replace('code: main', 'code: other') }
  const [script, site] = await openForScript({ menus })
  for (const name of Object.keys(menus)) {
    const version = await versionOf(script, name)
    const patched = await script('PATCH', `/menu?file=${name}`, { body: renamed('Changed'), version })
    assert.is(patched.status, 200, patched.text)
    assert.match(textOf(site, name), 'name: Changed')
    const gone = { version: await versionOf(script, name) }
    assert.is((await script('DELETE', `/menu?file=${name}`, gone)).status, 200)
    assert.is(codeOf(await script('GET', `/menu?file=${name}`)), '404 no-file')
  }
})

test('Only menus are read from a repository: no history of other files, no other objects, none too large', async () => {
  const prepare = (dir: string) => {
    writeFileSync(join(dir, 'secrets.yaml'), 'password: swordfish\n')
    writeFileSync(join(dir, 'large'), 'x'.repeat(1_048_577))
    commitFolder(dir, '.')
  }
  const [script, { folder }] = await openForScript({ prepare })
  const { dir } = folder
  for (const file of ['../secrets.yaml', '../large', 'a/../../secrets.yaml', 'notes.txt'])
    assert.is(codeOf(await script('GET', `/history?file=${encodeURIComponent(file)}`)), '422 bad-path')
  for (const place of ['HEAD', 'HEAD:menus', 'HEAD:large']) {
    const id = gitIn(dir, 'rev-parse', place)
    assert.is(codeOf(await script('GET', `/history/${id}?file=main.yaml`)), '404 no-version', place)
  }
})

test('Where git has no commit yet, or cannot read them, the kept versions are listed', async () => {
  const [script, { folder }] = await openForScript({ prepare: (dir) => void gitIn(dir, 'init', '-q') })
  const { dir } = folder
  const listed = async () => {
    const answer = await script('GET', '/history?file=main.yaml')
    assert.is(answer.status, 200, answer.text)
    return answer.json()
  }
  const none = { file: 'main.yaml', kept: [], commits: [], more: false }
  assert.equal(await listed(), none)
  rmSync(join(dir, '.git/objects'), { recursive: true })
  assert.equal(await listed(), none)
})

test('D14: A stranger has few bytes to sign in with', async () => {
  const [, { ask, url }] = await openForScript()
  const headers = { origin: url, 'content-type': 'application/json' }
  const body = JSON.stringify({ link: 'x'.repeat(20_000) })
  assert.is(codeOf(await ask(`${API}/session`, { method: 'POST', headers, body })), '413 body-too-large')
})

test('Signing out with a session that is due for renewal gives no new cookie', async () => {
  const config = { dashboard: { session_secret: ADMIN } }
  const [, { ask, url }] = await openForScript({ config })
  const [issued, seen] = [Date.now() - 900_000, Date.now() - 600_000]
  const sessions = createSessions(ADMIN, 3_600_000)
  const session = { user: 'local', issued, seen, epoch: 0, given: null }
  const [cookie = ''] = sessions.toCookie(session).split(';')
  const headers = { cookie, origin: url, 'x-csrf-token': sessions.toToken(session) }
  const out = await ask(`${API}/session`, { method: 'DELETE', headers })
  assert.is(out.status, 204, out.text)
  assert.match(String(out.headers['set-cookie']), 'Max-Age=0')
})

test('Operations that are too many, point nowhere or have a number that would be rounded are refused at once', async () => {
  const [script, site] = await openForScript()
  const [version, before] = [await versionOf(script), textOf(site)]
  const { id } = (await script('POST', '/drafts?file=main.yaml')).json() as { id: string }
  const added = (value: string) => `[{ "op": "add", "path": "/x-a", "value": { "b": [${value}] } }]`
  const bodies: Readonly<Record<string, readonly [body: string, code: string]>> = {
    'too many': [JSON.stringify(Array(5_001).fill(renamed('A')[0])), '422 bad-operation'],
    'a long pointer': [
      `[{ "op": "test", "path": "${'/a'.repeat(100_000)}", "value": 1 }]`,
      '422 bad-operation',
    ],
    infinite: [added('1e999'), '422 bad-operation'],
    rounded: [added('12345678901234567890'), '422 bad-operation'],
    nested: ['['.repeat(3_000_000), '400 too-deep'],
    'many values': [`[${'[],'.repeat(1_000_000)}0]`, '400 too-deep'],
  }
  for (const [name, [body, code]] of Object.entries(bodies)) {
    assert.is(codeOf(await script('PATCH', '/menu?file=main.yaml', { body, version })), code, name)
    assert.is(codeOf(await script('PATCH', `/drafts/${id}`, { body })), code, name)
  }
  assert.is((await script('PATCH', `/drafts/${id}`, { body: added('9007199254740991, -0.1') })).status, 200)
  assert.is(textOf(site), before)
})

test('C7: an operation on a prototype changes nothing outside the menu', async () => {
  const [script, site] = await openForScript()
  const { id } = (await script('POST', '/drafts?file=main.yaml')).json() as { id: string }
  for (const path of [
    '/__proto__/polluted',
    '/constructor/prototype/polluted',
    '/items/__proto__/polluted',
  ]) {
    const body = [{ op: 'add', path, value: true }]
    assert.is(codeOf(await script('PATCH', `/drafts/${id}`, { body })), '422 bad-operation', path)
  }
  const body = '[{ "op": "add", "path": "/x-a", "value": { "__proto__": { "polluted": true } } }]'
  assert.is((await script('PATCH', `/drafts/${id}`, { body })).status, 200)
  assert.is((await script('POST', `/drafts/${id}/publish`)).status, 200)
  assert.match(textOf(site), /__proto__: \{ polluted: true \}/)
  assert.is(({} as { polluted?: boolean }).polluted, undefined)
})

test('Operations that double a value, nest without end or only keep the service busy change nothing', async () => {
  const [script, site] = await openForScript({ config: { limits: { items: 10 } } })
  const [version, before] = [await versionOf(script), textOf(site)]
  const many = (count: number, operation: object) => Array.from({ length: count }, () => operation)
  const { id } = (await script('POST', '/drafts?file=main.yaml')).json() as { id: string }
  const bombs: Readonly<Record<string, readonly object[]>> = {
    doubled: [
      { op: 'add', path: '/x-a', value: [1] },
      ...many(30, { op: 'copy', from: '/x-a', path: '/x-a/-' }),
    ],
    filled: [{ op: 'add', path: '/x-a', value: many(3_000, {}) }],
    keyed: [{ op: 'add', path: '/x-a', value: Object.fromEntries(many(501, {}).map((_, at) => [at, 1])) }],
    busy: [
      { op: 'add', path: '/x-a', value: many(2_000, {}) },
      ...many(20, { op: 'copy', from: '/x-a', path: '/x-b' }),
    ],
  }
  for (const [name, body] of Object.entries(bombs)) {
    assert.is(
      codeOf(await script('PATCH', '/menu?file=main.yaml', { body, version })),
      '422 bad-operation',
      name,
    )
    assert.is(codeOf(await script('PATCH', `/drafts/${id}`, { body })), '422 bad-operation', name)
  }
  assert.is(textOf(site), before)
})

test.run()
