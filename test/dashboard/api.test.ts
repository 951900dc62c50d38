import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { contentHash } from '../../src/store/hash.js'
import { commitFolder, gitIn } from '../support/repository.js'
import { test } from '../support/test.js'
import { API, codeOf, draftOf, keptIds, MENU, openForScript, renamed, textOf, versionOf } from './managing.js'

test('A patch with the version of the menu changes its lines, and the next read is of them', async () => {
  const [script, site] = await openForScript()
  const version = await versionOf(script)
  const answer = await script('PATCH', '/menu?file=main.yaml', { body: renamed('Front'), version })
  assert.is(answer.status, 200, answer.text)
  assert.is(textOf(site), MENU.replace('name: Main ', 'name: Front '))
  const { diff, menu } = answer.json() as { diff: string; menu: { name: string } }
  assert.match(diff, '-name: Main   # for editors\n+name: Front   # for editors\n')
  assert.is(menu.name, 'Front')
  assert.is(await versionOf(script), answer.headers['etag'])
})

test('Malformed bodies are refused, and change nothing', async () => {
  const [script, site] = await openForScript()
  const version = await versionOf(script)
  const put = (body: string, type: string) =>
    script('PATCH', '/menu?file=main.yaml', { body, type, version }).then(codeOf)
  assert.is(await put('[', 'application/json'), '400 not-json')
  assert.is(await put('\ud800', 'application/json'), '400 not-json')
  assert.is(await put('[]', 'text/html'), '415 wrong-content-type')
  assert.is(await put('[]', 'application/json; charset=latin1'), '415 wrong-content-type')
  assert.is(await put(`${'['.repeat(300)}${']'.repeat(300)}`, 'application/json'), '400 too-deep')
  assert.is(await put(`"${'x'.repeat(5_000_000)}"`, 'application/json'), '413 body-too-large')
  assert.is(textOf(site), MENU)
})

test('A menu is made, listed, edited as text, deleted and restored', async () => {
  const [script, site] = await openForScript()
  const made = await script('POST', '/menus', { body: { code: 'footer', name: 'Footer', empty: true } })
  assert.is(made.status, 201, made.text)
  assert.is((made.json() as { file: string }).file, 'footer.yaml')
  const list = (await script('GET', '/menus')).json() as { menus: { file: string; state: string }[] }
  assert.equal(
    list.menus.map(({ file, state }) => [file, state]),
    [
      ['footer.yaml', 'served'],
      ['main.yaml', 'served'],
    ],
  )
  assert.is(codeOf(await script('POST', '/menus', { body: { code: 'footer' } })), '409 menu-exists')
  const source = await script('GET', '/source?file=main.yaml')
  assert.is(source.text, MENU)
  const text = MENU.replace('# where all begins', '# the front door')
  const etag = source.headers['etag'] ?? ''
  const put = await script('PUT', '/source?file=main.yaml', {
    body: text,
    type: 'text/yaml',
    version: etag,
  })
  assert.is(put.status, 200, put.text)
  const version = put.headers['etag'] ?? ''
  assert.is((await script('DELETE', '/menu?file=main.yaml', { version })).status, 200)
  assert.not.ok(existsSync(join(site.folder.dir, 'menus/main.yaml')))
  const kept = await keptIds(script)
  assert.is(kept.length, 2)
  const restored = await script('POST', '/restore?file=main.yaml', {
    body: { id: kept[0] },
    headers: { 'if-none-match': '*' },
  })
  assert.is(restored.status, 200, restored.text)
  assert.is(textOf(site), text)
})

