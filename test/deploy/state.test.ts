import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { menuscript, startMenuscript } from '../cli/command.js'
import { get, type HttpAnswer } from '../support/http.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { runProcess } from '../support/process.js'
import { COMMANDS } from './commands.js'
import { kitText } from './kit.js'

const PASSWORD = 'a long password of ana'
const MENU = kitText('kubernetes/overlays/configmap/menus/main.yaml')

/** The browser of ana. */
interface Session {
  readonly cookie: string
  readonly ask: (method: string, path: string, body?: unknown) => Promise<HttpAnswer>
}

async function signIn(url: string): Promise<Session> {
  const headers = { origin: url, 'content-type': 'application/json' }
  const body = JSON.stringify({ user: 'ana', password: PASSWORD })
  const answer = await get(`${url}/admin/menus/api/session`, { method: 'POST', headers, body })
  assert.is(Math.floor(answer.status / 100), 2, answer.text)
  return sessionOf(url, answer.headers['set-cookie']?.split(';')[0] ?? '')
}

async function sessionOf(url: string, cookie: string): Promise<Session> {
  const { csrf } = (await get(`${url}/admin/menus/api/session`, { headers: { cookie } })).json() as {
    csrf: string
  }
  const ask: Session['ask'] = (method, path, body) =>
    get(`${url}/admin/menus/api${path}`, {
      method,
      headers: { cookie, origin: url, 'x-csrf-token': csrf, 'content-type': 'application/json-patch+json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  return { cookie, ask }
}

test('After a restore, users, sessions and drafts are those of the backup', async () => {
  const machine = createMenusFolder({
    'srv/menus/menus/main.yaml': MENU,
    'srv/menus/menuscript.config.yaml':
      'state: { dir: ../../var/lib/menuscript/state }\nserver: { port: 0 }\n',
  })
  mkdirSync(join(machine.dir, 'root'))
  const cwd = join(machine.dir, 'srv/menus')
  // The commands of the page, in folders of the test.
  const run = async (commands: string): Promise<void> => {
    const own = commands
      .replaceAll('sudo ', '')
      .replaceAll(/(?<=\s)\/(var|srv|root)\//g, `${machine.dir}/$1/`)
    const { code, stderr } = await runProcess('sh', ['-euc', own])
    assert.is(code, 0, `${own}\n${stderr}`)
  }
  const add = ['user', 'add', 'ana', '--role', 'edit', '--password-stdin']
  assert.is((await runCommand(add, cwd)).code, 0)
  const serve = async (work: (url: string) => Promise<void>): Promise<void> => {
    const service = startMenuscript(['serve'], { cwd })
    try {
      const [, url = ''] = await service.waitFor(/^listening on (\S+)$/m)
      await work(url)
    } finally {
      await service.stop()
    }
  }
  let cookie = ''
  await serve(async (url) => {
    const session = await signIn(url)
    cookie = session.cookie
    const { id } = (await session.ask('POST', '/drafts?file=main.yaml')).json() as { id: string }
    const step = [{ op: 'replace', path: '/items/0/label', value: 'Start' }]
    assert.is((await session.ask('PATCH', `/drafts/${id}`, step)).status, 200)
    // The service runs during the backup.
    await run(COMMANDS.backUp)
    assert.is(Math.floor((await session.ask('DELETE', `/drafts/${id}`)).status / 100), 2)
  })
  assert.is((await menuscript(['user', 'remove', 'ana'], { cwd })).code, 0)
  await run(COMMANDS.restore)
  await serve(async (url) => {
    const { ask } = await sessionOf(url, cookie)
    assert.match((await ask('GET', '/drafts')).text, '"user":"ana"')
    await signIn(url)
  })
  machine.close()
})

function runCommand(args: readonly string[], cwd: string): ReturnType<typeof menuscript> {
  return menuscript(args, { cwd, input: `${PASSWORD}\n`, env: { NO_COLOR: '1' } })
}

test.run()
