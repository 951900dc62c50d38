import { rmSync, writeFileSync } from 'node:fs'
import { request as nodeRequest } from 'node:http'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { get, type HttpAnswer } from '../support/http.js'
import { createHub, type Hub } from '../support/hub.js'
import { closing, test } from '../support/test.js'
import { hexOf, standardHeaders } from '../support/webhook-signatures.js'
import { createJudge, descriptionOf } from './description.js'
import { menuPath, menuText, type OpenSite, openSite } from './sites.js'

const FILE = 'menus/main.yaml'
const SECRET = "It's a Secret to Everybody"
const BODY = '{"ref":"refs/heads/main"}'

interface Followed {
  readonly hub: Hub
  readonly site: OpenSite
  readonly send: (headers: Readonly<Record<string, string>>, body?: string) => Promise<HttpAnswer>
  readonly setSecret: (text: string) => void
}

/** A service that looks at its remote only when a webhook calls. */
async function openFollowed(secret: string = SECRET): Promise<Followed> {
  const hub = closing(createHub({ [FILE]: menuText('main', 'Old') }))
  const git = { remote: hub.url, webhook_secret_file: 'secret' }
  const setSecret = (dir: string, text: string): void => writeFileSync(join(dir, 'secret'), `${text}\n`)
  const site = closing(
    await openSite({}, { config: { storage: { git } }, prepare: (dir) => setSecret(dir, secret) }),
  )
  const send: Followed['send'] = (headers, body = BODY) =>
    site.ask('/-/webhook', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    })
  return { hub, site, send, setSecret: (text) => setSecret(site.folder.dir, text) }
}

function codeOf(answer: HttpAnswer): string {
  return `${answer.status} ${(answer.json() as { code?: string; status?: unknown }).code}`
}

const KEY = `whsec_${Buffer.from('thirty-two bytes of a random key').toString('base64')}`
const SENDERS: Readonly<Record<string, readonly [secret: string, (body: string) => Record<string, string>]>> =
  {
    GitHub: [SECRET, (body) => ({ 'x-hub-signature-256': `sha256=${hexOf(SECRET, body)}` })],
    Forgejo: [
      SECRET,
      (body) => ({ 'x-forgejo-signature': hexOf(SECRET, body), 'x-gitea-signature': hexOf(SECRET, body) }),
    ],
    Gitea: [SECRET, (body) => ({ 'x-gitea-signature': hexOf(SECRET, body) })],
    'GitLab with a secret token': [SECRET, () => ({ 'x-gitlab-token': SECRET })],
    'GitLab with a signing token': [KEY, (body) => ({ ...standardHeaders(KEY, body) })],
  }

for (const [name, [secret, sign]] of Object.entries(SENDERS)) {
  test(`a push that ${name} reports is served, and a wrong signature is refused`, async () => {
    const { hub, site, send } = await openFollowed(secret)
    const judge = createJudge(await descriptionOf(site))
    hub.push({ [FILE]: menuText('main', 'New') })
    for (const headers of [{}, Object.fromEntries(Object.keys(sign('')).map((each) => [each, 'x']))])
      assert.is(codeOf(await send(headers)), '401 webhook-unsigned')
    const other = name.includes('secret token') ? { 'x-gitlab-token': `${SECRET}x` } : sign(`${BODY} `)
    const refused = await send(other)
    assert.equal([codeOf(refused), refused.headers['www-authenticate']], ['401 webhook-unsigned', 'Webhook'])
    judge('POST /-/webhook', refused)
    assert.match((await site.ask(menuPath('main'))).text, 'Old')
    const accepted = await send(sign(BODY))
    assert.is(accepted.status, 202, accepted.text)
    judge('POST /-/webhook', accepted)
    await eventually(async () => assert.match((await site.ask(menuPath('main'))).text, 'New'))
  })
}

test("the example in GitHub's documentation is accepted", async () => {
  const { send } = await openFollowed()
  const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'
  assert.is((await send({ 'x-hub-signature-256': signature }, 'Hello, World!')).status, 202)
})

