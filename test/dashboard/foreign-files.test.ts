import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as assert from 'uvu/assert'
import { contentHash } from '../../src/store/hash.js'
import type { OpenSite, SiteOptions } from '../http/sites.js'
import type { HttpAnswer } from '../support/http.js'
import { commitFolder, gitIn } from '../support/repository.js'
import { test } from '../support/test.js'
import {
  ADMIN,
  API,
  draftOf,
  keptIds,
  MENU,
  openForScript,
  renamed,
  type Script,
  scriptOf,
  versionOf,
} from './managing.js'
import { createVisitor, HOME } from './visiting.js'

/** A word of everything that is not this service's. */
const SECRET = 'swordfish'
const SECRET_MENU = MENU.replace('Home', SECRET)
const OURS = 'a_main.yaml'

/** What lies around the menus, and among them, in a repository that others use, too; all but the last two are committed. */
const FILES: Readonly<Record<string, string>> = {
  '.env': `PASSWORD=${SECRET}\n`,
  'secrets.yaml': `password: ${SECRET}\n`,
  'other/a_far.yaml': SECRET_MENU,
  'menus/b_main.yaml': SECRET_MENU,
  'menus/b_was.yaml': SECRET_MENU.replace('code: main', 'code: was'),
  'menus/.a_hidden.yaml': SECRET_MENU,
  'menus/a_notes.txt': SECRET,
  'menus/a_folder.yaml/a_in.yaml': SECRET_MENU,
  'menus/sub/.git/config': SECRET,
  '.menuscript/a_state.yaml': SECRET_MENU,
}

/** Links among the menus, each with what it leads to. */
const LINKS: Readonly<Record<string, string>> = {
  'a_out.yaml': '../secrets.yaml',
  'a_env.yaml': '../.env',
  'a_git.yaml': 'sub/.git/config',
  'a_state.yaml': '../.menuscript/a_state.yaml',
  'a_config.yaml': '../menuscript.config.json',
  'a_nowhere.yaml': 'a_none.yaml',
  'a_loop.yaml': 'a_loop.yaml',
  far: '../other',
  back: '.',
}

/** Paths that are not those of menus of this service. */
const FOREIGN: readonly string[] = [
  ...Object.keys(LINKS).filter((path) => path.endsWith('.yaml')),
  ...[
    'b_main.yaml',
    '.a_hidden.yaml',
    'a_notes.txt',
    'a_folder.yaml',
    'a_folder.yaml/a_in.yaml',
    'a_fifo.yaml',
  ],
  ...[
    'far/a_far.yaml',
    'back/a_main.yaml',
    'sub/.git/config',
    'a_none.yaml',
    'none/a_none.yaml',
    'a_main.yaml/x.yaml',
  ],
  ...['../secrets.yaml', '../.env', '..', '', '/etc/passwd', 'a/../b_main.yaml', '../menus/b_main.yaml'],
]

function prepare(dir: string): void {
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
  for (const [path, target] of Object.entries(LINKS)) symlinkSync(target, join(dir, 'menus', path))
  execFileSync('mkfifo', [join(dir, 'menus/a_fifo.yaml')])
  commitFolder(dir, '.')
  // Its text was that of another service, under a name that is not ours.
  gitIn(dir, 'mv', 'menus/b_was.yaml', 'menus/a_was.yaml')
  writeFileSync(join(dir, 'menus/a_was.yaml'), MENU.replace('code: main', 'code: was'))
  gitIn(dir, 'commit', '-q', '-a', '-m', 'Second')
}

/** The pages that take a file. */
const PAGES = 'edit item place transfer settings review history delete export text preview new'.split(' ')

const CONFIG = { storage: { file_prefix: 'a_' }, git: { commit: 'off' } }
const OPTIONS: SiteOptions = { config: CONFIG, prepare }

/** Everything on the disk, in words. */
function stateOf(dir: string): string {
  const hash = createHash('sha256')
  for (const path of readdirSync(dir, { recursive: true, encoding: 'utf8' }).sort()) {
    if (/^\.(?:git|menuscript)(?:\/|$)/.test(path)) continue
    const stats = lstatSync(join(dir, path), { throwIfNoEntry: false })
    hash.update(`${path} ${stats?.isFile() ? readFileSync(join(dir, path), 'utf8') : ''}\n`)
  }
  return hash.digest('hex')
}

function judge(what: string, { status, text, headers }: HttpAnswer): void {
  assert.ok(status === 404 || status === 422, `${what}: ${status} ${text}`)
  assert.not.match(text + JSON.stringify(headers), SECRET, what)
}

interface Described {
  readonly parameters?: readonly { readonly name: string }[]
}

