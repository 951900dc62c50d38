import { join } from 'node:path'
import { build } from 'esbuild'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import packageJson from '../../package.json' with { type: 'json' }
import { ROOT } from '../readme/readme.js'
import { runProcess } from '../support/process.js'
import { createProject, install, pack } from './project.js'

const MENU = `version: 1
code: main
name: Main menu
items:
  - label: { en: Home, es: Inicio }
    url: /
`
const HOME = [{ label: 'Inicio', href: '/', routeName: null, icon: null, itemType: 'link', children: [] }]
const EXPORTS = [
  'ConfigurationError',
  'HookError',
  'MenusError',
  'createMenuHandler',
  'createMenuService',
  'openMenus',
  'openStore',
  'registerMenuGlobals',
]

const ES_MODULE = `import { createServer } from 'node:http'
import nunjucks from 'nunjucks'
import { createMenuHandler, createMenuService, openMenus, openStore, registerMenuGlobals } from 'menuscript'

const store = await openStore('menus', { locales: ['en', 'es'] })
const service = createMenuService(store)
const environment = new nunjucks.Environment()
registerMenuGlobals(environment, service)
const handler = createMenuHandler(service)
const server = createServer((request, response) => handler(request, response, () => response.end()))
server.listen(0, '127.0.0.1')
await new Promise((resolve) => server.once('listening', resolve))
const answer = await fetch(\`http://127.0.0.1:\${server.address().port}/api/menu/main?_locale=es\`)
const menus = await openMenus({ watch: false, environment: { MENUSCRIPT_LOCALES: 'en,es' } })
const template = "{{ dashboard_menu_tree('main', 'es') | dump | safe }}"
const texts = [
  JSON.stringify(service.tree('main', { locale: 'es' })),
  JSON.stringify(menus.service.tree('main', { locale: 'es' })),
  await answer.text(),
]
server.close()
const request = { url: '/', headers: { host: 'site.example.org' } }
const nodes = JSON.parse(environment.renderString(template, { request }))
texts.push(JSON.stringify(nodes.map(({ isCurrent, hasCurrentInBranch, ...node }) => node)))
console.log(JSON.stringify(texts.map((text) => JSON.parse(text))))
`

const COMMON_JS = `const menuscript = require('menuscript')
menuscript.openStore('menus', { locales: ['en', 'es'] }).then((store) => {
  const tree = menuscript.createMenuService(store).tree('main', { locale: 'es' })
  console.log(JSON.stringify({ names: Object.keys(menuscript), tree }))
})
`

const TYPED = `import { createServer } from 'node:http'
import {
  ConfigurationError, createMenuHandler, createMenuService, openMenus, openStore, registerMenuGlobals,
  type Handler, type Menu, type MenuConfig, type MenuRequest, type MenuService, type MenuStore, type OpenMenusInputs,
  type OpenStoreInputs, type PageNode, type Policies, type Problem, type Runtime, type Snapshot,
  type AnyMenuTypes, type TemplateEnvironment, type TreeNode, type TreeQuery, type Viewer,
} from 'menuscript'
import menuscript, { type EleventyConfig, type MenuscriptOptions } from 'menuscript/eleventy'

const inputs: OpenStoreInputs = { watch: false, locales: ['en', 'es'] }
const store: MenuStore = await openStore('menus', inputs)
const snapshot: Snapshot = store.current
const problems: readonly Problem[] = snapshot.problems
const policies: Policies = {
  resolveViewer: (request: MenuRequest): Viewer => ({ id: null, permissions: request.url === '/' ? ['a'] : [] }),
}
const service: MenuService = createMenuService(store, { policies })
const query: TreeQuery = { locale: 'es' }
interface Names extends AnyMenuTypes { readonly code: 'main' }
const tree: readonly TreeNode[] = service.tree('main', query)
function mistakes(): void {
  // @ts-expect-error: a locale is a text.
  service.tree('main', { locale: 3 })
  // @ts-expect-error: what is served is not to be edited.
  snapshot.revision = ''
  // @ts-expect-error: the project has no such menu.
  createMenuService<Names>(store).tree('mian')
}
const handler: Handler = createMenuHandler(service)
createServer((request, response) => void handler(request, response, () => response.end()))
const globals = new Map<string, unknown>()
const environment: TemplateEnvironment = {
  addGlobal: (name, value) => globals.set(name, value),
  getFilter: () => (text: string) => text,
}
registerMenuGlobals(environment, service)
const settings: OpenMenusInputs = { watch: false, environment: {} }
const runtime: Runtime = await openMenus(settings).catch((error: unknown) => {
  throw error instanceof ConfigurationError ? new Error(error.problems.map(({ what }) => what).join()) : error
})
await runtime.close()
export const plugin = (site: EleventyConfig, given: MenuscriptOptions) => menuscript(site, given)
type Unused = Menu | MenuConfig | PageNode
export { mistakes, type Unused }
console.log(JSON.stringify(problems.length === 0 && globals.size === 5 ? tree : []))
`

