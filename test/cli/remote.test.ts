import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { openMenus } from '../../src/index.js'
import { eventually } from '../support/eventually.js'
import { get } from '../support/http.js'
import { createHub, type Hub } from '../support/hub.js'
import { createMenusFolder, type MenusFolder } from '../support/menus-folder.js'
import { closing, test } from '../support/test.js'
import { menuscript, menuText, type Service, startMenuscript } from './command.js'

const FILE = 'menus/main.yaml'
const CLONE = '.menuscript-clone'

/** A hub, and a folder with a configuration that follows it. */
function sites(config: string = ''): { readonly hub: Hub; readonly folder: MenusFolder } {
  const hub = closing(createHub({ [FILE]: menuText('main', 'One') }))
  hub.push({ [FILE]: menuText('main', 'Two') })
  const text = `storage: { git: { remote: ${JSON.stringify(hub.url)}, interval: 1 } }\n${config}`
  return { hub, folder: closing(createMenusFolder({ 'menuscript.config.yaml': text })) }
}

async function serve(folder: MenusFolder): Promise<Service> {
  const child = startMenuscript(['serve', '--port', '0'], { cwd: folder.dir })
  closing({ close: child.stop })
  const [, url = ''] = await child.waitFor(/^listening on (\S+)$/m)
  return { ...child, url, folder }
}

async function nameOf({ url }: Service): Promise<string> {
  return (await get(`${url}/api/menu/main`)).text
}

const READING: readonly (readonly string[])[] = [
  ['lint'],
  ['list'],
  ['explain', 'main'],
  ['diff', 'HEAD~1'],
  ['log', 'main'],
  ['show', 'main'],
  ['blame', 'main'],
  ['build', '--out', 'out'],
  ['types'],
  ['translations', 'export'],
]
const WRITING: readonly (readonly string[])[] = [
  ['new', 'more'],
  ['lint', '--fix'],
  ['git', 'setup'],
  ['init'],
  ['translations', 'import', 'texts.csv'],
]

test('before there is a clone, commands that read menus name what makes it, and change nothing', async () => {
  const { folder } = sites()
  for (const args of READING) {
    const { code, stdout, stderr } = await menuscript(args, { cwd: folder.dir })
    assert.equal([code, stdout], [3, ''], args.join(' '))
    assert.match(stderr, /^error: there is no clone of \S+ in \S+ yet; menuscript serve makes it\n$/)
  }
  assert.not.ok(existsSync(join(folder.dir, CLONE)))
})

test('commands read the clone of a running service as it is, and write nothing into it', async () => {
  const { folder } = sites()
  await serve(folder)
  for (const args of READING) {
    const { code, stderr } = await menuscript(args, { cwd: folder.dir })
    assert.is(code, 0, `${args.join(' ')}: ${stderr}`)
  }
  for (const args of WRITING) {
    const { code, stderr } = await menuscript(args, { cwd: folder.dir })
    assert.is(code, 3, args.join(' '))
    assert.match(stderr, 'edit them in the dashboard, or push a commit')
  }
  assert.is(readFileSync(join(folder.dir, CLONE, FILE), 'utf8'), menuText('main', 'Two'))
  const config = await menuscript(['config'], { cwd: folder.dir })
  assert.match(config.stdout, join(folder.dir, CLONE, 'menus'))
  for (const args of [['link'], ['user', 'list']]) {
    const { code, stderr } = await menuscript(args, { cwd: folder.dir })
    assert.is(code, 0, stderr)
  }
  const refused = await menuscript(['list', '--menus', 'menus'], { cwd: folder.dir })
  assert.match(refused.stderr, 'config-conflict')
})

test('without the remote and without a clone, serve exits with 3 and one message', async () => {
  const { hub, folder } = sites()
  renameSync(hub.url, `${hub.url}.away`)
  const { code, stdout, stderr } = await menuscript(['serve', '--port', '0'], { cwd: folder.dir })
  assert.equal([code, stdout], [3, ''])
  const problem = stderr.split('\n').filter((line) => !line.startsWith('{'))
  assert.match(problem.join('\n'), /The repository \S+ cannot be cloned: .*does not (exist|appear)/s)
  assert.match(problem.join('\n'), 'remote-unreachable')
  assert.not.match(stderr, 'bad-option')
  assert.match(problem.join('\n'), 'Start again once the host can be reached')
  assert.is(stderr.match(/cannot be cloned/g)?.length, 1)
})

