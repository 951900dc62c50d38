import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { createMenuClient, type MenuError, type MenuQuery } from '../../src/client/client.js'
import { listening } from '../support/listening.js'
import { runProcess } from '../support/process.js'
import { test } from '../support/test.js'
import { plain } from './markdown.js'
import { ROOT, rowsUnder, takeBlocks, testCoverage } from './readme.js'
import { curl, runMenuscript, withServer } from './shell.js'
import { createProject, runModule } from './sites.js'

const [OPTIONS = ''] = readFileSync(join(ROOT, 'src/client/client.ts'), 'utf8').split(
  'interface AnswerStorage',
)

test('The first example prints what the page says', async () => {
  const [script = '', printed = ''] = takeBlocks('Client', ['js', 'text'])
  const folder = createProject({})
  await withServer('menuscript serve', ROOT, async (url) => {
    assert.is(await runModule(folder, script.replace('http://127.0.0.1:4400', url)), printed)
  })
  folder.close()
})

test('Every option has a row', () => {
  const rows = rowsUnder('option', 'meaning', 'default').map(([cell]) => plain(cell))
  const options = [...OPTIONS.matchAll(/^ {2}readonly (\w+)\?:/gm)].map(([, name = '']) => name)
  assert.equal(rows.sort(), options.sort())
})

test('The types of the page compile, with the names of a project', async () => {
  const [program = ''] = takeBlocks('Types of a client', ['ts'])
  const compilerOptions = { strict: true, noEmit: true, target: 'es2022', module: 'nodenext', types: [] }
  const folder = createProject({
    'menuscript.config.yaml': 'locales: [en, es]\n',
    'menus/main.yaml': 'version: 1\ncode: main\nname: A\nitems: []\n',
    'package.json': '{ "type": "module" }',
    'program.ts': program,
    'tsconfig.json': JSON.stringify({
      compilerOptions: { ...compilerOptions, lib: ['es2022', 'dom'] },
      files: ['program.ts'],
    }),
  })
  assert.is((await runMenuscript('menuscript types --out menu-types.ts', folder.dir)).code, 0)
  const compiler = `${ROOT}/node_modules/typescript/bin/tsc`
  const { code, stdout } = await runProcess('node', [compiler, '-p', folder.dir])
  assert.equal([code, stdout], [0, ''])
  folder.close()
})

/** The files of each recipe, in the order of the page; test/client/recipes.test.ts and test/browser/client.test.ts run them. */
const RECIPES: Readonly<Record<string, readonly string[]>> = {
  'Plain script': ['plain/page.html', 'plain/menu.js'],
  React: ['react/menu.jsx', 'react/server.jsx', 'react/browser.jsx'],
  Vue: ['vue/SiteMenu.vue', 'vue/MenuList.vue'],
  Svelte: ['svelte/load.js', 'svelte/Menu.svelte'],
  Astro: ['astro/src/pages/index.astro', 'astro/src/components/MenuList.astro'],
}

for (const [section, paths] of Object.entries(RECIPES)) {
  test(`The recipe for ${section} is the one that is tested`, () => {
    const languages = paths.map((path) => path.slice(path.lastIndexOf('.') + 1))
    const files = paths.map((path) => readFileSync(join(ROOT, 'test/sites/recipes', path), 'utf8'))
    assert.equal(takeBlocks(section, languages), files)
  })
}

test('The request for Symfony gets the menu that Twig renders, and PHP sends the same parameters', async () => {
  const [ask = '', php = '', twig = ''] = takeBlocks('Symfony and Twig', ['sh', 'php', 'twig'])
  await withServer('menuscript serve', ROOT, async (url) => {
    const { status, json } = await curl(ask, url)
    assert.is(status, 200)
    const nodes = json() as readonly object[]
    assert.is(nodes.length, 4)
    const members = new Set([...twig.matchAll(/\bnode\.(\w+)/g)].map(([, name = '']) => name))
    for (const member of members) assert.ok(member in (nodes[0] ?? {}), member)
  })
  for (const [parameter] of ask.matchAll(/(?<=')_\w+(?==)/g)) assert.match(php, `'${parameter}' =>`)
})

test('Each situation has the result of its row', async () => {
  const tree = [{ label: 'Home' }]
  const signal = AbortSignal.abort(new Error('reason'))
  let status = 200
  const url = await listening(({ url: path = '' }, response) => {
    const found = path.startsWith('/none') ? [] : tree
    response.writeHead(status).end(JSON.stringify(status === 200 ? found : { detail: 'why' }))
  })
  const stale: unknown[] = []
  const menus = createMenuClient(url, { onStale: (reason) => stale.push(reason) })
  const failed = async (code: string, query?: MenuQuery) =>
    await menus.tree(code, query).then(
      () => null,
      (error: MenuError) => [error.message.split(' ')[0], error.status],
    )
  const results: readonly (() => Promise<void>)[] = [
    async () => assert.equal(await menus.tree('main'), tree),
    async () => assert.equal(await menus.tree('none'), []),
    async () => {
      status = 400
      assert.equal(await failed('main'), ['why', 400])
    },
    async () => {
      status = 500
      assert.equal(await menus.tree('main'), tree)
      assert.is(stale.length, 1)
    },
    async () => assert.equal(await failed('other'), ['why', 500]),
    async () => assert.equal(await failed('main', { signal }), ['reason', undefined]),
  ]
  assert.is(rowsUnder('situation', 'result').length, results.length)
  for (const check of results) await check()
})

testCoverage(test, 'docs/client.md')

test.run()