const TYPED_COMMON_JS = `import menuscript = require('menuscript')
import { openStore, type TreeNode } from 'menuscript'

async function main(): Promise<void> {
  const store = await openStore('menus', { locales: ['en', 'es'] })
  const tree: readonly TreeNode[] = menuscript.createMenuService(store).tree('main', { locale: 'es' })
  console.log(JSON.stringify(tree))
}
void main()
`

const project = createProject({ 'menus/main.yaml': MENU })
const { nunjucks, '@types/node': nodeTypes } = packageJson.devDependencies
const { tarball } = await pack()
await install(project, tarball, `nunjucks@${nunjucks}`, `@types/node@${nodeTypes}`)

/** Runs a file of the project; it must say nothing on stderr, warnings included. */
async function run(file: string): Promise<unknown> {
  const { code, stdout, stderr } = await runProcess('node', [file], { cwd: project.dir })
  assert.equal([code, stderr], [0, ''], file)
  return JSON.parse(stdout)
}

/** What the compiler says about these files, with the declarations of the package and below it checked as well. */
async function compile(files: readonly string[], options: Readonly<Record<string, string>>): Promise<string> {
  const compilerOptions = {
    target: 'es2023',
    types: ['node'],
    outDir: 'out',
    rootDir: '.',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    ...options,
  }
  project.write('tsconfig.json', JSON.stringify({ compilerOptions, files }))
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  return (await runProcess('node', [compiler, '-p', project.dir], { cwd: project.dir })).stdout
}

test('An ES module imports it: the store, the service, the handler and the globals give the same tree', async () => {
  project.write('site.mjs', ES_MODULE)
  assert.equal(await run('site.mjs'), [HOME, HOME, HOME, HOME])
})

test('CommonJS requires it, without a warning', async () => {
  project.write('site.cjs', COMMON_JS)
  assert.equal(await run('site.cjs'), { names: EXPORTS, tree: HOME })
})

test('It can be bundled into one file, as an ES module and as CommonJS', async () => {
  project.write('app.cjs', COMMON_JS)
  // Dependencies in CommonJS require modules of Node; within an ES module, esbuild needs to be told how.
  const js = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)`
  for (const [format, outfile, banner] of [
    ['esm', 'out.mjs', { js }],
    ['cjs', 'out.cjs', {}],
  ] as const) {
    const { warnings } = await build({
      ...{ absWorkingDir: project.dir, entryPoints: ['app.cjs'], outfile, format, banner },
      ...{ bundle: true, platform: 'node', logLevel: 'silent' },
    })
    assert.equal(
      warnings.filter(({ id }) => id !== 'empty-import-meta').map(({ text }) => text),
      [],
    )
    assert.equal(((await run(outfile)) as { readonly tree: unknown }).tree, HOME, format)
  }
})

test('TypeScript compiles an ES module and a CommonJS module that use it, and they run', async () => {
  project.write('typed.mts', TYPED)
  project.write('typed-common.cts', TYPED_COMMON_JS)
  assert.is(await compile(['typed.mts', 'typed-common.cts'], { module: 'nodenext' }), '')
  assert.equal(await run('out/typed.mjs'), HOME)
  assert.equal(await run('out/typed-common.cjs'), HOME)
})

test('TypeScript finds the types for a bundler, too', async () => {
  project.write('bundled.ts', TYPED)
  assert.is(await compile(['bundled.ts'], { module: 'esnext', moduleResolution: 'bundler' }), '')
})

test('The schemas are found from modules and from menu files', async () => {
  project.write(
    'schemas.mjs',
    `import { createRequire } from 'node:module'
const find = createRequire(import.meta.url)
const names = ['menu', 'config'].map((name) => find(\`menuscript/schemas/\${name}.schema.json\`).title)
console.log(JSON.stringify([...names, find('menuscript/package.json').version]))
`,
  )
  const [menu, config, version] = (await run('schemas.mjs')) as string[]
  assert.ok(menu && config)
  assert.is(version, packageJson.version)
})

test.run()
