import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import packageJson from '../package.json' with { type: 'json' }
import { loadConfig } from '../src/config/load-config.js'
import { toContextKey } from '../src/model/context.js'
import { parseRoute, toPath } from '../src/service/routes.js'
import { addGateTests } from './readme/gate.js'
import { addHistoryTests } from './readme/history.js'
import { addHostTests } from './readme/hosts.js'
import { plain } from './readme/markdown.js'
import { addMergeTests } from './readme/merging.js'
import { addProxyTests } from './readme/proxy.js'
import { CLI, pageAt, ROOT, rowsUnder, tablesIn, takeBlocks, textOf, untaken } from './readme/readme.js'
import { compact, curl, runMenuscript, runShell, withServer } from './readme/shell.js'
import { addTableTests } from './readme/tables.js'
import { eventually } from './support/eventually.js'
import { get } from './support/http.js'
import { createMenusFolder } from './support/menus-folder.js'
import { runProcess } from './support/process.js'
import { inRepository } from './support/repository.js'
import { fileOf } from './support/snapshot-of.js'

const WALK = 'A menu of your own in five minutes'

test('The first menu, served by the first command, gives the first result', async () => {
  const [menu = '', serve = '', result = ''] = takeBlocks('Menuscript', ['yaml', 'sh', 'json'])
  assert.equal(fileOf('main.yaml', menu).problems, [])
  const folder = createMenusFolder({ 'menus/main.yaml': menu })
  const [, address = '', path = ''] =
    /`GET (http:\/\/[\d.:]+)(\S+)` answers/.exec(pageAt('README.md').text) ?? []
  assert.is(address, 'http://127.0.0.1:4400')
  await withServer(serve, folder.dir, async (url) => {
    assert.is((await get(url + path)).text, compact(result))
  })
  folder.close()
})

test('The quick start has two lines of scripts that exist, and its example gives what is shown', async () => {
  const [lines = '', ask = '', tree = ''] = takeBlocks('Quick start', ['sh', 'sh', 'json'])
  assert.is(lines, 'npm ci && npm start\nnpm ci && npm test\n')
  assert.is(packageJson.scripts.start, 'npm run --silent build && node dist/cli.js serve')
  assert.ok(packageJson.scripts.test.endsWith('node --import tsx test/run.ts'))
  await withServer('menuscript serve', ROOT, async (url, { stdout }) => {
    // The request that the command prints is the one that is shown.
    assert.match(stdout(), `try: ${ask.trim().replace('http://127.0.0.1:4400', url)}\n`)
    assert.is((await curl(ask, url)).text, compact(tree))
  })
})

test('.ci/run runs the test command of the quick start', () => {
  assert.match(textOf('Quick start'), '\nnpm ci && npm test\n')
  assert.match(readFileSync(join(ROOT, '.ci/run'), 'utf8'), '\nnpm ci && npm test\n')
})

test('The five minutes can be walked word by word', async () => {
  const languages = ['sh', 'sh', 'sh', 'sh', 'json', 'sh', 'sh', 'json', 'sh', 'text']
  const blocks = takeBlocks(WALK, languages)
  const [
    install,
    make = '',
    serve = '',
    ask = '',
    home = '',
    vary = '',
    askFor = '',
    shop = '',
    lint = '',
    found,
  ] = blocks
  assert.is(install, 'npm ci && npm run build && npm link\n')
  assert.ok('build' in packageJson.scripts && packageJson.bin.menuscript === 'dist/cli.js')
  const [readyz = ''] = takeBlocks('What an operator sees', ['json'])
  const folder = createMenusFolder()
  await runShell(make, folder.dir)
  await withServer(serve, folder.dir, async (url) => {
    assert.is((await curl(ask, url)).text, compact(home))
    await runShell(vary, folder.dir)
    await eventually(async () => assert.is((await curl(askFor, url)).text, compact(shop)))
    const main = join(folder.dir, 'menus/main.yaml')
    writeFileSync(main, readFileSync(main, 'utf8').replace('label', 'lable'))
    const { code, stdout } = await runMenuscript(lint, folder.dir)
    assert.equal([code, stdout], [1, found])
    const [listing = '', listed] = takeBlocks('List the menus', ['sh', 'text'])
    assert.is((await runMenuscript(listing, folder.dir)).stdout, listed)
    await eventually(async () => assert.is((await get(`${url}/readyz`)).text, compact(readyz)))
    assert.is((await curl(ask, url)).text, compact(home))
  })
  folder.close()
})

