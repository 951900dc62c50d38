import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import type { Readiness } from '../../src/http/health.js'
import { menuPath, type OpenSite, openSite } from '../http/sites.js'
import { prepareProgram } from '../support/apt.js'
import { createHub, type Hub } from '../support/hub.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { gitIn } from '../support/repository.js'
import { closing, test } from '../support/test.js'
import { ADMIN, codeOf, draftOf, MENU, renamed, type Script, scriptOf, versionOf } from './managing.js'

const FILE = 'site/menus/main.yaml'

/** A service whose menus come from a hub. */
async function openOn(
  hub: Hub,
  git: object = {},
  config: object = {},
): Promise<readonly [script: Script, site: OpenSite]> {
  const storage = { git: { remote: hub.url, path: 'site/menus', ...git } }
  const options = { config: { ...config, storage }, adminToken: ADMIN, hasDashboard: true }
  const site = closing(await openSite({}, options))
  return [scriptOf(site), site]
}

function hubWith(files: Readonly<Record<string, string>> = {}): Hub {
  return closing(createHub({ [FILE]: MENU, ...files }))
}

async function labelsOf({ ask }: OpenSite): Promise<readonly string[]> {
  return ((await ask(menuPath('main'))).json() as { label: string }[]).map(({ label }) => label)
}

test('a service serves the menus of a repository, and follows its branch', async () => {
  const hub = hubWith()
  const [, site] = await openOn(hub)
  assert.equal(await labelsOf(site), ['Home', 'Sales'])
  const commit = hub.push({ [FILE]: MENU.replace('Sales', 'Offers') })
  await site.remote?.follow()
  assert.equal(await labelsOf(site), ['Home', 'Offers'])
  assert.is(site.remote?.state().commit, commit)
})

test('a publish is a commit on the branch of the remote, by the operator', async () => {
  const hub = hubWith()
  const [script] = await openOn(hub)
  const draft = await draftOf(script, renamed('Shop'))
  const published = await script('POST', `${draft}/publish`)
  assert.is(published.status, 200, published.text)
  const { commit } = published.json() as { commit: { kind: string; commit: string; branch: string } }
  assert.is(commit.kind, 'committed')
  assert.is(commit.branch, 'main')
  assert.is(hub.git('rev-parse', 'main'), commit.commit)
  assert.is(hub.textOf(FILE), MENU.replace('name: Main', 'name: Shop'))
  assert.is(
    hub.git('log', '-1', '--format=%an <%ae> %cn <%ce>', 'main'),
    'token <token@menuscript.invalid> Menuscript <Menuscript@menuscript.invalid>',
  )
  assert.is((await script('GET', '/drafts')).text, '{"drafts":[]}')
})

test('a publish is merged with what somebody else pushed meanwhile', async () => {
  const hub = hubWith()
  const [script, site] = await openOn(hub)
  const draft = await draftOf(script, renamed('Shop'))
  hub.push({ [FILE]: MENU.replace('Sales', 'Offers') })
  assert.is((await script('POST', `${draft}/publish`)).status, 200)
  assert.is(hub.textOf(FILE), MENU.replace('Sales', 'Offers').replace('name: Main', 'name: Shop'))
  assert.equal(await labelsOf(site), ['Home', 'Offers'])
  assert.is(hub.git('rev-list', '--count', 'main'), '3')
})

test('a conflict with what somebody else pushed comes back to the draft', async () => {
  const hub = hubWith()
  const [script, site] = await openOn(hub)
  const draft = await draftOf(script, renamed('Mine'))
  hub.push({ [FILE]: MENU.replace('name: Main', 'name: Theirs') })
  assert.is(codeOf(await script('POST', `${draft}/publish`)), '409 conflict')
  assert.ok((await script('GET', draft)).text.includes('Mine'))
  assert.ok(hub.textOf(FILE).includes('Theirs'))
  assert.is(site.remote?.state().commit, hub.git('rev-parse', 'main'))
})