test('without the remote, serve starts with the last state, and follows once the remote is back', async () => {
  const { hub, folder } = sites()
  await (await serve(folder)).stop()
  renameSync(hub.url, `${hub.url}.away`)
  const service = await serve(folder)
  assert.match(await nameOf(service), 'Two')
  assert.match(service.stderr(), 'remote_unreachable')
  renameSync(`${hub.url}.away`, hub.url)
  hub.push({ [FILE]: menuText('main', 'Three') })
  await eventually(async () => assert.match(await nameOf(service), 'Three'))
  assert.match(service.stderr(), 'remote_reachable')
})

test('SIGHUP and POST /-/reload take over what was pushed', async () => {
  const { hub, folder } = sites()
  const config = readFileSync(join(folder.dir, 'menuscript.config.yaml'), 'utf8')
  folder.write('menuscript.config.yaml', config.replace('interval: 1', 'interval: 3600'))
  const token = 'a-token-of-at-least-thirty-two-characters'
  const child = startMenuscript(['serve', '--port', '0'], {
    cwd: folder.dir,
    env: { MENUSCRIPT_ADMIN_TOKEN: token },
  })
  closing({ close: child.stop })
  const [, url = ''] = await child.waitFor(/^listening on (\S+)$/m)
  hub.push({ [FILE]: menuText('main', 'Three') })
  const headers = { authorization: `Bearer ${token}` }
  assert.is((await get(`${url}/-/reload`, { method: 'POST', headers })).status, 200)
  assert.match((await get(`${url}/api/menu/main`)).text, 'Three')
  hub.push({ [FILE]: menuText('main', 'Four') })
  child.send('SIGHUP')
  await eventually(async () => assert.match((await get(`${url}/api/menu/main`)).text, 'Four'))
})

test('a second service on the same clone does not start, and the first one goes on', async () => {
  const { folder } = sites()
  const service = await serve(folder)
  const { code, stderr } = await menuscript(['serve', '--port', '0'], { cwd: folder.dir })
  assert.is(code, 3)
  assert.match(stderr, 'another process uses the clone')
  assert.match(await nameOf(service), 'Two')
})

test("serve leaves a folder with somebody's files alone, and the state out of the clone", async () => {
  const { folder } = sites()
  mkdirSync(join(folder.dir, CLONE))
  writeFileSync(join(folder.dir, CLONE, 'work.txt'), 'work')
  const foreign = await menuscript(['serve', '--port', '0'], { cwd: folder.dir })
  assert.equal([foreign.code, readFileSync(join(folder.dir, CLONE, 'work.txt'), 'utf8')], [3, 'work'])
  assert.match(foreign.stderr, 'needs an empty folder')
  for (const dir of [`${CLONE}/.state`, '.']) {
    const env = { MENUSCRIPT_STATE_DIR: dir, MENUSCRIPT_STORAGE_GIT_CLONE: CLONE }
    const inside = await menuscript(['serve', '--port', '0'], { cwd: folder.dir, env })
    assert.is(inside.code, 3)
    assert.match(inside.stderr, 'need folders apart')
  }
})

test('openMenus clones the repository, follows it, and serves it by the handler and in templates', async () => {
  const { hub, folder } = sites()
  const menus = closing(await openMenus({ folder: folder.dir, environment: {} }))
  const labels = (): unknown => menus.service.tree('main', {}).map(({ label }) => label)
  assert.equal(labels(), ['Two'])
  hub.push({ [FILE]: menuText('main', 'Three') })
  await eventually(() => assert.equal(labels(), ['Three']))
  const other = closing(
    createMenusFolder({ 'menuscript.config.yaml': 'storage: { git: { remote: ./none } }' }),
  )
  await openMenus({ folder: other.dir, environment: {} }).then(
    () => assert.unreachable(),
    (thrown: { code: string; message: string }) => {
      assert.is(thrown.code, 'ERR_MENUS_CONFIGURATION')
      assert.match(thrown.message, 'cannot be cloned')
    },
  )
})

test('Where the branch has no menus, serve names the branch and the path', async () => {
  const { folder } = sites()
  const text = readFileSync(join(folder.dir, 'menuscript.config.yaml'), 'utf8')
  folder.write('menuscript.config.yaml', text.replace('interval: 1', 'path: other/menus'))
  const { stdout } = await serve(folder)
  assert.match(stdout(), 'There is no menu in the folder other/menus on the branch main')
  assert.not.match(stdout(), 'mkdir')
})

test.run()
