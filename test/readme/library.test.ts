import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { get } from '../support/http.js'
import { runProcess, startProcess } from '../support/process.js'
import { toHash } from '../support/snapshot-of.js'
import { plain } from './markdown.js'
import { ROOT, rowsUnder, takeBlocks, testCoverage } from './readme.js'
import { runMenuscript } from './shell.js'
import { createProject, runModule, withSite } from './sites.js'

test('The server and the script of the page run unchanged', async () => {
  const [server = '', script = ''] = takeBlocks('Library', ['js', 'js'])
  const text = 'version: 1\ncode: main\nname: A\nitems:\n  - label: { en: Home, es: Inicio }\n    url: /\n'
  const folder = createProject({ 'menus/main.yaml': text })
  await withSite(folder, server, async (url) => {
    const answer = await get(`${url}/api/menu/main`)
    assert.equal([answer.status, answer.headers['menu-version']], [200, toHashOf(answer.headers)])
    assert.is((await get(`${url}/else`)).text, 'your page')
  })
  assert.is(await runModule(folder, script), 'Inicio\n')
  folder.close()
})

test('The build fails at a menu with an error, with the message of the page', async () => {
  const [script = '', documented = ''] = takeBlocks('In a build', ['js', 'text'])
  const text = 'version: 1\ncode: main\nname: Main\nitems:\n  - label: Home\n    url: /\n'
  const folder = createProject({ 'menus/main.yaml': text })
  assert.is(await runModule(folder, script), 'Home\n')
  folder.write('menus/main.yaml', text.replace('label', 'lable'))
  const broken = startProcess('node', ['script.mjs'], { cwd: folder.dir })
  assert.is((await broken.ended).code, 1)
  assert.ok(broken.stderr().includes(documented.trim()), broken.stderr())
  folder.close()
})

test('The types of the example are written, compile as shown, and are up to date', async () => {
  const [write = '', program = '', check = ''] = takeBlocks('Types', ['sh', 'ts', 'sh'])
  const text = 'version: 1\ncode: main\nname: A\nitems:\n  - label: Home\n    routeName: home\n'
  const compilerOptions = { strict: true, noEmit: true, target: 'es2023', module: 'nodenext', types: [] }
  const folder = createProject({
    'menuscript.config.yaml': 'locales: [en, es]\nroutes: { home: / }\n',
    'menus/main.yaml': text,
    'menus/main.partner-3.yaml': text.replace('items', 'context: { partner: 3 }\nitems'),
    'package.json': '{ "type": "module" }',
    'program.ts': program,
    'tsconfig.json': JSON.stringify({
      compilerOptions: { ...compilerOptions, skipLibCheck: true },
      files: ['program.ts'],
    }),
  })
  for (const command of [write, check]) assert.is((await runMenuscript(command, folder.dir)).code, 0)
  const compiler = `${ROOT}/node_modules/typescript/bin/tsc`
  const { code, stdout } = await runProcess('node', [compiler, '-p', folder.dir])
  assert.equal([code, stdout], [0, ''])
  folder.close()
})

test('Every export of the library that is not a type has a row', async () => {
  const library = await import('../../src/index.js')
  const documented = rowsUnder('export', 'description').map(([cell]) => plain(cell).split('(')[0])
  assert.equal([...documented].sort(), Object.keys(library).sort())
})

testCoverage(test, 'docs/library.md')

/** Whatever it is: that there is one is what counts, and that it is a hash. */
function toHashOf({ 'menu-version': version = '' }: Readonly<Record<string, string>>): string {
  return /^[0-9a-f]{32}$/.test(version) ? version : toHash('')
}

test.run()