test('while the remote is away, its last state is served, and a publish is refused and kept as a draft', async () => {
  const hub = hubWith()
  const [script, site] = await openOn(hub)
  const draft = await draftOf(script, renamed('Shop'))
  renameSync(hub.url, `${hub.url}.away`)
  assert.is(codeOf(await script('POST', `${draft}/publish`)), '503 remote-unreachable')
  assert.equal(await labelsOf(site), ['Home', 'Sales'])
  assert.type(site.remote?.state().fault, 'string')
  renameSync(`${hub.url}.away`, hub.url)
  assert.is((await script('POST', `${draft}/publish`)).status, 200)
  assert.ok(hub.textOf(FILE).includes('name: Shop'))
  assert.is(site.remote?.state().fault, null)
})

test('/readyz and metrics say whether the remote can be reached, and only insiders learn its address', async () => {
  const hub = hubWith()
  const [, site] = await openOn(hub)
  const read = async (host: string): Promise<unknown> => {
    const { status, remote } = (await site.ask('/readyz', { headers: { host } })).json() as Readiness
    return [status, remote?.status, remote?.commit]
  }
  const first = hub.git('rev-parse', 'main')
  assert.equal(await read('menus.example'), ['ok', 'ok', first])
  renameSync(hub.url, `${hub.url}.away`)
  await site.remote?.follow()
  for (const host of ['localhost', 'menus.example'])
    assert.equal(await read(host), ['degraded', 'unreachable', first])
  const { text } = await site.ask('/metrics', { headers: { authorization: `Bearer ${ADMIN}` } })
  assert.match(text, /^menu_remote_reachable 0$/m)
  assert.match(text, new RegExp(`^menuscript_revision_info\\{revision="\\w+",commit="${first}"\\} 1$`, 'm'))
  assert.match(text, /^menu_replica_behind_seconds \d/m)
  const readiness = async (host: string) => (await site.ask('/readyz', { headers: { host } })).text
  for (const seen of [text, await readiness('menus.example')]) assert.not(seen.includes(hub.url))
  assert.match(await readiness('localhost'), hub.url)
  renameSync(`${hub.url}.away`, hub.url)
  const commit = hub.push({ [FILE]: MENU.replace('Sales', 'Offers') })
  await site.remote?.follow()
  assert.equal(await read('menus.example'), ['ok', 'ok', commit])
})

test('a push that a host refuses for good is reported with its reason, and changes nothing', async () => {
  const hub = hubWith()
  const hook = join(hub.url, 'hooks', 'pre-receive')
  hub.git('config', 'core.hooksPath', join(hub.url, 'hooks'))
  gitIn(hub.url, 'init', '--quiet', '--bare')
  writeFileSync(hook, '#!/bin/sh\necho "main is protected" >&2\nexit 1\n', { mode: 0o755 })
  const [script, site] = await openOn(hub)
  const draft = await draftOf(script, renamed('Shop'))
  const refused = await script('POST', `${draft}/publish`)
  assert.is(codeOf(refused), '403 remote-denied')
  assert.match(refused.text, 'main is protected')
  assert.equal(await labelsOf(site), ['Home', 'Sales'])
  assert.ok(hub.textOf(FILE).includes('name: Main'))
})

test('a rewritten branch is followed and reported', async () => {
  const hub = hubWith()
  const [, site] = await openOn(hub)
  hub.push({ [FILE]: MENU.replace('Sales', 'Offers') })
  await site.remote?.follow()
  gitIn(hub.work, 'reset', '--hard', '--quiet', 'HEAD~1')
  gitIn(hub.work, 'push', '--quiet', '--force', 'origin', 'HEAD:main')
  await site.remote?.follow()
  assert.equal(await labelsOf(site), ['Home', 'Sales'])
  assert.is(site.events.filter(({ event }) => event === 'remote_rewritten').length, 1)
})

