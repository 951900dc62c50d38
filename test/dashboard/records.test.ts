import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { OpenSite } from '../http/sites.js'
import { ADMIN, MENU, managing, renamed, versionOf } from './managing.js'

interface Line {
  readonly user: string
  readonly address: string
  readonly revision: string
  readonly files: readonly {
    readonly file: string
    readonly before: string | null
    readonly after: string | null
  }[]
}

const auditOf = ({ folder }: OpenSite): string => join(folder.dir, '.menuscript/audit.log')
const linesOf = (site: OpenSite): Line[] =>
  existsSync(auditOf(site))
    ? readFileSync(auditOf(site), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : []

test('E10: each publish has a line in the audit log: who, from where, what, and what was served then', async () => {
  await managing(async (script, site) => {
    const version = await versionOf(script)
    await script('PATCH', '/menu?file=main.yaml', { body: renamed('Front'), version })
    const after = await versionOf(script)
    await script('DELETE', '/menu?file=main.yaml', { version: after })
    const [first, second] = linesOf(site)
    const { time, revision, ...rest } = first as Line & { time: string }
    assert.ok(Math.abs(Date.now() - Date.parse(time)) < 60_000)
    assert.equal(rest, {
      ...{ user: 'token', via: 'token', address: '127.0.0.1', action: 'publish', commit: null },
      files: [
        {
          ...{ file: 'main.yaml', before: version.slice(1, -1), after: after.slice(1, -1) },
          lines: { added: 1, removed: 1 },
        },
      ],
    })
    assert.is.not(second?.revision, revision)
    assert.is(second?.files[0]?.after, null)
  })
})

test('E10: what wrote nothing has no line: dry runs, refused edits, edits that change nothing, and drafts', async () => {
  await managing(async (script, site) => {
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
})

test('E10: no name of a file begins a line of its own or reaches a terminal, and no secret is in a line', async () => {
  const config = {
    server: { trusted_proxies: ['127.0.0.1'] },
    dashboard: { proxy_user_header: 'X-User' },
  }
  await managing(
    async (script, site) => {
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
    },
    { config },
  )
})

test('E10: a line that cannot be written loses no save, and the log has its whole record', async () => {
  await managing(async (script, site) => {
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
})

test('The log says who published what, and who began, dropped and resolved drafts', async () => {
  await managing(async (script, site) => {
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
})

test.run()