test('a signature with an old time is refused', async () => {
  const { send } = await openFollowed(KEY)
  const now = Math.floor(Date.now() / 1_000)
  for (const seconds of [now - 400, now + 400])
    assert.is((await send(standardHeaders(KEY, BODY, seconds))).status, 401)
  assert.is((await send(standardHeaders(KEY, BODY, now - 200))).status, 202)
})

test('the secret can be replaced while the service runs, and nothing is accepted without one', async () => {
  const { site, send, setSecret } = await openFollowed()
  setSecret('another')
  assert.is((await send({ 'x-gitlab-token': SECRET })).status, 401)
  assert.is((await send({ 'x-gitlab-token': 'another' })).status, 202)
  setSecret('')
  for (const headers of [{}, { 'x-gitlab-token': '' }, { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }])
    assert.is(codeOf(await send(headers)), '503 webhook-unavailable')
  rmSync(join(site.folder.dir, 'secret'))
  const unreadable = await send({ 'x-gitlab-token': SECRET })
  assert.is(codeOf(unreadable), '503 webhook-unavailable')
  assert.not.match(unreadable.text, 'secret"')
  assert.not.match(unreadable.text, site.folder.dir)
  const reports = site.events.filter(({ event }) => event === 'webhook_secret_unreadable')
  assert.is(reports.length, 1)
})

test('without a secret there is no webhook, and other methods are refused', async () => {
  const plain = closing(await openSite({ 'main.yaml': menuText('main', 'Home') }))
  assert.is((await plain.ask('/-/webhook', { method: 'POST' })).status, 404)
  const { site } = await openFollowed()
  const read = await site.ask('/-/webhook')
  assert.equal([read.status, read.headers['allow']], [405, 'POST, OPTIONS'])
})

test('many calls at once share a look at the remote', async () => {
  const { hub, site, send } = await openFollowed()
  const commit = hub.push({ [FILE]: menuText('main', 'New') })
  const answers = await Promise.all(Array.from({ length: 40 }, () => send({ 'x-gitlab-token': SECRET })))
  assert.equal([...new Set(answers.map(({ status }) => status))], [202])
  const followed = () => site.events.filter(({ event }) => event === 'remote_followed').length
  await eventually(() => assert.equal([site.remote?.state().commit, followed()], [commit, 2]))
  await site.remote?.follow()
  assert.is(followed(), 2)
})

test('a body that is too large, encoded or cut off is refused, whatever its signature', async () => {
  const { site, send } = await openFollowed()
  const signed = { 'x-hub-signature-256': `sha256=${hexOf(SECRET, BODY)}` }
  assert.is(codeOf(await send({ ...signed, 'content-encoding': 'gzip' })), '415 body-encoded')
  const large = await new Promise<number>((resolve, reject) => {
    const headers = { ...signed, 'content-length': 26 * 1_048_576 }
    const sent = nodeRequest(`${site.url}/-/webhook`, { method: 'POST', headers, agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
      sent.destroy()
    })
    sent.on('error', reject)
    sent.flushHeaders()
  })
  assert.is(large, 413)
})

test('senders without the secret who never finish their bodies keep nobody out', async () => {
  const { site, send } = await openFollowed()
  const headers = { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}`, 'content-length': 1_000 }
  const open = Array.from({ length: 18 }, () => {
    const sent = nodeRequest(`${site.url}/-/webhook`, { method: 'POST', headers, agent: false })
    sent.on('error', () => {}).flushHeaders()
    return sent
  })
  await eventually(() => assert.ok(open.some(({ destroyed }) => destroyed)))
  assert.is((await send({ 'x-hub-signature-256': `sha256=${hexOf(SECRET, BODY)}` })).status, 202)
  for (const sent of open) sent.destroy()
})

test('a body of many megabytes is checked, and its signature counts', async () => {
  const { site } = await openFollowed()
  const body = Buffer.alloc(20 * 1_048_576, 'x')
  const headers = { 'x-hub-signature-256': `sha256=${hexOf(SECRET, body)}` }
  assert.is((await get(`${site.url}/-/webhook`, { method: 'POST', body, headers })).status, 202)
})

test.run()
