import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import configSchema from '../../schemas/config.schema.json' with { type: 'json' }
import { loadConfig } from '../../src/config/load-config.js'
import { judgeRemote } from '../../src/config/remote-address.js'
import { draftOf, MENU, PROXIED, renamed, scriptAs } from '../dashboard/managing.js'
import { createVisitor } from '../dashboard/visiting.js'
import { type OpenSite, openSite } from '../http/sites.js'
import { eventually } from '../support/eventually.js'
import { createHub } from '../support/hub.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { plain } from './markdown.js'
import { tablesIn, takeBlocks, testCoverage } from './readme.js'
import { matches, textsOf } from './sources.js'

test('The configuration shown names a repository', async () => {
  const [text = ''] = takeBlocks('Menus from a remote repository', ['yaml'])
  const folder = createMenusFolder({ 'menuscript.config.yaml': text })
  const { remote, problems } = await loadConfig({
    folder: folder.dir,
    file: null,
    environment: {},
    flags: {},
  })
  assert.equal(problems, [])
  assert.is(remote?.url, 'https://git.example.org/shop/site.git')
  assert.is(remote?.tokenFile, '/run/secrets/git-token')
  folder.close()
})

test('Each kind of address takes the credentials shown, and no others', () => {
  const [table] = tablesIn('Sign in to the host')
  assert.is(table?.rows.length, 3)
  const takes = (remote: string, token: boolean, key: boolean): boolean =>
    judgeRemote({
      ...{
        remote,
        branch: 'main',
        path: '',
        interval: 30,
        webhook_secret_file: null,
        clone: null,
        drafts: 'remote',
      },
      ...{ token_file: token ? 'token' : null, ssh_key_file: key ? 'key' : null },
    }) === null
  const kinds = [
    [['https://bot@git.example/menus.git', 'http://127.0.0.1:8080/menus.git'], true, false],
    [['ssh://git@git.example/menus.git', 'git@git.example:menus.git'], false, true],
    [['/srv/menus.git', './menus.git', 'file:///srv/menus.git'], false, false],
  ] as const
  for (const [addresses, token, key] of kinds)
    for (const address of addresses) {
      assert.ok(takes(address, false, false), address)
      assert.is(takes(address, true, false), token, address)
      assert.is(takes(address, false, true), key, address)
    }
  const refused = [
    'http://git.example/menus.git',
    'https://a:b@git.example/m.git',
    'ext::sh -c id',
    'ftp://a/b',
    '-u',
    'a b',
  ]
  for (const address of refused) assert.not.ok(takes(address, false, false), address)
})

test('Each header of a webhook that is accepted has a row, and each host a header', () => {
  const [hosts, headers] = tablesIn('Webhooks')
  const names = headers?.rows.flatMap(([cell]) => plain(cell).toLowerCase().split(', ')) ?? []
  const [text = ''] = textsOf('src/http', (path) => path === 'webhook.ts')
  const read = matches(text, /'((?:x-[a-z0-9-]+|webhook)-(?:signature(?:-256)?|token))'/g)
  assert.equal(names.sort(), [...new Set(read)].sort())
  for (const host of hosts?.rows.flatMap(([cell]) => plain(cell).split(', ')) ?? [])
    assert.ok(
      names.some((name) => name.includes(host === 'GitHub' ? 'x-hub' : host.toLowerCase())),
      host,
    )
})

