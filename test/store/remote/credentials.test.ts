import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { menuText } from '../../http/sites.js'
import { type GitHost, openGitHost } from '../../support/git-host.js'
import type { MenusFolder } from '../../support/menus-folder.js'
import { closing, test } from '../../support/test.js'
import { type Attempt, attempt, folderForClones, placeIn } from './following.js'

const FILE = 'menus/main.yaml'
const TOKEN = 'glpat-AbC123_secret/of+the=host'
const BASIC = Buffer.from(`bot:${TOKEN}`).toString('base64')

interface Signed {
  readonly host: GitHost
  readonly folder: MenusFolder
  readonly open: () => Promise<Attempt>
  readonly setToken: (token: string) => void
}

async function openSigned(change: object = {}): Promise<Signed> {
  const host = closing(await openGitHost({ [FILE]: menuText('main', 'One') }, TOKEN))
  const folder = folderForClones()
  const tokenFile = join(folder.dir, 'token')
  const setToken = (token: string): void => writeFileSync(tokenFile, `${token}\n`)
  setToken(TOKEN)
  const url = host.url.replace('http://', 'http://bot@')
  return { host, folder, setToken, open: () => attempt(placeIn(folder, { url, tokenFile, ...change })) }
}

/** Fails if a text has the token in any form. */
function assertSecret(text: string, what: string): void {
  for (const form of [TOKEN, BASIC, encodeURIComponent(TOKEN)]) assert.not(text.includes(form), what)
}

/** Everything in the files of a folder, apart from that of the token. */
function allIn({ dir }: MenusFolder): string {
  return readdirSync(dir, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile() && entry.name !== 'token')
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')
}

test('a host that needs a token is cloned, followed, and pushed to, with the user of the address', async () => {
  const { host, open } = await openSigned()
  const { remote, fault } = await open()
  assert.is(fault, null)
  assert.ok(host.seen.every((each) => each === `Basic ${BASIC}`))
  const commit = host.hub.push({ [FILE]: menuText('main', 'Two') })
  assert.is((await remote?.follow())?.value, commit)
  const made = host.hub.git('commit-tree', 'main^{tree}', '-p', 'main', '-m', 'More')
  host.hub.git('update-ref', 'refs/heads/side', made)
  assert.is((await remote?.fetch('+refs/heads/side:refs/remotes/origin/side'))?.fault, null)
  const update = { ref: 'refs/heads/main', commit: made, expected: commit }
  assert.equal(await remote?.push([update]), { kind: 'pushed' })
  assert.is(host.hub.git('rev-parse', 'main'), made)
  const late = host.hub.git('commit-tree', 'main^{tree}', '-p', commit, '-m', 'Late')
  host.hub.git('update-ref', 'refs/heads/side', late)
  await remote?.fetch('+refs/heads/side:refs/remotes/origin/side')
  assert.equal(await remote?.push([{ ...update, commit: late }]), { kind: 'stale' })
})

test('without history, the host sends only the present contents of the menus folder', async () => {
  const { host, folder, open } = await openSigned({ hasHistory: false })
  host.hub.push({ 'big/file.txt': 'the large file', [FILE]: menuText('main', 'Two') })
  const { remote, fault } = await open()
  assert.is(fault, null)
  const objects = spawnSync('git', ['cat-file', '--batch-all-objects', '--batch'], {
    cwd: join(folder.dir, 'clone'),
    encoding: 'utf8',
  })
  assert.match(objects.stdout, 'Two')
  assert.not.match(objects.stdout, 'the large file')
  assert.not.match(objects.stdout, 'One')
  assert.is(remote?.state().commit, host.hub.git('rev-parse', 'main'))
})

