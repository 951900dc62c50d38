import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { takeLink } from '../../src/store/one-time-links.js'
import { openState } from '../../src/store/state.js'
import { startMenuscript } from './command.js'
import { inProject } from './project.js'

const CONFIG = 'menuscript.config.yaml'
const LINK = /^(http:\/\/[^/]+)\/admin\/menus\/sign-in\?link=([\w-]{43})\n$/

test('E1: a link of the command signs in to a service with the same configuration, once', () =>
  inProject({}, async ({ run, dir }) => {
    const { code, stdout, stderr } = await run('link')
    assert.equal([code, stderr], [0, 'note: it signs in once, within 15 minutes, while the service runs\n'])
    const [, url, token = ''] = LINK.exec(stdout) ?? []
    assert.is(url, 'http://127.0.0.1:4400')
    const { value: state } = openState(join(dir, '.menuscript'), join(dir, 'menus'))
    if (state === null) throw new Error('no state')
    assert.is(takeLink(state, token, Date.now()), '')
    assert.is(takeLink(state, token, Date.now()), null)
  }))

test('The link leads to the address of the service', async () => {
  const urlOf = (config: string, ...flags: string[]) =>
    inProject({ [CONFIG]: config }, async ({ run }) => {
      const { url = '' } = JSON.parse((await run('link', '--json', ...flags)).stdout)
      return url.split('?')[0]
    })
  const page = '/admin/menus/sign-in'
  assert.is(await urlOf('', '--port', '4499', '--host', '::1'), `http://[::1]:4499${page}`)
  const users = 'dashboard: { proxy_user_header: X-User }\n'
  const proxies = 'trusted_proxies: [127.0.0.1]'
  assert.is(await urlOf(`${users}server: { host: 0.0.0.0, ${proxies} }`), `http://localhost:4400${page}`)
  const behind = `${users}server: { public_url: "https://menus.example/", ${proxies} }`
  assert.is(await urlOf(behind), `https://menus.example${page}`)
  assert.is(await urlOf('dashboard: { path_prefix: /desk }'), 'http://127.0.0.1:4400/desk/sign-in')
})

test('The link leads to a listening service, whatever its port; the address of a dead one is not used', () =>
  inProject({}, async ({ run, dir, write }) => {
    const [served, site] = [startMenuscript(['serve', '--port', '0'], { cwd: dir }), '.menuscript/address']
    const [, url] = await served.waitFor(/^listening on (\S+)$/m)
    const linked = async (...flags: string[]) => LINK.exec((await run('link', ...flags)).stdout)?.[1]
    assert.is(await linked(), url)
    assert.is(await linked('--port', '4499'), 'http://127.0.0.1:4499')
    const left = readFileSync(join(dir, site), 'utf8')
    assert.is(await served.stop(), 0)
    assert.not.ok(existsSync(join(dir, site)))
    for (const text of [left, 'http://', '']) {
      write(site, text)
      assert.is(await linked(), 'http://127.0.0.1:4400')
    }
  }))

test('Where there is no dashboard there is no link, and the reason is said', () =>
  inProject({}, async ({ run, write, dir }) => {
    const refused = async (config: string) => {
      write(CONFIG, config)
      const { code, stdout, stderr } = await run('link')
      assert.is(stdout, '')
      return `${code} ${stderr}`
    }
    assert.match(
      await refused('dashboard: { enabled: false }'),
      /^3 error: there is no dashboard: dashboard\.enabled/,
    )
    assert.match(
      await refused('server: { host: 0.0.0.0 }'),
      /^3 error: there is no dashboard: 0\.0\.0\.0 is not/,
    )
    assert.match(
      await refused('server: { host: 0.0.0.0 }\ndashboard: { enabled: true }'),
      /^3 menuscript\.config\.yaml:2 error bad-option\s+There can be no dashboard/,
    )
    assert.match(await refused('server: { port: 0 }'), /^2 error: the port is not fixed/)
    assert.match(await refused('policies: none.mjs'), /^3 /)
    write('.menuscript/users', 'broken')
    assert.match(await refused('{}'), /^3 error: there is no dashboard: line 1 of /)
    assert.not.ok(existsSync(join(dir, '.menuscript/links')))
    assert.not.ok(readdirSync(join(dir, '.menuscript')).some((name) => name.endsWith('.tmp')))
  }))

test.run()
