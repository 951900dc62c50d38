import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { API } from '../../dashboard/managing.js'
import { figure, quantile, sized } from '../../support/figures.js'
import { readTrace } from '../../support/git-trace.js'
import { get, type HttpAnswer } from '../../support/http.js'
import { createMenusFolder } from '../../support/menus-folder.js'
import { GIT_ENVIRONMENT } from '../../support/repository.js'
import { type BuiltService, bigMenu, megabytes, startService, TOKEN } from './built-service.js'
import { visitDuring } from './visitor.js'
import { type Subjects, type WorstCall, worstCalls } from './worst-calls.js'

// One service, as it is installed, and one operator who sends what costs most, while a visitor and another operator ask for
// little. Times are figures; that all are answered, the memory and the processes of git are asserted.

const TURN_MS = 100
const OTHERS_MS = 250
const GROWTH = 50 * 1_048_576
/** What the collector of garbage leaves until later, as a multiple of that. */
const MARGIN = sized(5, 10)
/** Requests of each kind that are sent at once. */
const AT_ONCE = sized(8, 100)

const TELLERS = ['./turn-teller.mjs', './heap-teller.mjs'].map(
  (file) => `--import ${new URL(file, import.meta.url).href}`,
)
const many = Array.from({ length: 300 }, (_, place) => [`menus/a/m${place}.yaml`, bigMenu(`a${place}`, 3)])
/** Of the menu that is large. */
const ITEMS = 1_000
const big = (name: string, end: string): string =>
  `version: 1\ncode: big\nname: ${name}\nitems:\n${Array.from({ length: ITEMS }, (_, at) => `  - label: Entry ${at} ${'x'.repeat(300)}${end}\n    url: /${at}\n`).join('')}`
const icons = JSON.stringify(Array.from({ length: 10_000 }, (_, place) => `set:icon-${place}`))
const routes = Object.fromEntries(
  Array.from({ length: 2_000 }, (_, at) => [`route${at}`, `/route/${at}/:id`]),
)
const config = {
  ...{ icons: ['icons.json'], routes },
  server: { trusted_proxies: ['127.0.0.1'] },
  dashboard: { proxy_user_header: 'X-User', proxy_default_role: 'edit' },
}

/** An empty repository. */
const repository = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/config': '[core]\n\trepositoryformatversion = 0\n\tbare = false\n',
  '.git/objects/.keep': '',
  '.git/refs/heads/.keep': '',
}
const COMMITS = 5
const MOST_GIT = 4
const MANY = 100

