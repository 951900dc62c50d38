import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { createMenusFolder, type MenusFolder } from '../support/menus-folder.js'
import { startProcess } from '../support/process.js'
import { ROOT } from './readme.js'

const INSTALLED = ['express', 'fastify', 'nunjucks', 'polka']

/** An empty project in which the packages that our pages name are installed. */
export function createProject(files: Readonly<Record<string, string>>): MenusFolder {
  const folder = createMenusFolder({ ...files, 'node_modules/.keep': '' })
  symlinkSync(ROOT, join(folder.dir, 'node_modules/menuscript'))
  for (const name of INSTALLED) {
    symlinkSync(join(ROOT, 'node_modules', name), join(folder.dir, 'node_modules', name))
  }
  return folder
}

/** Starts a server of our pages in a folder, asks it, and stops it. */
export async function withSite(
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
export async function runModule(folder: MenusFolder, text: string): Promise<string> {
  folder.write('script.mjs', text)
  const script = startProcess('node', ['script.mjs'], { cwd: folder.dir })
  const { code } = await script.ended
  assert.is(code, 0, script.stderr())
  return script.stdout()
}