test('A draft is kept step by step, and published once', async () => {
  const [script, site] = await openForScript()
  const opened = await script('POST', '/drafts?file=main.yaml')
  assert.is(opened.status, 201, opened.text)
  const { id } = opened.json() as { id: string }
  const step = (body: unknown, headers = {}) => script('PATCH', `/drafts/${id}`, { body, headers })
  await step(renamed('A'), { 'idempotency-key': 'one' })
  await step(renamed('A'), { 'idempotency-key': 'one' })
  await step([{ op: 'move', from: '/items/1', path: '/items/0' }])
  assert.is((await script('POST', `/drafts/${id}/undo`)).status, 200)
  assert.is(textOf(site), MENU)
  const publish = (version: string) => script('POST', `/drafts/${id}/publish`, { version })
  assert.is(codeOf(await publish('"1"')), '412 draft-changed')
  assert.is(codeOf(await publish('"other"')), '400 bad-version')
  const { etag = '' } = (await script('GET', `/drafts/${id}`)).headers
  const published = await publish(etag)
  assert.is(published.status, 200, published.text)
  assert.is(textOf(site), MENU.replace('name: Main ', 'name: A '))
  assert.is((await script('GET', `/drafts/${id}`)).status, 404)
})

test('A conflict keeps the draft until each is decided, and the choice is published', async () => {
  const [script, site] = await openForScript()
  const label = (value: string) => [{ op: 'replace', path: '/items/1/label', value }]
  const draft = await draftOf(script, label('Turnover'))
  const version = await versionOf(script)
  await script('PATCH', '/menu?file=main.yaml', { body: label('Revenue'), version })
  const refused = await script('POST', `${draft}/publish`)
  assert.is(codeOf(refused), '409 conflict')
  const told = refused.json() as { version: string; conflicts: { id: string; what: string }[] }
  assert.is(told.conflicts.length, 1)
  const resolve = (body: unknown) => script('POST', `${draft}/resolve`, { body })
  const choices = { [told.conflicts[0]?.id ?? '']: 'mine' }
  assert.is(codeOf(await resolve({ version: told.version, choices: {} })), '422 undecided')
  assert.is(codeOf(await resolve({ version: 'old', choices })), '412 changed')
  assert.is((await resolve({ version: told.version, choices })).status, 200)
  assert.is((await script('POST', `${draft}/publish`)).status, 200)
  assert.is(textOf(site), MENU.replace('Sales', 'Turnover'))
})

test('A conflict that comes with a choice is reported with the others', async () => {
  const of = (guard: string, item: string): string =>
    'version: 1\ncode: main\nname: Main\nitems:\n  - type: section\n    label: Staff\n' +
    `${guard}    children:\n      - label: Rota\n        url: /rota\n${item}`
  const guard = '    permissions: [staff]\n'
  const pay = (label: string): string => `      - label: ${label}\n        url: /pay\n`
  const [script, site] = await openForScript()
  const file = join(site.folder.dir, 'menus/main.yaml')
  writeFileSync(file, of(guard, pay('Pay')))
  const section = '/items/0'
  const body = [
    { op: 'remove', path: `${section}/children/1` },
    { op: 'remove', path: `${section}/permissions` },
  ]
  const draft = await draftOf(script, body)
  writeFileSync(file, of(guard, pay('Wages')))
  const told = (await script('POST', `${draft}/publish`)).json() as {
    version: string
    conflicts: { id: string; kind: string }[]
  }
  assert.equal(
    told.conflicts.map(({ kind }) => kind),
    ['delete', 'viewers'],
  )
  const choices = Object.fromEntries(told.conflicts.map((each) => [each.id, 'theirs']))
  const resolved = await script('POST', `${draft}/resolve`, {
    body: { version: told.version, choices },
  })
  assert.is(resolved.status, 200, resolved.text)
  assert.is((await script('POST', `${draft}/publish`)).status, 200)
  assert.is(textOf(site), of(guard, pay('Wages')))
})

/** A section for some viewers, with an item for some of those and more items. */
const reports = (section: string, item: string, more: string = ''): string =>
  'version: 1\ncode: main\nname: Main\nitems:\n  - type: section\n    label: Reports\n' +
  `    permissions: [${section}]\n    children:\n      - label: Salaries\n        url: /salaries\n${item}${more}`

