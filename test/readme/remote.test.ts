import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { loadConfig } from '../../src/config/load-config.js'
import { judgeRemote } from '../../src/config/remote-address.js'
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

testCoverage(test, 'docs/remote.md')

test.run()
