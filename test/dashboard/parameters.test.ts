import * as assert from 'uvu/assert'
import { ROUTES } from '../../src/dashboard/routes.js'
import { test } from '../support/test.js'
import { codeOf, MENU, openForScript, renamed, textOf, versionOf } from './managing.js'

/** Values that a parameter cannot have. */
const NONSENSE: Readonly<Record<string, readonly string[]>> = {
  dry_run: ['maybe', '1', 'TRUE', ''],
  notes: ['maybe', '1', ''],
  mode: ['overwrite', 'Replace', ''],
  limit: ['0', '-1', '1.5', 'ten', '', '1001'],
  file: ['', '../main.yaml', 'main.txt'],
  context_sets: ['[', '[1]', '"a"'],
  version: ['', 'main', '"'],
  format: ['xls', 'CSV', ''],
  outdated: ['maybe', '1', ''],
  guarded_last: ['maybe', '1', ''],
  now: ['', 'tomorrow', '2026-12-01', '2026-12-01T00:00:00', '2026-02-30T00:00:00Z'],
}
/** Texts to search for, and names that are looked up: none of them is nonsense. */
const ANY = ['q', 'code', 'name', 'locale', 'permissions']

test('No parameter takes a value that it cannot have', async () => {
  const [script, site] = await openForScript()
  const version = await versionOf(script)
  const { id } = (await script('POST', '/drafts?file=main.yaml')).json() as { id: string }
  for (const operation of Object.keys(ROUTES)) {
    const [method = '', path = ''] = operation.split(' ')
    if (path === '/events' || path === '/session') continue
    const body = method === 'GET' || method === 'DELETE' ? {} : { body: '[]' }
    const type = path === '/source' ? 'text/yaml' : 'application/json'
    const asked = { ...body, type, ...(!path.includes('{id}') && { version }) }
    const own = ['dry_run', ...(ROUTES[operation]?.query ?? []).map((name) => name.replace('?', ''))]
    const usual = Object.entries({ file: 'main.yaml', code: 'main' }).filter(([name]) => own.includes(name))
    for (const name of own) {
      assert.ok(name in NONSENSE || ANY.includes(name), name)
      for (const value of NONSENSE[name] ?? []) {
        const query = new URLSearchParams({ ...Object.fromEntries(usual), [name]: value })
        const { status, text } = await script(method, `${path.replace('{id}', id)}?${query}`, asked)
        const expected = name === 'version' ? 412 : name === 'file' ? 422 : 400
        assert.is(status, expected, `${operation} ${query} ${text}`)
      }
    }
  }
  assert.is(textOf(site), MENU)
  assert.is((await script('GET', `/drafts/${id}`)).status, 200)
})

test('A request that writes refuses a parameter that it does not have, such as a misspelt dry_run', async () => {
  const [script, site] = await openForScript()
  const asked = { body: renamed('A'), version: await versionOf(script) }
  for (const query of ['dryrun=true', 'dry-run=true', 'DRY_RUN=true', 'mode=skip'])
    assert.is(codeOf(await script('PATCH', `/menu?file=main.yaml&${query}`, asked)), '400 bad-parameter')
  assert.is(textOf(site), MENU)
  assert.is((await script('GET', '/menus?_=1')).status, 200)
})

test.run()