test('The replicas share what the table says, and nothing else', async () => {
  const [table] = tablesIn('Several replicas')
  const shared = new Map(table?.rows.map(([what = '', is = '']) => [what, is.startsWith('yes')]))
  const hub = createHub({ 'menus/main.yaml': MENU })
  const config = {
    ...PROXIED.config,
    dashboard: { ...PROXIED.config.dashboard, session_secret: 'a secret of all the replicas here' },
    storage: { git: { remote: hub.url } },
  }
  const open = () => openSite({}, { config, hasDashboard: true })
  const [here, there] = [await open(), await open()]
  const state = (site: OpenSite, name: string) => {
    const place = join(site.folder.dir, '.menuscript', name)
    return existsSync(place) ? readdirSync(place, { recursive: true }).length : 0
  }
  const [script, other] = [await scriptAs('ana', here), await scriptAs('ana', there)]
  const draft = await draftOf(script, renamed('Shop'))
  await eventually(async () =>
    assert.is((await other('GET', draft)).status === 200, shared.get('drafts, with undo and redo')),
  )
  await eventually(async () =>
    assert.is((await other('GET', '/drafts')).text.includes('"ana"'), shared.get('who edits which menu')),
  )
  assert.is((await script('POST', `${draft}/publish`)).status, 200)
  await there.remote?.follow()
  const served = (await there.ask('/admin/menus/api/menu?file=main.yaml', { headers: { 'x-user': 'ana' } }))
    .text
  assert.is(served.includes('Shop'), shared.get('menus, commits'))
  assert.ok(state(here, 'versions') > 0)
  assert.is(state(there, 'versions') > 0, shared.get('replaced texts in `versions`'))
  const audit = existsSync(join(there.folder.dir, '.menuscript', 'audit.log'))
  assert.is(audit, shared.get('audit log'))
  const enter = (site: OpenSite, link: string) => createVisitor(site.ask, site.url).enter(link)
  assert.is((await enter(there, here.link())).status === 303, shared.get('one-time links, password links'))
  const signedIn = await enter(here, here.link())
  const [cookie = ''] = signedIn.headers['set-cookie']?.split(';') ?? []
  const session = await there.ask('/admin/menus/api/session', { headers: { cookie } })
  assert.is(session.status === 200, shared.get('sessions'))
  // The users of this one, the limits and the keys have tests of their own.
  assert.is(shared.size, 10)
  for (const site of [here, there]) await site.close()
  hub.close()
})

test('The configuration shown takes the users from the repository', async () => {
  const [text = ''] = takeBlocks('Users from the repository', ['yaml'])
  const folder = createMenusFolder({ 'menuscript.config.yaml': text })
  const inputs = { folder: folder.dir, file: null, environment: {}, flags: {} }
  const { problems, usersFile, usersPath } = await loadConfig(inputs)
  assert.equal(problems, [])
  assert.is(usersPath, 'ops/users')
  assert.is(usersFile, join(folder.dir, '.menuscript-clone', 'ops', 'users'))
  folder.write('menuscript.config.yaml', 'dashboard: { users_file: git:ops/users }')
  assert.match((await loadConfig(inputs)).problems[0]?.what ?? '', 'storage.git.remote no repository')
  for (const path of ['git:', 'git:../users', 'git:/users', 'git:.git/config', 'git:a//b']) {
    folder.write(
      'menuscript.config.yaml',
      `storage: { git: { remote: hub.git } }\ndashboard: { users_file: ${JSON.stringify(path)} }`,
    )
    assert.is((await loadConfig(inputs)).problems.length, 1, path)
  }
  folder.close()
})

test('The configuration of proposals shown is valid, and each mode has a row', async () => {
  const [text = ''] = takeBlocks('Propose changes', ['yaml'])
  const folder = createMenusFolder({ 'menuscript.config.yaml': text })
  const place = { folder: folder.dir, file: null, environment: {}, flags: {} }
  const { remote, problems } = await loadConfig(place)
  assert.equal(problems, [])
  assert.equal(
    [remote?.mode, remote?.host],
    [
      'propose',
      {
        ...{ kind: 'forgejo', api: 'https://git.example.org/api/v1', web: 'https://git.example.org' },
        ...{ project: 'shop/site', tokenFile: '/run/secrets/git-token' },
      },
    ],
  )
  const [modes, hosts] = tablesIn('Propose changes')
  const { git } = configSchema.properties
  assert.equal(
    modes?.rows.map(([mode]) => plain(mode)),
    git.properties.mode.enum,
  )
  assert.equal(
    hosts?.rows.map(([kind]) => plain(kind)),
    git.properties.host.properties.kind.enum.filter((kind) => kind !== null),
  )
  for (const [kind, known, api] of hosts?.rows ?? [])
    for (const name of [plain(known), 'git.example.org'].filter(Boolean)) {
      const isKnown = name !== 'git.example.org'
      const flags = {
        'storage.git.remote': `git@${name}:shop/site.git`,
        'storage.git.token_file': null,
        'git.host.kind': isKnown ? null : plain(kind),
      }
      const loaded = await loadConfig({ ...place, flags })
      assert.equal(loaded.problems, [], name)
      const { host } = loaded.remote ?? {}
      assert.is(host?.kind, plain(kind))
      const shown = name === 'github.com' ? host?.api : host?.api.replace(name, 'HOST')
      assert.ok(plain(api).includes(shown ?? '-'), host?.api)
    }
  folder.close()
})

testCoverage(test, 'docs/remote.md')

test.run()
