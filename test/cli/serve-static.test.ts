import * as assert from 'uvu/assert'
import { get } from '../support/http.js'
import { test } from '../support/test.js'
import { menuscript, menuscriptOn, menuText, serving } from './command.js'

const FILES = {
  'menus/main.yaml': menuText('main'),
  'public/index.html': 'Site',
  'conf/site/index.html': 'Configured',
  'conf/menuscript.config.yaml':
    'server: { static: site }\nstorage: { connections: { default: ../menus } }\n',
  file: '',
}

test('--static serves the folder of a site, from the current folder, and the option from that of its file', async () => {
  const sites: readonly [args: readonly string[], env: Readonly<Record<string, string>>, text: string][] = [
    [['--static', 'public'], {}, 'Site'],
    [[], { MENUSCRIPT_SERVER_STATIC: 'public' }, 'Site'],
    [['--config', 'conf/menuscript.config.yaml'], {}, 'Configured'],
    [['--config', 'conf/menuscript.config.yaml', '--static', 'public'], {}, 'Site'],
  ]
  for (const [args, env, text] of sites) {
    const visit = async ({ url }: { readonly url: string }) => {
      assert.is((await get(`${url}/`, { headers: { accept: 'text/html' } })).text, text)
      assert.is((await get(`${url}/api/menu/main`)).status, 200)
    }
    await serving(FILES, visit, { args, env })
  }
})

for (const [site, what] of Object.entries({
  nowhere: 'is not a folder',
  file: 'is not a folder',
  'file/below': 'is not a folder',
  '': 'static',
})) {
  test(`--static ${JSON.stringify(site)} stops the start`, async () => {
    const { code, stdout, stderr } = await menuscriptOn(FILES, ['serve', '--port', '0', '--static', site])
    assert.equal([code, stdout], [3, ''])
    assert.match(stderr, what)
  })
}

test('build says which option it needs', async () => {
  const { code, stderr } = await menuscript(['build'])
  assert.is(code, 2)
  assert.match(stderr, '--out')
})

test.run()