/** The operations that name a file in their query: each method and path, as `/openapi.json` has them. */
async function naming({ ask }: OpenSite): Promise<readonly (readonly [method: string, path: string])[]> {
  const { paths } = (await ask('/openapi.json')).json() as {
    paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(
        ([, { parameters = [] }]) => path.startsWith(API) && parameters.some(({ name }) => name === 'file'),
      )
      .map(([method]) => [method.toUpperCase(), path.slice(API.length)] as const),
  )
}

/** What a request of each method and path sends, so that nothing but its file is wrong. */
async function bodiesOf(script: Script): Promise<Readonly<Record<string, object>>> {
  const version = await versionOf(script, OURS)
  const patch = { body: renamed('New'), type: 'application/json-patch+json', version }
  return {
    'PATCH /menu': patch,
    'DELETE /menu': { version },
    'PUT /source': { body: MENU, type: 'text/yaml', version },
    'POST /restore': { body: { id: await keptOf(script) }, version },
  }
}

/** The id of an earlier version of our own menu. */
async function keptOf(script: Script): Promise<string> {
  return (await keptIds(script, OURS))[0] ?? ''
}

/** A service that shares its repository; its menu has an earlier version. */
async function openShared(): ReturnType<typeof openForScript> {
  const [script, site] = await openForScript({ ...OPTIONS, menus: { [OURS]: MENU } })
  const version = await versionOf(script, OURS)
  const patched = await script('PATCH', `/menu?file=${OURS}`, { body: renamed('Second'), version })
  assert.is(patched.status, 200, patched.text)
  return [script, site]
}

test('E19: no endpoint that takes a path answers one that is not a menu of this service, or writes there', async () => {
  const [script, site] = await openShared()
  const bodies = await bodiesOf(script)
  const draft = (await draftOf(script, renamed('Draft'), OURS)).replace('/drafts/', '')
  const kept = await keptOf(script)
  const before = stateOf(site.folder.dir)
  const operations = await naming(site)
  assert.ok(operations.length >= 10, 'the description lists them')
  for (const file of FOREIGN) {
    const name = `file=${encodeURIComponent(file)}`
    for (const [method, path] of operations) {
      const id = path.startsWith('/drafts') ? draft : kept
      const asked = bodies[`${method} ${path}`] ?? {}
      judge(`${method} ${path} ${file}`, await script(method, `${path.replace('{id}', id)}?${name}`, asked))
    }
    const version = (await versionOf(script, OURS)).replaceAll('"', '')
    const [ours, theirs] = [OURS, file].map((each) => ({ file: each, version, pointer: '/items/0' }))
    const named: readonly (readonly [path: string, body: object])[] = [
      ['/copy', { file, code: 'new' }],
      ['/move', { from: theirs, to: { ...ours, pointer: '/items/-' } }],
      ['/move', { from: ours, to: { ...theirs, pointer: '/items/-' } }],
      ['/preview', { file }],
    ]
    for (const [path, body] of named) judge(`${path} ${file}`, await script('POST', path, { body }))
  }
  assert.is(stateOf(site.folder.dir), before)
  const failures = site.events.filter(({ event }) => event === 'publish_failed' || event === 'request_failed')
  assert.equal(failures, [], 'none is a failure of the service')
})

test('E19: no new file is written where no menu of this service is read', async () => {
  const [script, site] = await openShared()
  const draft = await draftOf(script, renamed('Draft'), OURS)
  const before = stateOf(site.folder.dir)
  const headers = { 'if-none-match': '*' }
  const free = ['a_none.yaml', 'none/a_none.yaml']
  for (const file of FOREIGN.filter((each) => !free.includes(each))) {
    const name = `file=${encodeURIComponent(file)}`
    const body = MENU.replace('code: main', 'code: new')
    judge(`PUT ${file}`, await script('PUT', `/source?${name}`, { body, type: 'text/yaml', headers }))
    judge(`POST ${file}`, await script('POST', '/menus', { body: { code: 'new', file } }))
    judge(`copy ${file}`, await script('POST', '/copy', { body: { file: OURS, code: 'new', to: file } }))
    judge(`publish ${file}`, await script('POST', `${draft}/publish?${name}`))
  }
  assert.is(stateOf(site.folder.dir), before)
})

