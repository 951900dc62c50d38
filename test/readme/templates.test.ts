import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import packageJson from '../../package.json' with { type: 'json' }
import { get } from '../support/http.js'
import { runProcess } from '../support/process.js'
import { fileOf } from '../support/snapshot-of.js'
import { plain } from './markdown.js'
import { pageAt, ROOT, rowsUnder, takeBlocks, testCoverage, textOf } from './readme.js'
import { compact } from './shell.js'
import { createProject, withSite } from './sites.js'

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

const [install = '', page = '', menu = '', html = ''] = takeBlocks('Menus in templates', [
  'sh',
  'njk',
  'yaml',
  'html',
])

test('The package is installed from the file that packing makes', () => {
  assert.match(install, `menuscript-${packageJson.version}.tgz express nunjucks\n`)
  assert.ok('prepack' in packageJson.scripts)
})

test('Each program has the name of an ES module, and the command that runs it', () => {
  const programs = { Express: 'site', Polka: 'site', Fastify: 'site', 'In a build': 'build' }
  for (const [section, name] of Object.entries(programs)) {
    const [lead = ''] = textOf(section).split('```js')
    assert.ok(lead.includes(`\`${name}.mjs\``) && lead.includes(`\`node ${name}.mjs\``), section)
  }
  for (const packages of ['polka nunjucks', 'fastify nunjucks'])
    assert.ok(pageAt('docs/templates.md').text.includes(`\`npm install ${packages}\``), packages)
  assert.match(textOf('Library'), /`node site\.mjs`[\s\S]*`node script\.mjs`/)
})

for (const host of ['Express', 'Polka', 'Fastify']) {
  test(`A site on ${host} shows its menus with the lines that are shown alone`, async () => {
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

test('The hooks of a site name who is signed in, and the site waits for them before a page', async () => {
  const [policies = '', prepare = ''] = takeBlocks('The signed-in user', ['js', 'js'])
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
  const [policies = ''] = takeBlocks('The signed-in user', ['js', 'js'])
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
  const [policies = ''] = takeBlocks('The signed-in user', ['js', 'js'])
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
  const [config = ''] = takeBlocks('Menu configuration', ['json'])
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
  const documented = rowsUnder('global', 'returns').map(([cell]) => plain(cell).split('(')[0])
  assert.equal(documented, names)
  const { KEYWORDS } = await import('../../src/nunjucks/call.js')
  assert.equal(
    rowsUnder('keyword', 'value').map(([cell]) => plain(cell)),
    [...KEYWORDS],
  )
})

testCoverage(test, 'docs/templates.md')

/** HTML without the line breaks that are there for its readers. */
function joined(html: string): string {
  return html.replace(/>\s*\n\s*</g, '><').trim()
}

test.run()
