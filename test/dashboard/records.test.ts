import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import type { OpenSite } from '../http/sites.js'
import { test } from '../support/test.js'
import { ADMIN, API, draftOf, keptIds, MENU, openForScript, renamed, versionOf } from './managing.js'

interface Line {
  readonly user: string
  readonly address: string
  readonly action: string
  readonly revision: string
  readonly files: readonly {
    readonly file: string
    readonly before: string | null
    readonly after: string | null
  }[]
}

const NAMED = `diff --git a/main.yaml b/main.yaml
--- a/main.yaml
+++ b/main.yaml
@@ -1,6 +1,6 @@
 version: 1
 code: main
-name: Main   # for editors
+name: Front   # for editors
 items:
   # where all begins
   - label: Home
`

const auditOf = ({ folder }: OpenSite): string => join(folder.dir, '.menuscript/audit.log')
const linesOf = (site: OpenSite): Line[] =>
  existsSync(auditOf(site))
    ? readFileSync(auditOf(site), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : []

test('E10: each publish has a line in the audit log: who, from where, what, and what was served then', async () => {
  const [script, site] = await openForScript()
  const version = await versionOf(script)
  await script('PATCH', '/menu?file=main.yaml', { body: renamed('Front'), version })
  const after = await versionOf(script)
  await script('DELETE', '/menu?file=main.yaml', { version: after })
  const [first, second] = linesOf(site)
  const { time, revision, ...rest } = first as Line & { time: string }
  assert.ok(Math.abs(Date.now() - Date.parse(time)) < 60_000)
  assert.equal(rest, {
    ...{ user: 'token', via: 'token', address: '127.0.0.1', action: 'change', commit: null },
    files: [
      {
        ...{ file: 'main.yaml', before: version.slice(1, -1), after: after.slice(1, -1) },
        lines: { added: 1, removed: 1 },
        diff: NAMED,
      },
    ],
  })
  assert.is.not(second?.revision, revision)
  assert.equal([second?.action, second?.files[0]?.after], ['delete', null])
})

test('E10: what wrote nothing has no line: dry runs, refused edits, edits that change nothing, and drafts', async () => {
  const [script, site] = await openForScript()
  const version = await versionOf(script)
  const patch = (query: string, body: unknown) =>
    script('PATCH', `/menu?file=main.yaml${query}`, { body, version })
  assert.is((await patch('&dry_run=true', renamed('x'))).status, 200)
  assert.is((await patch('', renamed('Main'))).status, 200)
  assert.is((await patch('', [{ op: 'remove', path: '/items' }])).status, 422)
  assert.is((await script('POST', '/drafts?file=main.yaml')).status, 201)
  assert.equal(linesOf(site), [])
  const refused = site.events.filter(({ event }) => event === 'publish_refused')
  assert.equal(
    refused.map(({ fields }) => [fields?.['user'], fields?.['reason'], fields?.['file']]),
    [['token', 'invalid', 'main.yaml']],
  )
})

test('E10: whatever is done has its action: signing in and out, links, drafts, copies, exports, imports and restored texts', async () => {
  const [script, site] = await openForScript()
  const json = { origin: site.url, 'content-type': 'application/json' }
  const signIn = (body: object) =>
    site.ask(`${API}/session`, { method: 'POST', headers: json, body: JSON.stringify(body) })
  const [, token = ''] = site.link().split('link=')
  const { headers } = await signIn({ link: token })
  for (const password of ['swordfish', 'swordfish2']) await signIn({ user: 'nobody', password })
  const [cookie = ''] = (headers['set-cookie'] ?? '').split(';')
  const session = (await site.ask(`${API}/session`, { headers: { cookie } })).json() as { csrf: string }
  const leaving = { cookie, origin: site.url, 'x-csrf-token': session.csrf }
  assert.is((await site.ask(`${API}/session`, { method: 'DELETE', headers: leaving })).status, 204)
  await script('DELETE', await draftOf(script, renamed('A')))
  await script('POST', '/copy', { body: { file: 'main.yaml', code: 'copy' } })
  const menus = (await script('GET', '/export')).json()
  await script('DELETE', '/menu?file=copy.yaml', { version: await versionOf(script, 'copy.yaml') })
  const imported = await script('POST', '/import?mode=replace', { body: menus })
  assert.is(imported.status, 200, imported.text)
  const [kept] = await keptIds(script, 'copy.yaml')
  const version = await versionOf(script, 'copy.yaml')
  await script('POST', '/restore?file=copy.yaml', { body: { id: kept }, version })
  assert.equal(
    linesOf(site)
      .map(({ action, user }) => `${action} ${user}`)
      .slice(1),
    [
      ...[
        'signed-in local',
        'sign-in-failed null',
        'signed-out local',
        'draft-discarded token',
        'copy token',
      ],
      ...['export token', 'delete token', 'import token', 'restore token'],
    ],
  )
  assert.is(linesOf(site)[0]?.action, 'link-created')
  const text = readFileSync(auditOf(site), 'utf8')
  for (const secret of [token, 'swordfish', cookie.slice(20), session.csrf, ADMIN])
    assert.not.match(text, secret)
})

test('E10: a long difference is cut, with a note of how many lines are left out', async () => {
  const [script, site] = await openForScript()
  const items = Array.from(
    { length: 500 },
    (_, at) => `  - label: Entry number ${at} of the menu\n    url: /${at}\n`,
  )
  const body = `version: 1\ncode: big\nname: Big\nitems:\n${items.join('')}`
  const headers = { 'if-none-match': '*' }
  const sent = await script('PUT', '/source?file=big.yaml', { body, type: 'text/yaml', headers })
  assert.is(sent.status, 201, sent.text)
  const [line] = linesOf(site) as unknown as { files: { diff: string; cut: number; lines: object }[] }[]
  const { diff = '', cut = 0, lines } = line?.files[0] ?? {}
  assert.equal(lines, { added: 1_004, removed: 0 })
  assert.ok(diff.length < 8_500 && diff.endsWith('\n'), String(diff.length))
  // Five lines are its head.
  assert.is(diff.split('\n').length - 1 + cut, 1_004 + 5)
})

test('E10: lines are short whatever is published: escapes count, and many files have several lines', async () => {
  const [script, site] = await openForScript()
  const items = Array.from(
    { length: 400 },
    (_, at) => `  - label: "\\"\\"\\"${'\\u200e'}\\" ${at}"\n    url: /${at}\n`,
  )
  const body = `version: 1\ncode: big\nname: Big\nitems:\n${items.join('')}`
  const headers = { 'if-none-match': '*' }
  const sent = await script('PUT', '/source?file=big.yaml', { body, type: 'text/yaml', headers })
  assert.is(sent.status, 201, sent.text)
  const menus = Array.from({ length: 50 }, (_, at) => ({ menu: { code: `m${at}`, name: 'M' }, items: [] }))
  const imported = await script('POST', '/import', { body: { menus } })
  assert.is(imported.status, 200, imported.text)
  const text = readFileSync(auditOf(site), 'utf8')
  for (const line of text.split('\n')) assert.ok(Buffer.byteLength(line) < 16_384, String(line.length))
  const files = linesOf(site)
    .filter(({ action }) => action === 'import')
    .map((line) => (line as unknown as { files: { file: string }[] }).files.map(({ file }) => file))
  assert.equal(
    files.map(({ length }) => length),
    [20, 20, 10],
  )
  assert.is(new Set(files.flat()).size, 50)
})

test('E10: no name of a file begins a line of its own or reaches a terminal, and no secret is in a line', async () => {
  const config = {
    server: { trusted_proxies: ['127.0.0.1'] },
    dashboard: { proxy_user_header: 'X-User' },
  }
  const [script, site] = await openForScript({ config })
  const body = `${MENU.replace('code: main', 'code: other')}`
  const sent = await script('PUT', '/source?file=a%E2%80%AEb%E2%80%A8.yaml', {
    ...{ body, type: 'text/yaml' },
    headers: { 'if-none-match': '*', 'x-forwarded-for': '192.0.2.7' },
  })
  assert.is(sent.status, 201, sent.text)
  const text = readFileSync(auditOf(site), 'utf8')
  assert.is(text.replace(/[ -~]/g, ''), '\n')
  assert.not.match(text, ADMIN)
  assert.equal(
    linesOf(site).map(({ address, files }) => [address, files[0]?.file]),
    [['192.0.2.7', 'a\u202eb\u2028.yaml']],
  )
})

test('E10: a line that cannot be written loses no save, and the log has its whole record', async () => {
  const [script, site] = await openForScript()
  mkdirSync(auditOf(site))
  const version = await versionOf(script)
  const saved = await script('PATCH', '/menu?file=main.yaml', { body: renamed('Front'), version })
  assert.is(saved.status, 200, saved.text)
  const failed = site.events.find(({ event }) => event === 'audit_failed')
  assert.is((failed?.fields?.['record'] as Line | undefined)?.files[0]?.file, 'main.yaml')
  rmSync(auditOf(site), { recursive: true })
  await script('DELETE', '/menu?file=main.yaml', { version: saved.headers['etag'] ?? '' })
  assert.is(linesOf(site).length, 1)
})

test('The log says who published what, and who began, dropped and resolved drafts', async () => {
  const [script, site] = await openForScript()
  const open = async () => (await script('POST', '/drafts?file=main.yaml')).json() as { id: string }
  const { id } = await open()
  await open()
  await script('PATCH', `/drafts/${id}`, { body: renamed('A') })
  await script('DELETE', `/drafts/${id}`)
  await script('DELETE', `/drafts/${id}`)
  const { id: next } = await open()
  await script('PATCH', `/drafts/${next}`, { body: renamed('B') })
  const version = (await versionOf(script)).slice(1, -1)
  await script('POST', `/drafts/${next}/resolve`, { body: { version, choices: {} } })
  await script('POST', `/drafts/${next}/publish`)
  const named = site.events.flatMap(({ event }) => (/^(draft|menus_pub)/.test(event) ? [event] : []))
  const drafts = ['draft_started', 'draft_discarded', 'draft_started', 'draft_resolved']
  assert.equal(named, [...drafts, 'menus_published'])
})

test.run()
