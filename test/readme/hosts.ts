import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'uvu'
import * as assert from 'uvu/assert'
import packageJson from '../../package.json' with { type: 'json' }
import { get } from '../support/http.js'
import { createMenusFolder, type MenusFolder } from '../support/menus-folder.js'
import { runProcess, startProcess } from '../support/process.js'
import { fileOf, toHash } from '../support/snapshot-of.js'
import { plain } from './markdown.js'
import { pageAt, ROOT, rowsUnder, takeBlocks, textOf } from './readme.js'
import { compact, runMenuscript } from './shell.js'

const INSTALLED = ['express', 'fastify', 'nunjucks', 'polka']
const TEMPLATES = 'Menus in templates'

/** Hooks that say what the request of their framework is. */
const TYPED = `import type { IncomingMessage } from 'node:http'
import { fastify, type FastifyRequest } from 'fastify'
import { openMenus, type Policies, type Viewer } from 'menuscript'

declare module 'fastify' {
  interface FastifyRequest { user: Viewer | null }
}
const nobody: Viewer = { id: null, permissions: [] }
const menus = await openMenus({
  policies: {
    resolveViewer: (request: FastifyRequest) => request.user ?? nobody,
    prepareRequest: async (request: FastifyRequest) => void (request.user = null),
  },
})
interface OurRequest extends IncomingMessage { session?: { user: Viewer } }
export const policies: Policies = {
  resolveViewer: (request: OurRequest) => request.session?.user ?? nobody,
  resolveLocale(request) { return request.session.language },
  // @ts-expect-error: a code is a text.
  resolveMenuCode: (request: OurRequest): number => request.socket.remotePort ?? 0,
}
const app = fastify()
app.addHook('onRequest', menus.handler)
app.get('/', (request) => menus.service.tree('main', { request }))
menus.service.tree('main', { request: new Request('http://shop.example/') })
`

/** An empty project in which the packages that the README names are installed. */
function createProject(files: Readonly<Record<string, string>>): MenusFolder {
  const folder = createMenusFolder({ ...files, 'node_modules/.keep': '' })
  symlinkSync(ROOT, join(folder.dir, 'node_modules/menuscript'))
  for (const name of INSTALLED) {
    symlinkSync(join(ROOT, 'node_modules', name), join(folder.dir, 'node_modules', name))
  }
  return folder
}

/** Starts a server of the README in a folder, asks it, and stops it. */
async function withSite(
  folder: MenusFolder,
  text: string,
  use: (url: string) => Promise<void>,
): Promise<void> {
  folder.write('server.mjs', text)
  const server = startProcess('node', ['server.mjs'], { cwd: folder.dir, env: { PORT: '0' } })
  const [, port] = await server.waitFor(/ready at (\d+)/)
  await use(`http://127.0.0.1:${port}`)
  assert.is(await server.stop(), 0, server.stderr())
  assert.is(server.stderr(), '')
}

/** Runs a module in a folder to its end. */
async function runModule(folder: MenusFolder, text: string): Promise<string> {
  folder.write('script.mjs', text)
  const script = startProcess('node', ['script.mjs'], { cwd: folder.dir })
  const { code } = await script.ended
  assert.is(code, 0, script.stderr())
  return script.stdout()
}

/** HTML without the line breaks that are there for its readers. */
function joined(html: string): string {
  return html.replace(/>\s*\n\s*</g, '><').trim()
}

