import { execFileSync } from 'node:child_process'
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import { menuscript } from '../cli/command.js'
import { eventually } from '../support/eventually.js'
import { closing, test } from '../support/test.js'
import { menuText, openSite, type SiteOptions } from './sites.js'

const FOREVER = 'public, max-age=31536000, immutable'
const PAGE = '<!doctype html><title>Site</title>'
const FILES = {
  'site/index.html': PAGE,
  'site/about.html': 'About',
  'site/docs/index.html': 'Docs',
  'site/a b.txt': 'Blank',
  'site/app.0123456789ab.js': 'not ours',
  'site/main.en.0123456789ab.json': '[]',
  'site/empty.txt': '',
  'site/.env': 'SECRET',
  'site/.git/config': 'SECRET',
  'site/.well-known/security.txt': 'Contact',
  'site/sub/.hidden/x.txt': 'SECRET',
  'outside.txt': 'SECRET',
  'site-other/x.txt': 'SECRET',
}

async function openStatic(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  options: SiteOptions = {},
) {
  return closing(
    await openSite(
      { 'main.yaml': menuText('main', 'Main') },
      {
        ...options,
        config: { server: { static: 'site' }, ...options.config },
        prepare: (dir) => {
          for (const [path, text] of Object.entries({ ...FILES, ...files })) {
            mkdirSync(join(dir, path, '..'), { recursive: true })
            writeFileSync(join(dir, path), text)
          }
          options.prepare?.(dir)
        },
      },
    ),
  )
}

test('The site is behind the API, the dashboard and the other paths of the service, and / is its index', async () => {
  const files = { 'site/api/menu/main': 'no', 'site/livez': 'no', 'site/admin/menus/index.html': 'no' }
  const { ask } = await openStatic(files, { hasDashboard: true })
  assert.equal(JSON.parse((await ask('/api/menu/main')).text)[0].label, 'Main')
  assert.is((await ask('/livez')).text, '{"status":"ok"}')
  assert.not((await ask('/admin/menus')).text.includes('no'))
  const { status, text, headers } = await ask('/?a=b', { headers: { accept: 'text/html' } })
  assert.equal([status, text, headers['content-type']], [200, PAGE, 'text/html;charset=utf-8'])
  assert.is((await ask('/api/other/x')).status, 404)
})

test('Without a site, unknown paths are 404 as before', async () => {
  const { ask } = closing(await openSite({}))
  assert.is((await ask('/index.html')).status, 404)
})

const FOUND: readonly [path: string, text: string][] = [
  ['/about', 'About'],
  ['/about.html', 'About'],
  ['/docs', 'Docs'],
  ['/docs/', 'Docs'],
  ['/a%20b.txt', 'Blank'],
  ['/empty.txt', ''],
  ['/.well-known/security.txt', 'Contact'],
]
test('Files are found as static hosts find them', async () => {
  const { ask } = await openStatic()
  for (const [path, text] of FOUND) {
    const answer = await ask(path)
    assert.equal(
      [answer.status, answer.text, answer.headers['x-content-type-options']],
      [200, text, 'nosniff'],
      path,
    )
  }
})

