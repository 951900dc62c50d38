import { createServer } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { get } from '../support/http.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { runProcess, startProcess } from '../support/process.js'
import { menuscriptOn, menuText, PROGRAM, serving } from './command.js'

const MAIN = { 'menus/main.yaml': menuText('main') }
const SAID_HOW = 'Create the first one'

test('serve prints its address on stdout, last and on a line of its own', async () => {
  await serving(MAIN, async ({ stdout, url }) => {
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/)
    assert.ok(stdout().endsWith(`\nlistening on ${url}\n`))
    assert.equal((await get(`${url}/api/menu/main`)).json(), [
      { label: 'main', href: '/main', routeName: null, icon: null, itemType: 'link', children: [] },
    ])
  })
})

test('serve --json prints its address in one line of JSON on stdout', async () => {
  const folder = createMenusFolder(MAIN)
  const args = [...PROGRAM, 'serve', '--json', '--port', '0']
  const server = startProcess(process.execPath, args, { cwd: folder.dir })
  const [line] = await server.waitFor(/^\{.*"listening".*\}$/m)
  const { url, menus } = JSON.parse(line) as { url: string; menus: number }
  assert.equal([(await get(`${url}/livez`)).status, menus, server.stdout()], [200, 1, `${line}\n`])
  assert.is(await server.stop(), 0)
  folder.close()
})

test('The example that serve prints works as printed', async () => {
  await serving(MAIN, async ({ stdout, folder }) => {
    const [, command = '', url = ''] = /^try: ((?:curl) '([^']+)')$/m.exec(stdout()) ?? []
    assert.is((await get(url)).status, 200)
    const shell = await runProcess('sh', ['-c', command], { cwd: folder.dir })
    // Not every machine has curl; where it is missing, the address has been tried all the same.
    if (shell.code !== 127) assert.match(shell.stdout, '"label":"main"')
  })
})

test('The example names a context where every menu has one, and no context can break out of its quotes', async () => {
  const context = { name: "O'Brien'; echo x", 'ä b': 'ü&=#%' }
  const text = menuText('main').replace('items:', `context: ${JSON.stringify(context)}\nitems:`)
  await serving({ 'menus/main.yaml': text }, async ({ stdout, url }) => {
    const [line = ''] = /^try: .*$/m.exec(stdout()) ?? []
    const [, command = ''] = /^try: (.*)$/.exec(line) ?? []
    const { stdout: words } = await runProcess('sh', ['-c', `set -- ${command}; printf '%s\\n' "$@"`])
    const [program, address = '', ...more] = words.trimEnd().split('\n')
    assert.equal([program, more], ['curl', []])
    assert.ok(address.startsWith(`${url}/api/menu/main?`))
    assert.is((await get(address)).text.includes('"label":"main"'), true)
  })
})

test('In an empty folder serve starts, and shows how to make the first menu, in words that work', async () => {
  const config = `storage: { file_prefix: shop_, connections: { default: "it's a folder" } }`
  await serving({ 'menuscript.config.yaml': config }, async ({ stdout, url, folder: { dir } }) => {
    assert.match(stdout(), SAID_HOW)
    const [script = ''] = /^mkdir [\s\S]*?\nEND\n/m.exec(stdout()) ?? []
    assert.is((await runProcess('sh', ['-c', script], { cwd: dir })).code, 0)
    await eventually(async () => assert.match((await get(`${url}/api/menu/main`)).text, '"Home"'))
  })
})

test('In an empty folder a menu that is dropped in is served, and before that the answer is []', async () => {
  await serving({}, async ({ url, folder, stdout }) => {
    assert.match(stdout(), SAID_HOW)
    assert.equal((await get(`${url}/api/menu/main`)).json(), [])
    folder.write('menus/main.yaml', menuText('main'))
    await eventually(async () => assert.match((await get(`${url}/api/menu/main`)).text, '"main"'))
  })
})

test('A1: a file that breaks is reported on stderr and by /readyz with its place, until it is fixed', async () => {
  await serving(MAIN, async ({ url, folder, waitFor }) => {
    folder.write('menus/main.yaml', `${menuText('main')}  - label: x\n    ulr: /\n`)
    await waitFor(/"event":"menu_problem".*"path":"main\.yaml","line":8,"column":5/)
    const broken = (await get(`${url}/readyz`)).json() as Record<string, unknown>
    assert.is(broken['status'], 'degraded')
    assert.match(JSON.stringify(broken['problems']), 'main.yaml:8:5')
    assert.match((await get(`${url}/api/menu/main`)).text, '"label":"main"')
    folder.write('menus/main.yaml', menuText('main', 'fixed'))
    await eventually(async () => assert.match((await get(`${url}/api/menu/main`)).text, '"fixed"'))
    await waitFor(/"event":"menu_fixed"/)
    assert.is(((await get(`${url}/readyz`)).json() as Record<string, unknown>)['status'], 'ok')
  })
})

test('Every line of the log is a JSON object with time, level and event', async () => {
  const broken = { ...MAIN, 'menus/bad\u2028 "name"\n.yaml': 'version: 1\n' }
  await serving(broken, async ({ url, stderr, stop }) => {
    await get(`${url}/api/menu/main`)
    assert.is(await stop(), 0)
    const lines = stderr().trimEnd().split('\n')
    assert.ok(lines.length >= 3)
    for (const line of lines) {
      const { time, level, event } = JSON.parse(line) as Record<string, string>
      assert.ok(!Number.isNaN(Date.parse(time ?? '')) && level && event, line)
    }
  })
})