/** The tests of what the README tells those who have a server or a program of their own. */
export function addHostTests(test: Test): void {
  const [install = '', page = '', menu = '', html = ''] = takeBlocks(TEMPLATES, ['sh', 'njk', 'yaml', 'html'])

  test('The package is installed from the file that packing makes', () => {
    assert.match(install, `menuscript-${packageJson.version}.tgz express nunjucks\n`)
    assert.ok('prepack' in packageJson.scripts)
  })

  test('Each program that is shown has the name of an ES module, and the command that runs it', () => {
    const programs = { Express: 'site', Polka: 'site', Fastify: 'site', 'In a build': 'build' }
    for (const [section, name] of Object.entries(programs)) {
      const [lead = ''] = textOf(section).split('```js')
      assert.ok(lead.includes(`\`${name}.mjs\``) && lead.includes(`\`node ${name}.mjs\``), section)
    }
    for (const packages of ['polka nunjucks', 'fastify nunjucks'])
      assert.ok(pageAt('docs/templates.md').text.includes(`\`npm install ${packages}\``), packages)
    assert.match(textOf('In a program of your own'), /`node site\.mjs`[\s\S]*`node script\.mjs`/)
  })

  for (const host of ['Express', 'Polka', 'Fastify']) {
    test(`A site on ${host} shows its menus with the lines that are shown, and nothing else`, async () => {
      const [server = ''] = takeBlocks(host, ['js'])
      assert.equal(fileOf('main.yaml', menu).problems, [])
      const folder = createProject({ 'menus/main.yaml': menu, 'views/page.njk': page })
      await withSite(folder, server, async (url) => {
        const answer = await get(`${url}/lamps?for=desk`)
        assert.match(answer.headers['content-type'] ?? '', 'text/html')
        assert.ok(joined(answer.text).includes(joined(html)), answer.text)
        assert.is((await get(`${url}/api/menu/main`)).status, 200)
        assert.is((await get(`${url}/nowhere`)).status, 404)
      })
      folder.close()
    })
  }

  test('The hooks of a site tell who is signed in, and are awaited before a page', async () => {
    const [policies = '', prepare = ''] = takeBlocks('Who is signed in', ['js', 'js'])
    const [server = ''] = takeBlocks('Express', ['js'])
    const folder = createProject({
      'menus/main.yaml': menu.replace('url: /lamps\n', 'url: /lamps\n    permissions: [lamps]\n'),
      'views/page.njk': page,
    })
    const signIn = `app.use((request, response, next) => {
      if (request.query.as !== undefined) request.user = { id: 1, permissions: [request.query.as] }
      next()
    })`
    const text = server.replace('const menus = await openMenus()\n', `${policies}${signIn}\n${prepare}`)
    await withSite(folder, text, async (url) => {
      assert.not.match((await get(`${url}/lamps`)).text, 'For desks')
      assert.match((await get(`${url}/lamps?as=lamps`)).text, 'For desks')
    })
    folder.close()
  })

  test('On Fastify the hooks see the user that a hook of the site puts on the request, at the endpoint and in pages', async () => {
    const [policies = ''] = takeBlocks('Who is signed in', ['js', 'js'])
    const [server = ''] = takeBlocks('Fastify', ['js'])
    const folder = createProject({
      'menus/main.yaml': menu.replace('url: /lamps\n', 'url: /lamps\n    permissions: [lamps]\n'),
      'views/page.njk': page,
    })
    const signIn = `const app = fastify()
    app.decorateRequest('user', null)
    app.addHook('onRequest', async (request) => {
      if (request.query.as !== undefined) request.user = { id: 1, permissions: [request.query.as] }
    })
    `
    const text = server
      .replace('const menus = await openMenus()\n', policies)
      .replace('const app = fastify()\n', signIn)
    await withSite(folder, text, async (url) => {
      for (const path of ['/lamps', '/api/menu/main']) {
        assert.not.match((await get(`${url}${path}`)).text, 'For desks')
        assert.match((await get(`${url}${path}?as=lamps`)).text, 'For desks')
      }
    })
    folder.close()
  })

  test('TypeScript compiles the hooks as they are shown, and with the request of the framework, the strict way', async () => {
    const [policies = ''] = takeBlocks('Who is signed in', ['js', 'js'])
    const folder = createProject({
      'shown.mts': `import { openMenus } from 'menuscript'\n${policies}export { menus }\n`,
      'typed.mts': TYPED,
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          strict: true,
          noEmit: true,
          target: 'es2023',
          module: 'nodenext',
          skipLibCheck: true,
        },
        files: ['shown.mts', 'typed.mts'],
      }),
    })
    symlinkSync(join(ROOT, 'node_modules/@types'), join(folder.dir, 'node_modules/@types'))
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
    const { code, stdout } = await runProcess('node', [compiler, '-p', folder.dir], { cwd: folder.dir })
    assert.equal([code, stdout], [0, ''])
    folder.close()
  })

  test('The globals give what their section shows', async () => {
    const [macro = ''] = takeBlocks('The globals', ['njk'])
    const [config = ''] = takeBlocks('The configuration of a menu', ['json'])
    const template = `${macro}@{{ dashboard_menu_config('main') | dump | safe }}`
    const [server = ''] = takeBlocks('Express', ['js'])
    const folder = createProject({ 'menus/main.yaml': menu, 'views/page.njk': template })
    await withSite(folder, server, async (url) => {
      const [tabs = '', shown = ''] = (await get(`${url}/lamps`)).text.split('@')
      assert.match(tabs, '<a href="/">Home</a>')
      assert.match(tabs, '<a href="/lamps" class="open">Lamps</a>')
      assert.is(shown.trim(), compact(config))
    })
    folder.close()
  })

  test('The tables have every global and every keyword', async () => {
    const { registerMenuGlobals } = await import('../../src/nunjucks/globals.js')
    const names: string[] = []
    const environment = { addGlobal: (name: string) => names.push(name), getFilter: () => String }
    registerMenuGlobals(environment, { settings: { prefixes: new Map() } } as never)
    const told = rowsUnder('global', 'gives').map(([cell]) => plain(cell).split('(')[0])
    assert.equal(told, names)
    const { KEYWORDS } = await import('../../src/nunjucks/call.js')
    assert.equal(
      rowsUnder('keyword', 'value').map(([cell]) => plain(cell)),
      [...KEYWORDS],
    )
  })

  test('A server and a script of somebody else get what is theirs', async () => {
    const [server = '', script = ''] = takeBlocks('In a program of your own', ['js', 'js'])
    const text = 'version: 1\ncode: main\nname: A\nitems:\n  - label: { en: Home, es: Inicio }\n    url: /\n'
    const folder = createProject({ 'menus/main.yaml': text })
    await withSite(folder, server, async (url) => {
      const answer = await get(`${url}/api/menu/main`)
      assert.equal([answer.status, answer.headers['menu-version']], [200, toHashOf(answer.headers)])
      assert.is((await get(`${url}/else`)).text, 'a page of yours')
    })
    assert.is(await runModule(folder, script), 'Inicio\n')
    folder.close()
  })

  test('The build ends at a menu with a mistake, in the words that are shown', async () => {
    const [script = '', told = ''] = takeBlocks('In a build', ['js', 'text'])
    const text = 'version: 1\ncode: main\nname: Main\nitems:\n  - label: Home\n    url: /\n'
    const folder = createProject({ 'menus/main.yaml': text })
    assert.is(await runModule(folder, script), 'Home\n')
    folder.write('menus/main.yaml', text.replace('label', 'lable'))
    const broken = startProcess('node', ['script.mjs'], { cwd: folder.dir })
    assert.is((await broken.ended).code, 1)
    assert.ok(broken.stderr().includes(told.trim()), broken.stderr())
    folder.close()
  })

  test('Every export of the library that is no type has a row', async () => {
    const library = await import('../../src/index.js')
    const told = rowsUnder('export', 'what it is').map(([cell]) => plain(cell).split('(')[0])
    assert.equal([...told].sort(), Object.keys(library).sort())
  })

  test('The explanation of the example is word for word what the command says', async () => {
    const [command = '', told] = takeBlocks('Why this menu?', ['sh', 'text'])
    const languages = ['yaml', 'js', 'yaml', 'sh', 'json', 'sh', 'json']
    const [, , office = ''] = takeBlocks('Say who the viewer is', languages)
    const folder = createProject({
      'menus/office.yaml': office,
      'menuscript.config.yaml': 'locales: [en, es]\n',
    })
    const { stdout, stderr } = await runMenuscript(command, folder.dir)
    assert.equal([stdout, stderr], [told, ''])
    folder.close()
  })
}

/** Whatever it is: that there is one is what counts, and that it is a hash. */
function toHashOf({ 'menu-version': version = '' }: Readonly<Record<string, string>>): string {
  return /^[0-9a-f]{32}$/.test(version) ? version : toHash('')
}