test('A draft and a change by hand, or by a pull, that together show an item to more viewers are a conflict', async () => {
  const guarded = '        permissions: [admin]\n'
  const [script, site] = await openForScript()
  const file = join(site.folder.dir, 'menus/main.yaml')
  writeFileSync(file, reports('sales, admin', guarded))
  const body = [{ op: 'remove', path: '/items/0/children/0/permissions' }]
  const draft = await draftOf(script, body)
  writeFileSync(file, reports('sales', guarded))
  const refused = await script('POST', `${draft}/publish`)
  assert.is(codeOf(refused), '409 conflict')
  const { conflicts } = refused.json() as { conflicts: { kind: string; what: string }[] }
  assert.equal(
    conflicts.map(({ kind }) => kind),
    ['viewers'],
  )
  assert.is(textOf(site), reports('sales', guarded))
})

test('Choices that together show an item to more viewers are refused, and one side for all is taken', async () => {
  const added = (label: string): string => `      - label: ${label}\n        url: /${label}\n`
  const [script, site] = await openForScript()
  const file = join(site.folder.dir, 'menus/main.yaml')
  writeFileSync(file, reports('sales, admin', ''))
  const body = [
    { op: 'replace', path: '/items/0/permissions', value: ['sales'] },
    { op: 'add', path: '/items/0/children/-', value: { label: 'x', url: '/x' } },
  ]
  const draft = await draftOf(script, body)
  writeFileSync(file, reports('admin', '', added('y')))
  const { version, conflicts } = (await script('POST', `${draft}/publish`)).json() as {
    version: string
    conflicts: { id: string; kind: string; mine: string | null }[]
  }
  const resolve = (sideOf: (conflict: (typeof conflicts)[number]) => string) => {
    const choices = Object.fromEntries(conflicts.map((each) => [each.id, sideOf(each)]))
    return script('POST', `${draft}/resolve`, { body: { version, choices } })
  }
  const refused = await resolve(({ mine }) => (mine === null ? 'theirs' : 'mine'))
  assert.is(codeOf(refused), '422 undecided')
  const { conflicts: open } = refused.json() as { conflicts: string[] }
  assert.equal(open.length, 1)
  assert.ok(conflicts.some((each) => each.id === open[0] && each.kind === 'viewers'))
  assert.is((await resolve(({ kind }) => (kind === 'viewers' ? 'theirs' : 'mine'))).status, 200)
  assert.is((await script('POST', `${draft}/publish`)).status, 200)
  assert.is(textOf(site), reports('admin', '', added('y')))
})

test('What mine keeps against a deletion comes back with its comments, after another pull as well', async () => {
  const rest = 'version: 1\ncode: main\nname: Main\nitems:\n  - label: Home\n    url: /\n'
  const branch =
    '  # Agreed with sales.\n  - label: Shop # since May\n    url: /shop\n    children:\n' +
    '      # The first.\n      - label: Lamps\n        url: /lamps\n'
  const [script, site] = await openForScript()
  const file = join(site.folder.dir, 'menus/main.yaml')
  writeFileSync(file, rest + branch)
  const body = [{ op: 'replace', path: '/items/1/label', value: 'Store' }]
  const draft = await draftOf(script, body)
  for (const pulled of [rest, rest.replace('Home', 'Start')]) {
    writeFileSync(file, pulled)
    const told = (await script('POST', `${draft}/publish?dry_run=true`)).json() as {
      version: string
      conflicts?: { id: string }[]
    }
    const choices = Object.fromEntries((told.conflicts ?? []).map((each) => [each.id, 'mine']))
    const resolved = await script('POST', `${draft}/resolve`, {
      body: { version: contentHash(Buffer.from(pulled)), choices },
    })
    assert.is(resolved.status, 200, resolved.text)
  }
  assert.is((await script('POST', `${draft}/publish`)).status, 200)
  assert.is(textOf(site), rest.replace('Home', 'Start') + branch.replace('Shop', 'Store'))
})

