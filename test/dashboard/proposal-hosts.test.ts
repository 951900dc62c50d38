import { writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { createMenusFolder } from '../support/menus-folder.js'
import { type HostPull, type ReplayedHost, TOKEN } from '../support/replayed-host.js'
import { closing, test } from '../support/test.js'
import { draftOf, renamed, type Script } from './managing.js'
import { listOf, openOnHost, type Proposal, propose, proposed } from './proposing.js'

/** Has the host answer something else for each call, and gives the reason that the list has then. */
async function reasonOf(
  host: ReplayedHost,
  script: Script,
  answer: (response: ServerResponse) => void,
): Promise<string> {
  host.instead = (_, response) => answer(response)
  await proposed(script, `Name ${host.calls.length}`, `Title ${host.calls.length}`)
  const { away } = await listOf(script)
  host.instead = null
  return `${away?.what}: ${away?.reason}`
}

for (const kind of ['github', 'gitlab', 'gitea', 'forgejo'] as const)
  test(`${kind}: a proposal becomes a pull request with the changes as its text, and is listed with its comments`, async () => {
    const { ana, host, site, hub } = await openOnHost(kind)
    const draft = await draftOf(ana, renamed('Shop'))
    const answer = await propose(ana, draft, { title: 'Rename', text: 'Marketing asked.' })
    const { url, reason, branch } = answer.json() as Proposal & { reason: string | null }
    assert.is(reason, null)
    const [pull] = host.pulls
    assert.equal([pull?.title, pull?.branch, pull?.into], ['Rename', branch, 'main'])
    assert.match(pull?.text ?? '', /^Marketing asked\.\n\n## Menus: 1 changed/)
    const places = { github: 'pull/1', gitlab: '-/merge_requests/1', gitea: 'pulls/1', forgejo: 'pulls/1' }
    assert.is(url, `${host.url}/shop/site/${places[kind]}`)
    if (pull !== undefined) pull.comments = 3
    host.pulls.push({ ...(pull as HostPull), number: 2, isFork: true, title: 'From a fork' })
    const { proposals, away } = await listOf(ana)
    assert.is(away, null)
    assert.equal(
      proposals.map((each) => [each.title, each.url, each.comments, each.state]),
      [['Rename', url, 3, 'open']],
    )
    if (pull !== undefined) pull.state = 'closed'
    hub.push({ 'more.txt': 'later' })
    await site.remote?.follow()
    assert.equal((await listOf(ana)).proposals, [])
    const written = JSON.stringify(site.events)
    assert.not.ok(written.includes(TOKEN))
    assert.is(site.events.filter(({ event }) => event === 'pull_request_failed').length, 0)
  })

for (const kind of ['github', 'gitlab', 'gitea'] as const)
  test(`${kind}: the pull request that a branch has already is found`, async () => {
    const { ana, host } = await openOnHost(kind)
    const first = await proposed(ana, 'Shop', 'Rename')
    const body = { branch: first.branch, file: 'main.yaml' }
    const { id } = (await ana('POST', '/proposals/draft', { body })).json() as { id: string }
    await ana('PATCH', `/drafts/${id}`, { body: renamed('Store') })
    const again = await propose(ana, `/drafts/${id}`, { title: 'Rename' })
    assert.is(again.status, 200, again.text)
    assert.equal([(again.json() as Proposal).url, host.pulls.length], [first.url, 1])
  })

test('whatever a host sends, the branch is pushed, the reason is reported, and no token with it', async () => {
  const tokenFile = join(closing(createMenusFolder()).dir, 'token')
  writeFileSync(tokenFile, TOKEN)
  const { ana, host, site } = await openOnHost('forgejo', {
    host: { kind: 'forgejo', token_file: tokenFile },
  })
  const reasons = [
    await reasonOf(host, ana, (response) => response.writeHead(500).end('<h1>Oops</h1>')),
    await reasonOf(host, ana, (response) => response.writeHead(200).end('<h1>Hello</h1>')),
    await reasonOf(host, ana, (response) => response.writeHead(200).end('{"a": 1}')),
    await reasonOf(host, ana, (response) => response.writeHead(200).end(`[${'1,'.repeat(5 << 20)}1]`)),
    await reasonOf(host, ana, (response) => response.writeHead(302, { location: `${host.url}/` }).end()),
    await reasonOf(host, ana, (response) => response.writeHead(403).end(`{"message": "No ${TOKEN}\\n!"}`)),
    await reasonOf(host, ana, (response) => response.destroy()),
  ]
  assert.equal(reasons.slice(0, 6), [
    'host: 500',
    'host: its answer is not JSON',
    'host: 200',
    'host: its answer is too long',
    'host: 302',
    'host: 403 No (secret) !',
  ])
  assert.match(reasons[6] ?? '', /^host: ./)
  const { proposals, away } = await listOf(ana)
  assert.is(away?.what, 'host')
  assert.is(proposals.length, reasons.length)
  assert.match(proposals[0]?.link ?? '', /\/shop\/site\/compare\/main\.\.\.menus\/ana\/title-/)
  writeFileSync(tokenFile, 'two words\n')
  await proposed(ana, 'Last', 'Last')
  assert.is((await listOf(ana)).away?.reason, 'the file of its token holds something else')
  const failures = site.events.filter(({ event }) => event === 'pull_request_failed')
  assert.is(failures.length, reasons.length + 1)
  assert.not.ok(JSON.stringify(site.events).includes(TOKEN))
})

test.run()