test('E19: of all git objects, the history returns only those that it lists for this file', async () => {
  const [script, { folder }] = await openShared()
  const { dir } = folder
  const objects = gitIn(dir, 'rev-list', '--objects', '--all').split('\n')
  const ids = objects.map((line) => line.split(' ')[0] ?? '')
  const listed = new Set<string>()
  for (const file of [OURS, 'a_was.yaml']) {
    const { kept, commits } = (await script('GET', `/history?file=${file}`)).json() as Record<
      'kept' | 'commits',
      readonly { readonly id: string }[]
    >
    const own = [...kept, ...commits].map(({ id }) => id)
    for (const id of [...ids, ...own, ...listed, 'HEAD', 'HEAD:.env', 'HEAD:secrets.yaml', '..', '%2e%2e']) {
      const answer = await script('GET', `/history/${encodeURIComponent(id)}?file=${file}`)
      if (!own.includes(id)) judge(`${file} ${id}`, answer)
      else assert.equal([answer.status, answer.text.includes(SECRET)], [200, false], `${file} ${id}`)
      if (own.includes(id)) continue
      const restored = { body: { id }, version: await versionOf(script, file) }
      judge(`restore ${file} ${id}`, await script('POST', `/restore?file=${file}`, restored))
    }
    for (const id of own) listed.add(id)
  }
  assert.ok(listed.size >= 3)
  const unnamed = await script('GET', `/history/${[...listed][0]}`)
  assert.equal([unnamed.status, (unnamed.json() as { code: string }).code], [400, 'missing-parameter'])
})

test('E19: no page shows what is not a menu of this service', async () => {
  const [script, site] = await openShared()
  const visitor = createVisitor(site.ask, site.url)
  await visitor.enter(site.link())
  const kept = await keptOf(script)
  const before = stateOf(site.folder.dir)
  const [, csrf = ''] = /name="csrf" value="([^"]*)"/.exec((await visitor.look(HOME)).text) ?? []
  const fields = { csrf, version: 'x', text: MENU, do: 'publish', label: 'x' }
  for (const file of FOREIGN) {
    for (const page of PAGES) {
      const query = new URLSearchParams({
        [page === 'new' ? 'from' : 'file']: file,
        from: page === 'new' ? file : kept,
      })
      const { status, text } = await visitor.look(`${HOME}/${page}?${query}`)
      assert.ok([200, 404, 422].includes(status), `${page} ${file}: ${status}`)
      assert.not.match(text, SECRET, `${page} ${file}`)
      const sent = await visitor.send(`${HOME}/${page}?${query}`, fields)
      assert.ok(sent.status >= 400 || sent.status === 200, `${page} ${file}: ${sent.status}`)
      assert.not.match(sent.text, SECRET, `${page} ${file}`)
    }
  }
  assert.is(stateOf(site.folder.dir), before)
  for (const blob of gitIn(site.folder.dir, 'ls-tree', '-r', 'HEAD')
    .split('\n')
    .map((line) => line.split(/\s/)[2])) {
    const { status, text } = await visitor.look(`${HOME}/history?file=${OURS}&from=${blob}`)
    assert.ok(status === 404 || !text.includes(SECRET), `${blob}: ${status}`)
  }
})

test('E20: the users file is no menu, even in the menus folder and under the name of one', async () => {
  const users = (dir: string): void => {
    writeFileSync(join(dir, 'menus/a_users.yaml'), `# ${SECRET}\n`)
    symlinkSync('a_users.yaml', join(dir, 'menus/a_link.yaml'))
    commitFolder(dir, '.')
  }
  const config = { ...CONFIG, dashboard: { users_file: 'menus/a_users.yaml' } }
  const [script, site] = await openForScript({ menus: { [OURS]: MENU }, config, prepare: users })
  for (const file of ['a_users.yaml', 'a_link.yaml']) {
    for (const path of ['/source', '/menu', '/history', '/export'])
      judge(`${path} ${file}`, await script('GET', `${path}?file=${file}`))
    const version = `"${contentHash(readFileSync(join(site.folder.dir, 'menus', file)))}"`
    const text = { body: MENU, type: 'text/yaml', version }
    judge(`PUT ${file}`, await script('PUT', `/source?file=${file}`, text))
    judge(`DELETE ${file}`, await script('DELETE', `/menu?file=${file}`, { version }))
  }
  assert.not.match((await script('GET', '/problems')).text, SECRET)
})

test('E20: a link that leads to the state folder, in place of the menus folder as well, opens nothing', async () => {
  const [script, site] = await openShared()
  const { dir } = site.folder
  rmSync(join(dir, 'menus'), { recursive: true })
  symlinkSync('.', join(dir, 'menus'))
  for (const target of ['session-secret', 'a_state.yaml', '../.menuscript/a_state.yaml']) {
    rmSync(join(dir, 'a_link.yaml'), { force: true })
    symlinkSync(join('.menuscript', target), join(dir, 'a_link.yaml'))
    for (const path of ['/source', '/menu', '/history'])
      judge(`${path} ${target}`, await script('GET', `${path}?file=a_link.yaml`))
  }
  const asked = { headers: { authorization: `Bearer ${ADMIN}` }, method: 'POST' }
  assert.is((await site.ask('/-/reload', asked)).status, 200)
  const list = (await scriptOf(site)('GET', '/menus')).text
  assert.not.match(list, SECRET)
})

test.run()
