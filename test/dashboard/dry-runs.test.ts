import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { ROUTES } from '../../src/dashboard/routes.js'
import type { OpenSite } from '../http/sites.js'
import { test } from '../support/test.js'
import {
  type Asked,
  codeOf,
  keptIds,
  MENU,
  openForScript,
  PROXIED,
  renamed,
  scriptAs,
  versionOf,
} from './managing.js'

/** Every file of a site with its text. */
function filesOf({ folder: { dir } }: OpenSite): readonly string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(dir, path)).isFile())
    .sort()
    .map((path) => `${path}\n${readFileSync(join(dir, path), 'utf8')}`)
}

type Writing = readonly [method: string, path: string, asked?: Asked, status?: number]

test('Every write has a dry run, which changes no file and returns what would be done', async () => {
  const [script, site] = await openForScript({ menus: { 'main.yaml': MENU } })
  // The first request of all may make files of the service itself.
  await script('GET', '/menus')
  const tried = new Set<string>()
  /** Does something twice: dry, then really. */
  const both = async ([method, path, asked = {}, status = 200]: Writing): Promise<string> => {
    tried.add(`${method} ${path.replace(/\?.*/, '').replace(/drafts\/\w+/, 'drafts/{id}')}`)
    const before = filesOf(site)
    const dry = await script(method, `${path}${path.includes('?') ? '&' : '?'}dry_run=true`, asked)
    assert.equal(filesOf(site), before, `${method} ${path}`)
    const done = await script(method, path, asked)
    assert.equal(
      [dry.status === 204 ? 204 : 200, done.status],
      [status === 204 ? 204 : 200, status],
      dry.text,
    )
    const meant = ({ text }: typeof dry): object => {
      const { id: _, created: __, changed: ___, commit: ____, ...rest } = JSON.parse(text || '{}')
      return rest
    }
    assert.equal(meant(dry), meant(done), `${method} ${path}`)
    return done.text
  }
  const main = 'file=main.yaml'
  await both(['POST', '/menus', { body: { code: 'side', empty: true } }, 201])
  await both(['POST', '/copy', { body: { file: 'main.yaml', code: 'copy' } }, 201])
  await both(['PATCH', `/menu?${main}`, { body: renamed('A'), version: await versionOf(script) }])
  const put = { body: MENU, type: 'text/yaml', version: await versionOf(script) }
  await both(['PUT', `/source?${main}`, put])
  const [kept] = await keptIds(script)
  await both(['POST', `/restore?${main}`, { body: { id: kept }, version: await versionOf(script) }])
  const place = async (file: string) => ({
    ...{ file, pointer: '/items/0' },
    version: (await versionOf(script, file)).slice(1, -1),
  })
  const moved = { from: await place('main.yaml'), to: await place('side.yaml') }
  await both(['POST', '/move', { body: moved }])
  const { id } = JSON.parse(await both(['POST', `/drafts?${main}`, {}, 201])) as { id: string }
  const draft = `/drafts/${id}`
  await both(['PATCH', draft, { body: renamed('B') }])
  await both(['POST', `${draft}/undo`])
  await both(['POST', `${draft}/redo`])
  await script('PATCH', `/menu?${main}`, { body: renamed('C'), version: await versionOf(script) })
  const conflict = await script('POST', `${draft}/publish`)
  assert.is(codeOf(conflict), '409 conflict')
  const { conflicts } = conflict.json() as { conflicts: { id: string }[] }
  const choices = Object.fromEntries(conflicts.map((each) => [each.id, 'mine']))
  const version = (await versionOf(script)).slice(1, -1)
  await both(['POST', `${draft}/resolve`, { body: { version, choices } }])
  await both(['POST', `${draft}/publish`])
  const { id: other } = (await script('POST', `/drafts?${main}`)).json() as { id: string }
  await both(['DELETE', `/drafts/${other}`, {}, 204])
  const translated = {
    body: 'file,key,field,source,en\nmain.yaml,/link:Sales,label,Sales,Offers\n',
    type: 'text/csv',
  }
  const { etag = '' } = (await script('POST', '/translations?dry_run=true', translated)).headers
  await both(['POST', '/translations', { ...translated, version: etag }])
  const menus = (await script('GET', '/export')).json()
  await both(['DELETE', '/menu?file=copy.yaml', { version: await versionOf(script, 'copy.yaml') }])
  await both(['POST', '/import', { body: menus }])
  const none = ['POST /session', 'DELETE /session', 'POST /preview']
  const writing = Object.keys(ROUTES).filter((each) => !each.startsWith('GET ') && !none.includes(each))
  // They need a remote repository: dashboard/proposals.
  const elsewhere = ['POST /drafts/{id}/propose', 'POST /proposals/draft']
  assert.equal([...tried, ...elsewhere].sort(), writing.sort())
  for (const each of writing) assert.ok(ROUTES[each]?.query?.includes('dry_run'), each)
  for (const method of ['POST', 'DELETE']) {
    const headers = { origin: site.url }
    assert.is(codeOf(await script(method, '/session?dry_run=true', { headers })), '400 bad-parameter')
  }
})

