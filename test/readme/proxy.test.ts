import { spawnSync } from 'node:child_process'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { serving } from '../cli/command.js'
import { prepareProgram } from '../support/apt.js'
import { eventually } from '../support/eventually.js'
import { freePort } from '../support/free-port.js'
import { get } from '../support/http.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { runProcess, startProcess } from '../support/process.js'
import { CLI, takeBlocks, testCoverage } from './readme.js'

const MENU = 'version: 1\ncode: main\nname: Main\nitems:\n  - label: Home\n    url: /\n'

/** A separate network, file system and root, where the ports and folders of the page are free. */
const WORLD = ['--user', '--map-root-user', '--mount', '--net']
/** The folders of a machine on which nginx is installed. */
const PREPARE = `
  { ip link set lo up || ifconfig lo up; } 2>/dev/null
  for folder in /var/cache /var/log /var/lib /run; do mount -t tmpfs none $folder; done
  mkdir -p /var/log/nginx /var/lib/nginx`

/** Sends two requests through nginx once both are up. */
const ASK = `
  const ask = async () => {
    const answer = await fetch('http://127.0.0.1/api/menu/main')
    return [answer.status, answer.headers.get('x-cache'), (await answer.text()).slice(0, 16)].join(' ')
  }
  let said = ''
  for (let tries = 0; tries < 300 && !said.startsWith('200'); tries++) {
    said = await ask().catch(String)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  console.log(said + '\\n' + (await ask()))`

/** Starts the service and nginx as people do, sends the requests, and stops both. */
const SCRIPT = `${PREPARE}
  "$NODE" "$CLI" serve >service.log 2>&1 &
  service=$!
  # This world has one user, root: there is nobody else for the workers to become.
  "$NGINX" -c "$PWD/nginx.conf" -g 'daemon off; user root;' >proxy.log 2>&1 &
  proxy=$!
  "$NODE" --input-type=module -e "$ASK" || true
  kill $proxy $service
  wait`

test('nginx starts with the configuration of the page and caches the responses of a service that is starting', async () => {
  const [text = ''] = takeBlocks('nginx', ['nginx'])
  const nginx = prepareProgram('nginx', 'nginx-light')
  const folder = createMenusFolder({ 'nginx.conf': text, 'menus/main.yaml': MENU })
  const env = { NODE: process.execPath, CLI, NGINX: nginx, ASK, PORT: undefined }
  if (spawnSync('unshare', [...WORLD, 'sh', '-euc', PREPARE]).status !== 0) {
    console.log('    not tried: this machine gives no network of its own')
    return folder.close()
  }
  const run = await runProcess('timeout', ['60', 'unshare', ...WORLD, 'sh', '-euc', SCRIPT], {
    cwd: folder.dir,
    env,
  })
  assert.equal(
    [run.code, run.stdout],
    [0, '200 MISS [{"label":"Home"\n200 HIT [{"label":"Home"\n'],
    run.stderr,
  )
  folder.close()
})

test('Caddy starts with the configuration of the page, passes requests on to a service that is up, and a tag gives 304', () =>
  serving({ 'menus/main.yaml': MENU }, async ({ url, folder }) => {
    const [text = ''] = takeBlocks('Caddy', ['text'])
    const here = `127.0.0.1:${await freePort()}`
    const swaps: readonly (readonly [string, string])[] = [
      ['shop.example.org {', `{\n  admin off\n}\nhttp://${here} {`],
      ['127.0.0.1:4400', new URL(url).host],
      // Nothing listens there.
      ['127.0.0.1:4401', `127.0.0.1:${await freePort()}`],
    ]
    for (const [from] of swaps) assert.is(text.split(from).length, 2, from)
    folder.write(
      'Caddyfile',
      swaps.reduce((config, [from, to]) => config.replace(from, to), text),
    )
    const env = { HOME: folder.dir, XDG_DATA_HOME: folder.dir, XDG_CONFIG_HOME: folder.dir }
    const args = ['run', '--config', 'Caddyfile', '--adapter', 'caddyfile']
    const caddy = startProcess(prepareProgram('caddy', 'caddy'), args, { cwd: folder.dir, env })
    try {
      const address = `http://${here}/api/menu/main`
      const first = await eventually(async () => {
        const answer = await get(address)
        assert.is(answer.status, 200, caddy.stderr())
        return answer
      })
      assert.match(first.text, '"Home"')
      const headers = { 'If-None-Match': first.headers['etag'] ?? '' }
      assert.is((await get(address, { headers })).status, 304)
    } finally {
      await caddy.stop()
    }
  }))

testCoverage(test, 'docs/proxy.md')

test.run()