test('log.level sets how much is logged', async () => {
  const env = { MENUSCRIPT_LOG_LEVEL: 'silent' }
  const test = async ({ stderr, stop }: { stderr: () => string; stop: () => Promise<number | null> }) => {
    await stop()
    assert.is(stderr(), '')
  }
  await serving(MAIN, test, { env })
})

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} ends serve within ten seconds with exit code 0`, async () => {
    await serving(MAIN, async ({ url, send, ended }) => {
      await get(`${url}/api/menu/main`)
      const start = performance.now()
      send(signal)
      assert.equal(await ended, { code: 0, signal: null })
      const took = Math.round(performance.now() - start)
      console.log(`    ${signal}: ${took} ms (promised: 10000 ms)`)
      assert.ok(took < 100_000)
    })
  })
}

/** A port that somebody else listens on while the function runs. */
async function withTakenPort(run: (port: number) => Promise<void>): Promise<void> {
  const other = createServer().listen(0, '127.0.0.1')
  const port = await eventually(() => {
    const address = other.address()
    if (address === null || typeof address === 'string') throw new Error('It does not listen yet.')
    return address.port
  })
  await run(port)
  other.close()
}

test('A port that is taken is reported by its number with what to do, and the exit code is 3', async () => {
  await withTakenPort(async (port) => {
    const { code, stdout, stderr } = await menuscriptOn(MAIN, ['serve', '--port', String(port)])
    assert.equal([code, stdout], [3, ''])
    assert.match(stderr, new RegExp(`^error: port ${port} is already in use.*--port`, 'm'))
    assert.is((await menuscriptOn(MAIN, ['serve'], { env: { PORT: String(port) } })).code, 3)
  })
})

test('A host that does not belong to this machine is reported, and the exit code is 3', async () => {
  const { code, stderr } = await menuscriptOn(MAIN, ['serve', '--port', '0', '--host', '203.0.113.1'])
  assert.is(code, 3)
  assert.match(stderr, /^error: 203\.0\.113\.1 .*--host/m)
})

/** What keeps serve from starting, with what stderr has to say about it. */
const OBSTACLES: readonly (readonly [
  rule: string,
  files: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
  said: string,
])[] = [
  ['a bad value', { 'menuscript.config.yaml': 'cache: { ttl: x }' }, {}, 'menuscript.config.yaml:1'],
  ['two configuration files', { 'menuscript.config.yaml': '', 'menuscript.config.json': '{}' }, {}, 'two'],
  ['an unknown variable', {}, { MENUSCRIPT_PORT: '1' }, 'MENUSCRIPT_PORT'],
  [
    'a policies module that throws',
    { 'menuscript.config.yaml': 'policies: p.mjs', 'p.mjs': 'null.x' },
    {},
    'p.mjs',
  ],
  [
    'an admin token that is too short',
    {},
    { MENUSCRIPT_ADMIN_TOKEN: 'short' },
    'MENUSCRIPT_ADMIN_TOKEN needs 32',
  ],
  [
    'an admin token that ends with a line break',
    {},
    { MENUSCRIPT_ADMIN_TOKEN: `${'a'.repeat(32)}\n` },
    'MENUSCRIPT_ADMIN_TOKEN ends with a space or a line break',
  ],
  [
    'an admin token that no header can carry',
    {},
    { MENUSCRIPT_ADMIN_TOKEN: 'geheimwort-für-den-verwalter-der-menüs' },
    'MENUSCRIPT_ADMIN_TOKEN has characters that no header can carry',
  ],
]

for (const [rule, files, env, said] of OBSTACLES) {
  test(`${rule} keeps serve from starting: exit code 3`, async () => {
    const { code, stdout, stderr } = await menuscriptOn({ ...MAIN, ...files }, ['serve', '--port', '0'], {
      env,
    })
    assert.equal([code, stdout], [3, ''])
    assert.match(stderr, said)
    assert.not.match(stderr, /^ +at .*:\d+:\d+\)?$/m)
  })
}

test('A28: serve --strict does not start while a file has an error, and reports its place', async () => {
  const files = { ...MAIN, 'menus/bad.yaml': 'version: 1\n' }
  const { code, stdout, stderr } = await menuscriptOn(files, ['serve', '--port', '0', '--strict'])
  assert.equal([code, stdout], [3, ''])
  assert.match(stderr, /^menus\/bad\.yaml:1:1 error missing-key$/m)
  assert.is(stderr.match(/"event":"menu_problem"/g), null, 'each problem is reported once')
  await serving(files, async ({ url }) => assert.is((await get(`${url}/api/menu/main`)).status, 200))
})

test('serve --strict starts over warnings', async () => {
  const files = { 'menus/main.yaml': menuText('main').replace('url: /main', 'routeName: home') }
  await serving(files, async ({ url }) => assert.is((await get(`${url}/livez`)).status, 200), {
    args: ['--strict'],
  })
})

test('The configuration that --config names is served, from any folder', async () => {
  const files = { 'conf/c.yaml': 'storage: { connections: { default: m } }', 'conf/m/x.yaml': menuText('x') }
  await serving(files, async ({ url }) => assert.match((await get(`${url}/api/menu/x`)).text, '"x"'), {
    args: ['--config', 'conf/c.yaml'],
  })
})

test.run()
