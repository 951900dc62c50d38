import { chmodSync, chownSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { PASSWORD, userLine } from '../dashboard/access/dashboards.js'
import { eventually } from '../support/eventually.js'
import { createHub } from '../support/hub.js'
import { createMenusFolder, type MenusFolder } from '../support/menus-folder.js'
import { runProcess } from '../support/process.js'
import { closing, test } from '../support/test.js'
import { COMMANDS } from './commands.js'
import { type Container, fetchIn } from './container.js'
import { CAN_CHROOT } from './image.js'
import { kitText } from './kit.js'
import { buildManifests } from './manifests.js'
import { probedPaths, startPod, workloadOf } from './pod.js'

const MANIFESTS = buildManifests('kubernetes/overlays/replicas')
const TOKEN = 'a-token-of-at-least-thirty-two-characters'
const API = '/admin/menus/api'

/** The repository of the pods, in which their user may push. */
async function openHost(): Promise<string> {
  const menu = kitText('kubernetes/overlays/configmap/menus/main.yaml')
  const { url } = closing(createHub({ 'menus/main.yaml': menu, 'ops/users': userLine('ana', 'manage') }))
  const host = closing(createMenusFolder())
  await runProcess('mv', [url, `${host.dir}/site.git`])
  await runProcess('chown', ['-R', '1000:1000', host.dir])
  chmodSync(host.dir, 0o755)
  return host.dir
}

/** The volume of a pod. */
function openVolume(): MenusFolder {
  const volume = closing(createMenusFolder())
  chownSync(volume.dir, 1000, 1000)
  return volume
}

function startReplica(
  host: string,
  volume: MenusFolder,
  work: (container: Container) => Promise<void>,
): Promise<void> {
  return startPod(MANIFESTS, { '/data': volume.dir, '/srv/host': host }, work, {
    MENUSCRIPT_STORAGE_GIT_REMOTE: '/srv/host/site.git',
    MENUSCRIPT_STORAGE_GIT_TOKEN_FILE: 'null',
    MENUSCRIPT_STORAGE_GIT_INTERVAL: '1',
    // From the Secrets.
    MENUSCRIPT_ADMIN_TOKEN: TOKEN,
    MENUSCRIPT_DASHBOARD_SESSION_SECRET: 'a secret of all the replicas here',
  })
}

interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** A request as the ingress controller passes it on. */
async function ask(
  { execute }: Container,
  path: string,
  { method = 'GET', headers = {}, body }: Sent = {},
): Promise<{ readonly status: number; readonly headers: Record<string, string>; readonly text: string }> {
  const origin = 'https://menus.example.org'
  const all = { host: 'menus.example.org', origin, 'content-type': 'application/json', ...headers }
  const script = `
    const [method, path, headers, body] = process.argv.slice(1)
    const options = { host: '127.0.0.1', port: 4400, method, path, headers: JSON.parse(headers) }
    require('node:http').request(options, async (answer) => {
      const text = (await answer.toArray()).join('')
      console.log(JSON.stringify({ status: answer.statusCode, headers: answer.headers, text }))
    }).end(body)`
  const sent = [method, path, JSON.stringify(all), body === undefined ? '' : JSON.stringify(body)]
  const [code, output] = await execute('node', '-e', script, ...sent)
  assert.is(code, 0, output)
  return JSON.parse(output)
}

test('Two pods share users, sessions and menus, and one restarts while the git host is away', async () => {
  if (!CAN_CHROOT) return console.log('    not tried: only root can change the root folder')
  const host = await openHost()
  const [first, second] = [openVolume(), openVolume()]
  await startReplica(host, first, async (one) => {
    await startReplica(host, second, async (other) => {
      for (const pod of [one, other]) {
        const paths = probedPaths(workloadOf(MANIFESTS))
        const found = await fetchIn(pod, ...paths, '/api/menu/main')
        for (const path of paths) assert.match(found, `${path} 200 `)
        assert.match(found, '/api/menu/main 200 [{"label":"Home"')
      }
      // As in the project folder, where there is no clone.
      const commands = COMMANDS.addRepositoryUser.trimEnd().replace('npx ', '')
      const script = `export MENUSCRIPT_STATE_DIR=/tmp/state\n${commands} --password-stdin`
      const added = await one.execute('sh', '-euc', `echo ${PASSWORD} | { ${script}; }`)
      assert.match(added[1], /^ana manage \d+ \$scrypt\$/m)

      const login = { method: 'POST', body: { user: 'ana', password: PASSWORD } }
      const signedIn = await ask(one, `${API}/session`, login)
      const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? ''
      const session = JSON.parse((await ask(other, `${API}/session`, { headers: { cookie } })).text)
      assert.is(session.role, 'manage', JSON.stringify(session))

      const menu = `${API}/menu?file=main.yaml`
      const { etag = '' } = (await ask(other, menu, { headers: { cookie } })).headers
      const headers = {
        ...{ cookie, 'if-match': etag, 'x-csrf-token': session.csrf },
        'content-type': 'application/json-patch+json',
      }
      const body = [{ op: 'replace', path: '/items/0/label', value: 'Start' }]
      const published = await ask(other, menu, { method: 'PATCH', headers, body })
      assert.is(published.status, 200, published.text)
      for (const pod of [one, other])
        await eventually(async () =>
          assert.match(await fetchIn(pod, '/api/menu/main'), '200 [{"label":"Start"'),
        )
      assert.is(await other.stop(), 0)
    })
    await runProcess('mv', [`${host}/site.git`, `${host}/away.git`])
    await startReplica(host, second, async (other) => {
      assert.match(await fetchIn(other, '/api/menu/main'), '200 [{"label":"Start"')
      const ready = await ask(other, '/readyz', { headers: { authorization: `Bearer ${TOKEN}` } })
      const { status, remote } = JSON.parse(ready.text)
      assert.equal([ready.status, status, remote.status], [200, 'degraded', 'unreachable'])
      assert.match(remote.reason, 'site.git')
    })
  })
})

test.run()