test('A draft of a dry run continues nothing and is not found', async () => {
  const [script] = await openForScript()
  const { id } = (await script('POST', '/drafts?file=main.yaml&dry_run=true')).json() as { id: string }
  assert.is(codeOf(await script('GET', `/drafts/${id}`)), '404 no-draft')
  assert.equal((await script('GET', '/drafts')).json(), { drafts: [] })
})

test('B13: every operation that writes for an operator takes an Idempotency-Key, refuses a bad one, and says so', async () => {
  const [script, site] = await openForScript()
  const { paths } = (await site.ask('/openapi.json')).json() as {
    paths: Record<string, Record<string, Described>>
  }
  for (const operation of Object.keys(ROUTES).filter((each) => !each.startsWith('GET '))) {
    const [method = '', path = ''] = operation.split(' ')
    const found = Object.entries(paths).find(([each]) => each.endsWith(`/api${path}`))?.[1]
    const { parameters = [] } = found?.[method.toLowerCase()] ?? {}
    const isKeyed = parameters.some(({ name }) => name === 'Idempotency-Key')
    assert.is(isKeyed, !['POST /session', 'POST /preview'].includes(operation), operation)
    if (!isKeyed) continue
    const types: Record<string, string> = { '/source': 'text/yaml', '/translations': 'text/csv' }
    const type = types[path] ?? 'application/json'
    const body = method === 'DELETE' ? {} : { body: '{}', type }
    const headers = { 'idempotency-key': 'x'.repeat(101) }
    const refused = await script(method, path.replace('{id}', 'none'), { ...body, headers })
    assert.is(codeOf(refused), '400 bad-key', operation)
  }
})

test('B13: a dry run uses no key up', async () => {
  const [script] = await openForScript()
  const sent = {
    body: renamed('A'),
    version: await versionOf(script),
    headers: { 'idempotency-key': 'one' },
  }
  for (const query of ['&dry_run=true', ''])
    assert.is((await script('PATCH', `/menu?file=main.yaml${query}`, sent)).status, 200)
})

test('B13: a preview is made anew for each request, with or without a key', async () => {
  const [script] = await openForScript()
  const nameOf = async () => {
    const sent = { body: { file: 'main.yaml' }, headers: { 'idempotency-key': 'one' } }
    return ((await script('POST', '/preview', sent)).json() as { config: { name: string } }).config.name
  }
  assert.is(await nameOf(), 'Main')
  await script('PATCH', '/menu?file=main.yaml', { body: renamed('A'), version: await versionOf(script) })
  assert.is(await nameOf(), 'A')
})

test('B13: of large answers the last few of an operator are remembered, and those of other operators stay', async () => {
  const large = MENU.replace('items:', `x-note: ${'x'.repeat(900_000)}\nitems:`).replace('main', 'large')
  const menus = { 'main.yaml': MENU, 'large.yaml': large }
  const [script, site] = await openForScript({ ...PROXIED, menus })
  const ana = await scriptAs('ana', site)
  const once = { body: renamed('A'), version: await versionOf(script), headers: { 'idempotency-key': 'one' } }
  const byAna = () => ana('PATCH', '/menu?file=main.yaml', once)
  const first = await byAna()
  assert.is(first.status, 200, first.text)
  const sent: Asked[] = []
  const patch = (asked: Asked) => script('PATCH', '/menu?file=large.yaml', asked)
  for (let count = 0; count < 6; count++) {
    const headers = { 'idempotency-key': `k${count}` }
    const asked = { headers, body: renamed(`N${count}`), version: await versionOf(script, 'large.yaml') }
    assert.is((await patch(asked)).status, 200)
    sent.push(asked)
  }
  assert.is((await patch(sent[5] ?? {})).status, 200)
  assert.is(codeOf(await patch(sent[0] ?? {})), '412 changed')
  assert.is((await byAna()).text, first.text)
})

interface Described {
  readonly parameters?: readonly { readonly name: string }[]
}

test.run()