const NOT_FOUND = [
  '/none',
  '/.env',
  '/.git/config',
  '/%2egit/config',
  '/sub/.hidden/x.txt',
  '/sub/.well-known/x.txt',
  '/../outside.txt',
  '/%2e%2e/outside.txt',
  '/docs/../../outside.txt',
  '/..%2foutside.txt',
  '/docs%2findex.html',
  '/docs%2Findex.html',
  '/..%5coutside.txt',
  '/..\\outside.txt',
  '/../site-other/x.txt',
  '/%252e%252e/outside.txt',
  '/%',
  '/%ff',
  '/index.html%00.txt',
  `/${'a'.repeat(5_000)}`,
  `/${'a/'.repeat(2_000)}`,
  '//etc/passwd',
  '/out.txt',
  '/page',
  '/linked/x.txt',
  '/packed.txt',
  '/loop.txt',
  '/pipe.txt',
  '/sub',
  '/sub/',
  '/config/menuscript.config.json',
  '/menus/main.yaml',
]
test('D3: nothing leaves the folder, by dots, encoded separators or links; dot-files and folders are not there', async () => {
  const prepare = (dir: string) => {
    symlinkSync('../outside.txt', join(dir, 'site/out.txt'))
    symlinkSync('../outside.txt', join(dir, 'site/page.html'))
    symlinkSync('../site-other', join(dir, 'site/linked'))
    symlinkSync('..', join(dir, 'site/config'))
    symlinkSync('../menus', join(dir, 'site/menus'))
    symlinkSync('loop.txt', join(dir, 'site/loop.txt'))
    symlinkSync('../outside.txt', join(dir, 'site/packed.txt.gz'))
    symlinkSync('about.html', join(dir, 'site/inside.html'))
    execFileSync('mkfifo', [join(dir, 'site/pipe.txt')])
  }
  const { ask } = await openStatic({}, { prepare })
  for (const path of NOT_FOUND) {
    const { status, text, headers } = await ask(path, { headers: { 'accept-encoding': 'gzip' } })
    assert.is(status, 404, `${path} ${text}`)
    assert.not.match(text, 'SECRET')
    assert.is(headers['content-type'], 'application/problem+json')
  }
  assert.is((await ask('/inside')).text, 'About')
})

test('A site that is the folder of the project shows neither its menus nor its configuration', async () => {
  const config = { server: { static: '.' } }
  const { ask } = await openStatic({ 'policy.txt': 'x' }, { config, policies: 'export const varyOn = []' })
  for (const path of ['/menuscript.config.json', '/menus/main.yaml', '/policies.mjs'])
    assert.is((await ask(path)).status, 404, path)
  assert.is((await ask('/outside.txt')).status, 200)
})

test('Only names with a hash of ours may be kept forever; all else is revalidated by its tag', async () => {
  const { ask } = await openStatic()
  const caching = async (path: string) => (await ask(path)).headers['cache-control']
  assert.is(await caching('/main.en.0123456789ab.json'), FOREVER)
  for (const path of ['/', '/about', '/app.0123456789ab.js']) assert.is(await caching(path), 'no-cache', path)
  const { headers } = await ask('/about')
  const tag = headers['etag'] ?? ''
  for (const known of [tag, `"x", ${tag}`, '*']) {
    const { status, headers: again, text } = await ask('/about', { headers: { 'if-none-match': known } })
    assert.equal([status, text, again['etag'], again['cache-control']], [304, '', tag, 'no-cache'])
  }
  assert.is((await ask('/about', { headers: { 'if-none-match': '"x"' } })).status, 200)
})

test('GET and HEAD alone are allowed, and a Range is ignored', async () => {
  const { ask } = await openStatic()
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
    const { status, headers } = await ask('/about', { method })
    assert.equal([status, headers['allow']], [405, 'GET, HEAD, OPTIONS'])
  }
  const { status, headers, text } = await ask('/about', { method: 'HEAD' })
  assert.equal([status, headers['content-length'], text], [200, '5', ''])
  for (const range of ['bytes=0-1', 'bytes=5-2', 'bytes=-1', 'bytes=9-', 'x']) {
    const answer = await ask('/about', { headers: { range } })
    assert.equal([answer.status, answer.text], [200, 'About'])
  }
})

test('What is compressed beside a file is sent to those who accept it', async () => {
  const text = 'text '.repeat(100)
  const packed = {
    'site/t.txt': text,
    'site/t.txt.gz': gzipSync(text),
    'site/t.txt.br': brotliCompressSync(text),
  }
  const { ask } = await openStatic(packed)
  const codings: readonly [accepted: string, coding: string | undefined][] = [
    ['gzip, br', 'br'],
    ['gzip', 'gzip'],
    ['gzip;q=0', undefined],
    ['br;q=0, gzip', 'gzip'],
    ['identity', undefined],
  ]
  const tags = new Set<string | undefined>()
  for (const [accepted, coding] of codings) {
    const { headers } = await ask('/t.txt', { headers: { 'accept-encoding': accepted } })
    assert.equal(
      [headers['content-encoding'], headers['vary'], headers['content-type']],
      [coding, 'Accept-Encoding', 'text/plain'],
    )
    tags.add(headers['etag'])
  }
  assert.is(tags.size, 3)
  const { body } = await ask('/t.txt', { headers: { 'accept-encoding': 'gzip' } })
  assert.is(gunzipSync(body).toString(), text)
})

