import { cpSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import packageJson from '../../package.json' with { type: 'json' }
import { eventually } from '../support/eventually.js'
import { get } from '../support/http.js'
import { runProcess } from '../support/process.js'
import { createProject, install, installed, npx, pack, startNpx } from './project.js'

const MENU = 'version: 1\ncode: main\nname: Main\nitems:\n  - label: Home\n    url: /\n'
const HOME = [{ label: 'Home', href: '/', routeName: null, icon: null, itemType: 'link', children: [] }]

const { tarball } = await pack()
const empty = createProject()
await install(empty, tarball)
const project = createProject({ 'menus/main.yaml': MENU })
cpSync(empty.dir, project.dir, { recursive: true, verbatimSymlinks: true })

test('npx runs the command that is installed', async () => {
  assert.equal(await npx(empty, '--version'), { code: 0, stdout: `${packageJson.version}\n` })
})

test('In an empty project, serve starts and shows how to make the first menu, which is served once made', async () => {
  const server = startNpx(empty, 'serve', '--port', '0')
  const [, url] = await server.waitFor(/listening on (\S+)/)
  assert.equal((await get(`${url}/api/menu/main`)).json(), [])
  const [shown = ''] = /^mkdir [\s\S]*^END$/m.exec(server.stdout()) ?? []
  const { code, stderr } = await runProcess('bash', ['-euc', shown], { cwd: empty.dir })
  assert.is(code, 0, stderr)
  await eventually(async () => assert.equal((await get(`${url}/api/menu/main`)).json(), HOME))
  assert.is(await server.stop(), 0, server.stderr())
})

test('In a project with a menu, serve serves it and ends on a signal', async () => {
  const server = startNpx(project, 'serve', '--port', '0')
  const [, url] = await server.waitFor(/listening on (\S+)/)
  assert.equal((await get(`${url}/api/menu/main`)).json(), HOME)
  assert.is((await get(`${url}/readyz`)).status, 200)
  assert.is(await server.stop(), 0, server.stderr())
})

test('lint finds the menu fine, and a mistake in it with its line', async () => {
  assert.is((await installed(project, 'lint')).code, 0)
  project.write('menus/wrong.yaml', MENU.replace('label', 'lable').replace('code: main', 'code: wrong'))
  const { code, stdout } = await installed(project, 'lint')
  assert.is(code, 1)
  assert.match(stdout, /menus\/wrong\.yaml:5:5 error unknown-key\n.*Did you mean "label"\?/)
  project.remove('menus/wrong.yaml')
})

test('config prints the options, with the project as the place of the menus', async () => {
  const { code, stdout } = await installed(project, 'config', '--json')
  assert.is(code, 0)
  assert.match(stdout, `${project.dir}/menus`)
})

test.run()