test('without a dashboard, only the present menus are fetched', async () => {
  const hub = hubWith({ 'other/big.txt': 'x' })
  hub.push({ [FILE]: MENU.replace('Sales', 'Offers') })
  const [, site] = await openOn(hub, { remote: `file://${hub.url}` }, { dashboard: { enabled: false } })
  assert.equal(await labelsOf(site), ['Home', 'Offers'])
  const clone = join(site.folder.dir, '.menuscript-clone')
  assert.is(gitIn(clone, 'rev-list', '--count', 'HEAD'), '1')
  assert.not.ok(existsSync(join(clone, 'other')))
  hub.push({ [FILE]: MENU.replace('Sales', 'News') })
  await site.remote?.follow()
  assert.equal(await labelsOf(site), ['Home', 'News'])
})

test('bytes are served and committed as they are in the repository, whatever its attributes say', async () => {
  const hub = hubWith({ '.gitattributes': '*.yaml text eol=crlf\n' })
  const [script, site] = await openOn(hub)
  const file = join(site.folder.dir, '.menuscript-clone', FILE)
  assert.is(readFileSync(file, 'utf8'), MENU)
  const version = await versionOf(script)
  const patched = await script('PATCH', '/menu?file=main.yaml', { body: renamed('Shop'), version })
  assert.is(patched.status, 200, patched.text)
  assert.is(hub.textOf(FILE), MENU.replace('name: Main', 'name: Shop'))
  assert.is(readFileSync(file, 'utf8'), hub.textOf(FILE))
})

test('a publish keeps the mode of a file, and leaves links and submodules as they are', async () => {
  const hub = hubWith()
  const at = (path: string): string => join(hub.work, 'site/menus', path)
  chmodSync(at('main.yaml'), 0o755)
  symlinkSync('main.yaml', at('link.txt'))
  const submodule = `160000,${hub.git('rev-parse', 'main')},site/menus/shared`
  gitIn(hub.work, 'update-index', '--add', '--cacheinfo', submodule)
  gitIn(hub.work, 'add', 'site/menus/main.yaml', 'site/menus/link.txt')
  gitIn(hub.work, 'commit', '--quiet', '--message', 'Modes')
  gitIn(hub.work, 'push', '--quiet', 'origin', 'HEAD:main')
  const [script] = await openOn(hub)
  const modes = (): string => hub.git('ls-tree', '-r', '--format=%(objectmode) %(path)', 'main')
  const before = modes()
  assert.match(before, /^100755 site\/menus\/main\.yaml$/m)
  const published = await script('POST', `${await draftOf(script, renamed('Shop'))}/publish`)
  assert.is(published.status, 200, published.text)
  assert.match(hub.textOf(FILE), 'Shop')
  assert.is(modes(), before)
  assert.equal(hub.git('diff', '--name-only', 'main~1', 'main'), FILE)
})

test('With a signing key, commits are signed, under the name and address of the committer', async () => {
  const hub = hubWith()
  const keys = closing(createMenusFolder())
  const key = join(keys.dir, 'key')
  const made = spawnSync(prepareProgram('ssh-keygen', 'openssh-client'), [
    '-q',
    '-t',
    'ed25519',
    '-N',
    '',
    '-f',
    key,
  ])
  assert.is(made.status, 0, String(made.stderr))
  const committer = { committer_name: 'Menus', committer_email: 'menus@site.example' }
  const [script] = await openOn(hub, {}, { git: { ...committer, signing_key_file: key } })
  const draft = await draftOf(script, renamed('Shop'))
  const published = await script('POST', `${draft}/publish`)
  assert.is(published.status, 200, published.text)
  keys.write('signers', `menus@site.example ${readFileSync(`${key}.pub`, 'utf8')}`)
  const checked = hub.git(
    '-c',
    `gpg.ssh.allowedSignersFile=${join(keys.dir, 'signers')}`,
    'log',
    '-1',
    '--format=%G? %cn <%ce>',
    'main',
  )
  assert.is(checked, 'G Menus <menus@site.example>')
})

test.run()
