import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import { menuText, openSite } from '../http/sites.js'
import { ROOT } from '../readme/readme.js'
import { createProject } from '../readme/sites.js'
import { runProcess } from '../support/process.js'
import { closing, test } from '../support/test.js'

const MAX_BYTES = 1_228

const TYPED = `import { createMenuClient, MenuError, type MenuClient, type TreeNode } from 'menuscript/client'

interface MenuTypes {
  readonly code: 'main' | 'sidebar'
  readonly context: { readonly partnerId: 3 }
  readonly locale: 'en' | 'es'
  readonly routeName: 'home'
  readonly permission: never
}

const menus: MenuClient<MenuTypes> = createMenuClient<MenuTypes>(new URL('/api/menu', location.href), {
  locale: 'es',
  storage: () => localStorage,
})
export async function labels(partnerId: number): Promise<readonly string[]> {
  try {
    const tree: readonly TreeNode[] = await menus.tree('main', { contextSets: [{ partnerId }, null] })
    return tree.map(({ label }) => label)
  } catch (error) {
    return error instanceof MenuError ? [\`\${error.status} \${error.message}\`] : []
  }
}
export function mistakes(): void {
  // @ts-expect-error: there is no such menu.
  menus.tree('sidebra')
  // @ts-expect-error: there is no such locale.
  menus.tree('main', { locale: 'fr' })
  // @ts-expect-error: there is no such key in a context.
  menus.tree('main', { contextSets: [{ partner: 3 }] })
  // @ts-expect-error: trees are shared.
  menus.tree('main').then((tree) => tree.push(tree[0]))
}
`

test(`The client has at most ${MAX_BYTES} bytes, gzipped, and imports nothing`, () => {
  const text = readFileSync(join(ROOT, 'dist/client.js'), 'utf8')
  const { length } = gzipSync(text, { level: 9 })
  assert.ok(length <= MAX_BYTES, `${length} bytes`)
  assert.not.match(text, /\bimport\b|\brequire\b/)
})

test('TypeScript checks the names of a project, without the types of Node', async () => {
  const project = closing(createProject({ 'page.ts': TYPED }))
  const compilerOptions = {
    ...{ target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'], types: [], noEmit: true, strict: true },
    ...{ exactOptionalPropertyTypes: true, skipLibCheck: false },
  }
  for (const modules of [
    { module: 'nodenext' },
    { module: 'esnext', moduleResolution: 'bundler' },
  ] as const) {
    const options = { ...compilerOptions, ...modules }
    project.write('tsconfig.json', JSON.stringify({ compilerOptions: options, files: ['page.ts'] }))
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
    const { stdout } = await runProcess('node', [compiler, '-p', project.dir], { cwd: project.dir })
    assert.is(stdout, '')
  }
})

test('A thread of Node loads a menu with it', async () => {
  const site = closing(await openSite({ 'main.yaml': menuText('main', 'Home') }))
  const script = `
    const { parentPort, workerData } = require('node:worker_threads')
    import(workerData.client).then(async ({ createMenuClient }) => {
      parentPort.postMessage(await createMenuClient(workerData.url).tree('main'))
    })`
  const workerData = { client: join(ROOT, 'dist/client.js'), url: `${site.url}/api/menu` }
  const worker = new Worker(script, { eval: true, workerData })
  const [tree] = await new Promise<{ label: string }[]>((resolve, reject) => {
    worker.once('message', resolve).once('error', reject)
  })
  assert.is(tree?.label, 'Home')
  await worker.terminate()
})

test.run()