test('In a git work tree a publish is a commit of this file alone, by the one who published, in words', async () => {
  const [script, { folder }] = await openForScript({ prepare: (dir) => commitFolder(dir, 'menus') })
  const { dir, write } = folder
  write('menus/draft.txt', 'mine')
  gitIn(dir, 'add', 'menus/draft.txt')
  const version = await versionOf(script)
  const body = [{ op: 'replace', path: '/items/1/label', value: 'Revenue' }]
  const answer = await script('PATCH', '/menu?file=main.yaml', { body, version })
  const { commit } = answer.json() as { commit: { kind: string } }
  assert.is(commit.kind, 'committed')
  assert.is(gitIn(dir, 'log', '-1', '--format=%an: %s'), 'token: Menu main: renames Sales to Revenue')
  assert.is(gitIn(dir, 'show', '--numstat', '--format='), '1\t1\tmenus/main.yaml')
  assert.is(gitIn(dir, 'status', '--porcelain', '--', 'menus'), 'A  menus/draft.txt')
})

test('B9: what is not in the last commit is listed as uncommitted, deletions too, and then git refuses to pull over it', async () => {
  const prepare = (dir: string) => {
    writeFileSync(join(dir, 'menus/old.yaml'), MENU.replace('code: main', 'code: old'))
    commitFolder(dir, 'menus')
    writeFileSync(join(dir, 'menus/main.yaml'), MENU.replace('Main', 'Theirs'))
    gitIn(dir, 'commit', '-qam', 'Second')
    gitIn(dir, 'branch', 'theirs')
    gitIn(dir, 'reset', '-q', '--hard', 'HEAD~1')
  }
  const listOf = async (script: Parameters<typeof versionOf>[0]) =>
    (await script('GET', '/menus')).json() as {
      menus: { file: string; uncommitted: boolean }[]
      uncommittedDeletions: string[]
    }
  const [script, { folder }] = await openForScript({ prepare, config: { git: { commit: 'off' } } })
  const { dir } = folder
  const version = await versionOf(script)
  await script('PATCH', '/menu?file=main.yaml', { body: renamed('Mine'), version })
  const old = (await script('GET', '/menu?file=old.yaml')).headers['etag'] ?? ''
  const { menus } = await listOf(script)
  assert.equal(
    menus.map(({ file, uncommitted }) => [file, uncommitted]),
    [
      ['main.yaml', true],
      ['old.yaml', false],
    ],
  )
  assert.throws(() => gitIn(dir, 'merge', '--ff-only', 'theirs'), /overwritten by merge/)
  await script('DELETE', '/menu?file=old.yaml', { version: old })
  assert.equal((await listOf(script)).uncommittedDeletions, ['old.yaml'])
})

test('A session started by the printed link needs its token to write', async () => {
  const [, { ask, link, url }] = await openForScript()
  const token = new URL(link()).searchParams.get('link')
  const post = (path: string, method: string, headers: Record<string, string>, body: unknown) =>
    ask(`${API}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const begin = (headers: Record<string, string>) => post('/session', 'POST', headers, { link: token })
  assert.is(codeOf(await begin({})), '403 cross-site')
  const begun = await begin({ origin: url })
  assert.is(begun.status, 201, begun.text)
  assert.is(codeOf(await begin({ origin: url })), '401 wrong-link')
  const cookie = begun.headers['set-cookie']?.split(';')[0] ?? ''
  const session = (await ask(`${API}/session`, { headers: { cookie } })).json() as {
    csrf: string
    role: string
  }
  assert.is(session.role, 'edit')
  const made = { origin: url, cookie }
  assert.is(codeOf(await post('/menus', 'POST', made, { code: 'a' })), '403 bad-csrf-token')
  const written = await post('/menus', 'POST', { ...made, 'x-csrf-token': session.csrf }, { code: 'a' })
  assert.is(written.status, 201, written.text)
  assert.is(
    codeOf(await post('/menus', 'POST', { cookie, origin: 'http://evil.example' }, { code: 'b' })),
    '403 cross-site',
  )
})

test.run()