test('The line for templates is the one that the example page of the templates has', () => {
  const [line = ''] = takeBlocks('In Nunjucks templates', ['njk'])
  const [, page = ''] = takeBlocks('Menus in templates', ['sh', 'njk', 'yaml', 'html'])
  assert.ok(page.includes(line.trim()), line)
})

test('The menu file has no problem, and its tables have every key of the schema', () => {
  const [menu = ''] = takeBlocks('The menu file', ['yaml'])
  assert.equal(fileOf('sidebar.yaml', menu).problems, [])
  const { properties, definitions } = schemaOf('menu')
  const keys = (schema: Schema, ...more: string[]) =>
    [...Object.keys(schema.properties ?? {}), ...more].sort()
  const [ofMenu, ofItem, ofDisplay] = tablesIn('The menu file').map(({ rows }) =>
    rows.map(([key]) => plain(key)).sort(),
  )
  assert.equal(ofMenu, keys({ properties }, 'x-…'))
  assert.equal(ofItem, keys(definitions?.['item'] ?? {}, 'x-…'))
  assert.equal(ofDisplay, keys(definitions?.['display'] ?? {}))
  for (const key of keys(definitions?.['attributes'] ?? {}))
    assert.ok(textOf('The menu file').includes(`\`${key}\``), key)
})

test('Contexts are as equal as the table says', () => {
  const rows = rowsUnder('in the file', 'in the request', 'equal')
  for (const [file = '', request = '', answer] of rows) {
    const [a, b] = [file, request].map((cell) => toContextKey(JSON.parse(plain(cell))))
    assert.is(a === b ? 'yes' : 'no', answer, `${file} ${request}`)
  }
})

test('Routes give the addresses of the table', async () => {
  const [text = ''] = takeBlocks('Links and routes', ['yaml'])
  const { routes } = await optionsOf(text)
  for (const [name = '', params = '', href] of rowsUnder('route', '`routeParams`', '`href` in `en`')) {
    const route = parseRoute(routes?.[plain(name)] ?? '')
    assert.ok(route !== null, `${name} is not a route`)
    const path = toPath(route, { item: JSON.parse(plain(params)), host: {}, locale: 'en' }) ?? '#'
    assert.is(path, plain(href), `${name} ${params}`)
  }
})

test('The example of hooks shows each viewer what the text says, and varyOn lets answers be shared', async () => {
  const languages = ['yaml', 'js', 'yaml', 'sh', 'json', 'sh', 'json']
  const blocks = takeBlocks('Say who the viewer is', languages)
  const [config = '', policies = '', menu = '', ask = '', few = '', askAs = '', all = ''] = blocks
  const [varyOn = ''] = takeBlocks('Let caches share answers', ['js'])
  assert.equal(fileOf('office.yaml', menu).problems, [])
  const files = { 'menuscript.config.yaml': config, 'policies.mjs': policies, 'menus/office.yaml': menu }
  const folder = createMenusFolder(files)
  await withServer('menuscript serve', folder.dir, async (url) => {
    const answer = await curl(ask, url)
    assert.is(answer.text, compact(few))
    assert.is((await curl(askAs, url)).text, compact(all))
    assert.is(answer.headers['cache-control'], cacheOf('any menu, with hooks and without varyOn'))
    const nothing = await get(`${url}/api/menu/none`)
    assert.is(nothing.headers['cache-control'], cacheOf('no menu matches, with hooks and without varyOn'))
  })
  folder.write('policies.mjs', policies + varyOn)
  await withServer('menuscript serve', folder.dir, async (url) => {
    const { headers } = await curl(ask, url)
    assert.is(headers['cache-control'], cacheOf('any menu, with varyOn'))
    assert.match(headers['vary'] ?? '', /x-permissions/i)
  })
  folder.close()
})

test('Without hooks, answers may be kept as the table says', async () => {
  await withServer('menuscript serve', ROOT, async (url) => {
    const cache = async (path: string) => (await get(url + path)).headers['cache-control']
    assert.is(await cache('/api/menu/main'), cacheOf('a menu without permissions, no hooks'))
    assert.is(await cache('/api/menu/sidebar'), cacheOf('a menu with permissions, no hooks'))
    assert.is(await cache('/api/menu/none'), cacheOf('no menu matches, no hooks or with varyOn'))
    for (const path of ['/api/menu/main?_locale=%', '/', '/livez', '/readyz', '/openapi.json']) {
      assert.is(await cache(path), cacheOf('an error, /, /livez, /readyz, /openapi.json'), path)
    }
  })
})

