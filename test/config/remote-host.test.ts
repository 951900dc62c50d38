import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { loadConfig } from '../../src/config/load-config.js'

async function load(remote: string | null, git: Readonly<Record<string, unknown>>) {
  const flags = { 'storage.git.remote': remote, ...git }
  return loadConfig({ folder: '/srv', file: false, environment: {}, flags })
}

const KIND = 'git.host.kind'
const HOSTS: readonly (readonly [remote: string, git: object, host: readonly string[] | null])[] = [
  [
    'https://github.com/shop/site.git',
    {},
    ['github', 'https://api.github.com', 'https://github.com', 'shop/site'],
  ],
  ['git@github.com:shop/site', {}, ['github', 'https://api.github.com', 'https://github.com', 'shop/site']],
  [
    'https://bot@git.example/shop/site.git/',
    { [KIND]: 'github' },
    ['github', 'https://git.example/api/v3', 'https://git.example', 'shop/site'],
  ],
  [
    'ssh://git@gitlab.com:2222/group/below/site.git',
    {},
    ['gitlab', 'https://gitlab.com/api/v4', 'https://gitlab.com', 'group/below/site'],
  ],
  [
    'https://codeberg.org/shop/site.git',
    {},
    ['forgejo', 'https://codeberg.org/api/v1', 'https://codeberg.org', 'shop/site'],
  ],
  [
    'https://git.example:8443/forge/shop/site.git',
    { [KIND]: 'gitea' },
    ['gitea', 'https://git.example:8443/forge/api/v1', 'https://git.example:8443/forge', 'shop/site'],
  ],
  [
    'git@alias:shop/site.git',
    { [KIND]: 'forgejo', 'git.host.api': 'https://git.example/api/v1/' },
    ['forgejo', 'https://git.example/api/v1', 'https://git.example', 'shop/site'],
  ],
  ['https://git.example/shop/site.git', {}, null],
  ['/srv/site.git', {}, null],
  ['C:\\site.git', {}, null],
]
for (const [remote, git, host] of HOSTS)
  test(`The host of ${remote} with ${JSON.stringify(git)} is ${host?.join(' ') ?? 'not known'}`, async () => {
    const loaded = await load(remote, { 'git.mode': 'both', ...git })
    assert.equal(loaded.problems, [])
    const { kind, api, web, project } = loaded.remote?.host ?? {}
    assert.equal(loaded.remote?.host ? [kind, api, web, project] : null, host)
  })

const REFUSED: readonly (readonly [remote: string | null, git: object, what: string])[] = [
  [null, { 'git.mode': 'propose' }, 'git.mode is propose, and storage.git.remote names no repository.'],
  [null, { [KIND]: 'gitea' }, 'git.host.kind would have no effect: storage.git.remote names no repository.'],
  [
    '/srv/site.git',
    { [KIND]: 'gitea' },
    'The repository in storage.git.remote is a folder, which is on no host.',
  ],
  [
    'https://git.example/a/b',
    { 'git.host.token_file': 'x' },
    'The kind of the host is not known: set git.host.kind.',
  ],
  ...['http://git.example/api', 'https://a:b@git.example', 'ftp://x', 'nonsense'].map(
    (api) =>
      [
        'https://github.com/a/b',
        { 'git.host.api': api },
        'git.host.api is not an https address without a user.',
      ] as const,
  ),
]
for (const [remote, git, what] of REFUSED)
  test(`${JSON.stringify(git)} with the repository ${remote} is refused`, async () => {
    const { problems } = await load(remote, { ...git })
    assert.equal(
      problems.map((each) => each.what),
      [what],
    )
  })

test('The token of the host is that of the repository unless it has its own, and both are kept from visitors', async () => {
  const { remote, inputFiles } = await load('https://github.com/a/b', {
    'storage.git.token_file': 'one',
    'git.host.token_file': 'two',
  })
  assert.is(remote?.host?.tokenFile, '/srv/two')
  assert.ok(inputFiles.includes('/srv/one') && inputFiles.includes('/srv/two'))
  const { remote: other } = await load('https://github.com/a/b', { 'storage.git.token_file': 'one' })
  assert.is(other?.host?.tokenFile, '/srv/one')
})

test.run()