test('the token is in no argument, no file of the clone, no trace and no event', async () => {
  const { host, folder, open } = await openSigned()
  const traces = ['GIT_TRACE', 'GIT_TRACE_CURL', 'GIT_TRACE_PACKET', 'GIT_TRACE2', 'GIT_TRACE2_EVENT']
  const set: Readonly<Record<string, string>> = {
    ...Object.fromEntries(traces.map((name) => [name, join(folder.dir, name)])),
    GIT_TRACE_REDACT: '0',
    GIT_TRACE2_ENV_VARS: 'GIT_CONFIG_VALUE_0,GIT_CONFIG_VALUE_1,GIT_CONFIG_VALUE_2,GIT_CONFIG_VALUE_3',
    GIT_TRACE2_CONFIG_PARAMS: '*',
    SSH_ASKPASS: join(folder.dir, 'never'),
  }
  Object.assign(process.env, set)
  let watching = true
  const lists: string[] = []
  const watch = (): void => {
    lists.push(spawnSync('ps', ['-ww', '-eo', 'args'], { encoding: 'utf8' }).stdout)
    if (watching) setImmediate(watch)
  }
  setImmediate(watch)
  try {
    const { remote, events } = await open()
    host.hub.push({ [FILE]: menuText('main', 'Two') })
    await remote?.follow()
    host.setToken('another')
    const refused = await remote?.follow()
    assert.match(refused?.fault ?? '', 'does not accept the credentials')
    assertSecret(JSON.stringify([refused, events, remote?.state()]), 'events')
  } finally {
    watching = false
    for (const name of Object.keys(set)) delete process.env[name]
  }
  assert.ok(
    lists.some((list) => list.includes('git-remote-http')),
    'ps has seen git',
  )
  assertSecret(lists.join('\n'), 'arguments')
  assert.match(allIn(folder), 'run_command')
  assertSecret(allIn(folder), 'files')
})

test('a token can be replaced while the service runs; one that is wrong or gone is reported without it', async () => {
  const { host, folder, setToken, open } = await openSigned()
  const { remote } = await open()
  host.setToken('another')
  const refused = await remote?.push([{ ref: 'refs/heads/x', commit: remote.state().commit, expected: null }])
  assert.is(refused?.kind, 'denied')
  assertSecret(JSON.stringify(refused), 'outcome')
  assert.type((await remote?.follow())?.fault, 'string')
  setToken('another')
  assert.is((await remote?.follow())?.fault, null)
  rmSync(join(folder.dir, 'token'))
  assert.match((await remote?.follow())?.fault ?? '', 'ENOENT')
  assert.is((await remote?.push([]))?.kind, 'unreachable')
})

test('a host that sends the service elsewhere is not obeyed, and no token goes there', async () => {
  const { host, open } = await openSigned()
  const { remote } = await open()
  const came: unknown[] = []
  const other = createServer((request, response) => {
    came.push(request.headers)
    response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  closing({ close: () => other.close() })
  host.redirect(`http://127.0.0.1:${(other.address() as AddressInfo).port}`)
  assert.match((await remote?.follow())?.fault ?? '', /unable to access.*302/)
  assert.equal(came, [])
  host.redirect(null)
  assert.is((await remote?.follow())?.fault, null)
})

test('a first clone with a wrong token fails with its reason', async () => {
  const { setToken, open } = await openSigned()
  setToken('wrong')
  const { fault } = await open()
  assert.match(fault ?? '', 'does not accept the credentials')
})

test('a host with a certificate of its own is reached with GIT_SSL_CAINFO, and refused without', async () => {
  const folder = folderForClones()
  const [key, cert] = ['key', 'cert'].map((name) => join(folder.dir, name)) as [string, string]
  const { status, stderr } = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=127.0.0.1'],
    ...['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert],
  ])
  assert.is(status, 0, String(stderr))
  const tls = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  const host = closing(await openGitHost({ [FILE]: menuText('main', 'One') }, TOKEN, tls))
  folder.write('token', TOKEN)
  const place = placeIn(folder, { url: host.url, tokenFile: join(folder.dir, 'token') })
  assert.match((await attempt(place)).fault ?? '', /certificate/)
  assert.equal(host.seen, [])
  process.env['GIT_SSL_CAINFO'] = cert
  try {
    assert.is((await attempt(place)).fault, null)
  } finally {
    delete process.env['GIT_SSL_CAINFO']
  }
})

test.run()