test('The example of the configuration loads, and all it sets is an option', async () => {
  const [text = ''] = takeBlocks('Configuration', ['yaml'])
  assert.is((await optionsOf(text)).cache.ttl, 300)
})

addGateTests(test)
addHostTests(test)
addHistoryTests(test)
addMergeTests(test)
addProxyTests(test)
addTableTests(test)

test('Every command and option of the help is in the README, and no other; the exit codes are true', async () => {
  const help = async (...args: string[]) => (await runProcess('node', [CLI, ...args, '--help'])).stdout
  const [, table = ''] = (await help()).split('\nCommands:\n')
  const listed = [...table.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name = '']) => name)
  const commands = listed
    .filter((name) => name !== 'help')
    .map((name) => (name === 'git' ? 'git setup' : name))
  const helps = new Map(
    await Promise.all(commands.map(async (name) => [name, await help(...name.split(' '))] as const)),
  )
  const told = rowsUnder('command', 'what it does').map(([cell]) => plain(cell).split(' ')[1])
  assert.equal(told, listed)
  const rows = rowsUnder('option', 'of', 'meaning')
  const of = (name: string) => rows.filter(([, of]) => plain(of).split(', ').includes(name) || of === 'all')
  for (const [name, text] of helps) {
    const options = [...text.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, option]) => option)
    const known = of(name).map(([cell]) => plain(cell).split(' ')[0])
    assert.equal(known.filter((option) => option !== '--version').sort(), options.sort(), name)
  }
  const folder = createMenusFolder({ 'menus/a.yaml': 'version: 2\n' })
  const codes: Record<string, string> = {
    '--version': '0',
    lint: '1',
    'lint nowhere': '2',
    'serve --strict': '3',
  }
  for (const [args, code] of Object.entries(codes)) {
    assert.is(String((await runMenuscript(`menuscript ${args}`, folder.dir)).code), code, args)
  }
  assert.equal(
    rowsUnder('exit code', 'meaning').map(([code]) => code),
    [...Object.values(codes), '70'],
  )
  folder.close()
})

test('The example of a review is what diff says of these two menus', async () => {
  const blocks = takeBlocks('Review a change', ['yaml', 'yaml', 'sh', 'text', 'sh', 'markdown'])
  const [before = '', after = '', ask = '', text, askForComment = '', comment] = blocks
  const files = { 'menuscript.config.yaml': 'locales: [en, es]\n', 'menus/main.yaml': before }
  await inRepository(files, async ({ dir, git, write }) => {
    git('checkout', '--quiet', '-b', 'change')
    write('menus/main.yaml', after)
    const told = async (line: string) => (await runMenuscript(line, dir)).stdout
    assert.is(await told(ask), text)
    assert.is(await told(askForComment), comment)
    const report = JSON.parse(await told('menuscript diff main --json'))
    const named = tablesIn('The JSON report')[0]?.rows.flatMap(([cell]) => plain(cell).split(', '))
    assert.equal(named?.sort(), Object.keys(report).sort())
    const [menu] = report.menus
    const members = [...Object.keys(menu), ...Object.keys(menu.items[0])]
    const rows = rowsUnder('member', 'of', 'meaning').flatMap(([cell]) => plain(cell).split(', '))
    assert.equal([...new Set(members)].sort(), rows.sort())
  })
})

test('Every fenced block and every table of the README and of docs/ belongs to a test', () => {
  assert.equal(untaken(), [])
})

interface Schema {
  readonly properties?: Readonly<Record<string, unknown>> | undefined
  readonly definitions?: Readonly<Record<string, Schema>>
}

function schemaOf(name: string): Schema {
  return JSON.parse(readFileSync(join(ROOT, `schemas/${name}.schema.json`), 'utf8'))
}

function cacheOf(answer: string): string {
  const row = rowsUnder('answer', '`Cache-Control`').find(([first]) => plain(first) === answer)
  return plain(row?.[1])
}

async function optionsOf(text: string): Promise<Awaited<ReturnType<typeof loadConfig>>['options']> {
  const folder = createMenusFolder({ 'menuscript.config.yaml': text })
  const { options, problems } = await loadConfig({
    folder: folder.dir,
    file: null,
    environment: {},
    flags: {},
  })
  folder.close()
  assert.equal(problems, [])
  return options
}

test.run()
