import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { startMenuscript } from '../cli/command.js'
import { get } from '../support/http.js'
import { createMenusFolder } from '../support/menus-folder.js'

const TOKEN = 'a-token-of-at-least-thirty-two-characters'
const MENU = 'version: 1\ncode: main\nname: Main\nitems: [{ label: Home, routeName: home }]\n'

const FILES = (word: string): Readonly<Record<string, string>> => ({
  'menuscript.config.yaml': `routes: routes.yaml\npolicies: policies.mjs\nserver: { port: 0, static: site }\n${word === 'new' ? 'api: { node_members: [id] }\n' : ''}`,
  'routes.yaml': `home: /${word}\n`,
  'policies.mjs': `export const varyOn = ['x-${word}']\nexport const resolveViewer = () => ({ id: null, permissions: [] })\n`,
  'site/index.html': word,
})

test('Options, routes and policies take effect after a restart, menus and the files of a site at once', async () => {
  const folder = createMenusFolder({ ...FILES('old'), 'menus/main.yaml': MENU })
  const serve = async (work: (look: () => Promise<string>) => Promise<void>): Promise<void> => {
    const service = startMenuscript(['serve'], { cwd: folder.dir, env: { MENUSCRIPT_ADMIN_TOKEN: TOKEN } })
    try {
      const [, url = ''] = await service.waitFor(/^listening on (\S+)$/m)
      const headers = { authorization: `Bearer ${TOKEN}` }
      await work(async () => {
        assert.is((await get(`${url}/-/reload`, { method: 'POST', headers })).status, 200)
        const menu = await get(`${url}/api/menu/main`)
        const site = await get(url)
        const [node] = menu.json() as { label: string; href: string }[]
        return [
          node?.label,
          node?.href,
          'id' in (node ?? {}),
          menu.headers['vary']?.includes('x-new'),
          site.text,
        ].join(' ')
      })
    } finally {
      await service.stop()
    }
  }
  await serve(async (look) => {
    assert.is(await look(), 'Home /old false false old')
    for (const [path, text] of Object.entries(FILES('new'))) folder.write(path, text)
    folder.write('menus/main.yaml', MENU.replace('Home', 'Start'))
    assert.is(await look(), 'Start /old false false new')
  })
  await serve(async (look) => assert.is(await look(), 'Start /new true true new'))
  folder.close()
})

test.run()