test('New, changed and deleted files are served as they are, without a restart', async () => {
  const { ask, folder } = await openStatic()
  assert.is((await ask('/new.txt')).status, 404)
  folder.write('site/new.txt', 'one')
  const first = await ask('/new.txt')
  assert.is(first.text, 'one')
  folder.write('site/new.txt', 'three')
  utimesSync(join(folder.dir, 'site/new.txt'), 1, 1)
  const second = await ask('/new.txt', { headers: { 'if-none-match': first.headers['etag'] ?? '' } })
  assert.equal([second.status, second.text], [200, 'three'])
  folder.remove('site/new.txt')
  assert.is((await ask('/new.txt')).status, 404)
  folder.remove('site')
  assert.is((await ask('/')).status, 404)
  assert.is((await ask('/livez')).status, 200)
})

test('An export in the site is served with its bytes, its forever names, and its next manifest', async () => {
  const { ask, folder } = await openStatic()
  const build = () => menuscript(['build', '--out', 'site/menus'], { cwd: folder.dir })
  const manifest = async () =>
    (await ask('/menus/menus.json')).json() as { menus: { main: [{ json: { en: string } }] } }
  assert.is((await build()).code, 0)
  const first = (await manifest()).menus.main[0].json.en
  const answer = await ask(`/menus/${first}`)
  assert.equal([answer.headers['cache-control'], answer.text], [FOREVER, (await ask('/api/menu/main')).text])
  folder.write('menus/main.yaml', menuText('main', 'Other'))
  assert.is((await build()).code, 0)
  const second = (await manifest()).menus.main[0].json.en
  assert.match((await ask(`/menus/${second}`)).text, 'Other')
  assert.is((await ask(`/menus/${first}`)).status, 200)
})

const LARGE = 16 * 1_048_576

test('Trap 5: a file that is cut, replaced or grows while it is sent never sends other than its length', async () => {
  const { ask, folder, url } = await openStatic({ 'site/large.bin': Buffer.alloc(LARGE) })
  const path = join(folder.dir, 'site/large.bin')
  const changes: Readonly<Record<string, () => void>> = {
    grows: () => writeFileSync(path, Buffer.alloc(1_000), { flag: 'a' }),
    replaced: () => {
      writeFileSync(`${path}.new`, 'new')
      renameSync(`${path}.new`, path)
    },
    cut: () => {
      const descriptor = openSync(path, 'r+')
      ftruncateSync(descriptor, 10)
      closeSync(descriptor)
    },
  }
  for (const [how, change] of Object.entries(changes)) {
    writeFileSync(path, Buffer.alloc(LARGE))
    const got = await new Promise<number>((resolve) => {
      const sent = request(`${url}/large.bin`, (message) => {
        let bytes = 0
        assert.is(message.headers['content-length'], String(LARGE))
        change()
        message.on('data', (chunk: Buffer) => (bytes += chunk.length))
        message.on('error', () => {})
        message.on('close', () => resolve(bytes))
      })
      sent.on('error', () => resolve(0)).end()
    })
    if (how === 'cut') assert.ok(got < LARGE, `${got}`)
    else assert.is(got, LARGE, how)
    assert.is((await ask('/livez')).status, 200)
  }
})

test('Readers that go away and readers of the head leave no file open', async () => {
  const { ask, url } = await openStatic({ 'site/large.bin': Buffer.alloc(LARGE) })
  const openFiles = () => readdirSync('/proc/self/fd').length
  await ask('/about')
  const before = openFiles()
  for (let at = 0; at < 30; at++) {
    await new Promise<void>((resolve) => {
      const sent = request(`${url}/large.bin`, { agent: false }, (message) => {
        message.once('data', () => sent.destroy())
        message.on('error', () => {}).on('close', () => resolve())
      })
      sent.on('error', () => resolve()).end()
    })
    await ask('/large.bin', { method: 'HEAD' })
    await ask('/about', { headers: { 'if-none-match': '*' } })
  }
  await sleep(100)
  await eventually(() => openFiles() <= before + 3)
})

test.run()