/** Sends a request as the operator. */
function send(url: string, { method, path, body, type, headers }: WorstCall): Promise<HttpAnswer> {
  return get(url + path, {
    ...{ method, within: sized(120_000, 600_000) },
    headers: {
      authorization: `Bearer ${TOKEN}`,
      ...(type !== undefined && { 'content-type': type }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  })
}

/** Makes versions, and a draft, to ask for. */
async function prepare(url: string): Promise<Subjects> {
  const source = { path: `${API}/source?file=big.yaml`, type: 'text/yaml', method: 'PUT' }
  let version = (await send(url, { method: 'GET', path: source.path })).headers['etag'] ?? ''
  let [earlier, text] = [version, '']
  for (let commit = 1; commit <= COMMITS; commit++) {
    text = big(`Big ${commit}`, `z${commit}`)
    earlier = version
    const put = await send(url, { ...source, body: text, headers: { 'if-match': version } })
    assert.is(put.status, 200, put.text)
    assert.is((put.json() as { commit: { kind: string } }).commit.kind, 'committed', put.text.slice(-300))
    version = put.headers['etag'] ?? ''
  }
  const opened = await send(url, { method: 'POST', path: `${API}/drafts?file=big.yaml` })
  assert.is(opened.status, 201, opened.text)
  const draft = (opened.json() as { id: string }).id
  const body = JSON.stringify([{ op: 'replace', path: '/name', value: 'Draft' }])
  await send(url, { method: 'PATCH', path: `${API}/drafts/${draft}`, body, type: 'application/json' })
  const history = await send(url, { method: 'GET', path: `${API}/history?file=big.yaml` })
  const [kept] = (history.json() as { kept: { id: string }[] }).kept
  return { origin: url, items: ITEMS, big: text, version, earlier, kept: kept?.id ?? '', draft }
}

interface Measured {
  readonly growth: number
  readonly statuses: ReadonlySet<number>
}

/** Sends all requests of a kind at once, while a visitor and another operator ask for little. */
async function measure(service: BuiltService, kind: string, worst: readonly WorstCall[]): Promise<Measured> {
  const { url } = service
  await turnOf(service)
  const before = service.resident()
  let most = before
  const weighing = setInterval(() => {
    most = Math.max(most, service.resident())
  }, 50)
  const waits: number[] = []
  const others = new Set<number>()
  const answers = new Map<number, number>()
  let isOver = false
  const asking = (async () => {
    while (!isOver) {
      const start = performance.now()
      const answer = await get(`${url}${API}/session`, { headers: { 'x-user': 'bob' }, within: 60_000 })
      others.add(answer.status)
      waits.push(performance.now() - start)
      await sleep(20)
    }
  })()
  const { times, failures } = await visitDuring(`${url}/api/menu/main`, async () => {
    const sent = Array.from({ length: AT_ONCE }, () => worst).flat()
    for (const { status } of await Promise.all(sent.map((call) => send(url, call))))
      answers.set(status, (answers.get(status) ?? 0) + 1)
  })
  isOver = true
  await asking
  clearInterval(weighing)
  // What comes while the loop is held up is told to come again.
  const lost = failures.filter((failure) => failure !== '503')
  assert.equal([lost, [...others].filter((status) => status !== 200 && status !== 503)], [[], []], kind)
  const [turn, p99, growth] = [await turnOf(service), usualWait([...times, ...waits]), most - before]
  const answered = [...answers].map(([status, count]) => `${count} x ${status}`).join(', ')
  const times99 = `others' p99 ${Math.round(p99)} ms of ${times.length + waits.length}`
  figure(
    `E18 ${kind}`,
    `longest turn ${turn} ms, ${times99}, memory + ${megabytes(growth)}, ${answered}`,
    `${TURN_MS} ms, ${OTHERS_MS} ms, 50 MB`,
  )
  return { growth, statuses: new Set(answers.keys()) }
}

/** Milliseconds of the longest turn of the event loop since the last time. */
async function turnOf(service: BuiltService): Promise<number> {
  await service.heap()
  const turn =
    service
      .stderr()
      .match(/^turn \d+$/gm)
      ?.at(-1) ?? ''
  // Until it is counted anew.
  await sleep(100)
  return Number(turn.slice('turn '.length))
}

/** The 99th percentile; of few times the median, because a busy machine makes the longest as long as it likes. */
function usualWait(times: readonly number[]): number {
  return quantile(times, times.length < MANY ? 0.5 : 0.99)
}

test('E18: the dearest requests of one operator, of each kind, lose nobody else an answer and fill no memory', async () => {
  const files = { 'icons.json': icons, 'menuscript.config.json': JSON.stringify(config) }
  const menus = { 'menus/main.yaml': bigMenu('main', 50), 'menus/big.yaml': big('Big', 'y') }
  const traces = createMenusFolder()
  const trace = join(traces.dir, 'git')
  const service = await startService(
    { ...repository, ...files, ...menus, ...(Object.fromEntries(many) as Record<string, string>) },
    { ...GIT_ENVIRONMENT, NODE_OPTIONS: TELLERS.join(' '), GIT_TRACE2_EVENT: trace },
  )
  try {
    const calls = worstCalls(await prepare(service.url))
    for (const [kind, worst] of Object.entries(calls)) {
      const { growth, statuses } = await measure(service, kind, worst)
      assert.ok(growth <= MARGIN * GROWTH, `${kind}: ${megabytes(growth)}`)
      for (const status of [404, 500]) assert.not(statuses.has(status), kind)
      assert.is(statuses.has(200), kind !== 'sign-in', kind)
    }
    const { started, most } = readTrace(trace)
    figure('E18 processes of git', `${most} at a time, of ${started}`, `${MOST_GIT} at a time`)
    assert.ok(started > COMMITS && most <= MOST_GIT, `${most} of ${started}`)
  } finally {
    await service.stop()
    service.folder.close()
    traces.close()
  }
})

test.run()
