import { Agent, request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type Answered,
  type Asked,
  type CacheCounts,
  createSharedCache,
  type Origin,
} from '../../http/shared-cache.js'
import { type OpenSite, type SiteOptions, withSite } from '../../http/sites.js'
import { figure, SEED, sized } from '../../support/figures.js'
import { createRandom } from '../yaml/random.js'

const REQUESTS = sized(3_000, 10_000)
/** How long they take by the clock of the cache, in seconds. */
const CLOCK = 250
const OPEN = Array.from({ length: 40 }, (_, place) => ({
  label: { en: `Entry ${place}`, es: `Entrada ${place}` },
  url: `/${place}`,
}))
const GUARDED = [
  ...OPEN,
  { label: 'A', url: '/a', permissions: ['a'] },
  { label: 'B', url: '/b', permissions: ['a', 'b'], permissionMode: 'any' },
]
const menu = (code: string, items: unknown, context?: unknown) =>
  JSON.stringify({ version: 1, code, name: code, context, items })
const MENUS = {
  'open.yaml': menu('open', OPEN),
  'guarded.yaml': menu('guarded', GUARDED),
  'three.yaml': menu('open', OPEN.slice(3), { partner: 3 }),
}
const PARTNER = '_context_sets=%5B%7B%22partner%22%3A3%7D%2Cnull%5D'
const PATHS = [
  'open',
  'guarded',
  'none',
  'open?_locale=es',
  'guarded?_locale=en',
  `open?${PARTNER}`,
  `guarded?${PARTNER}&_locale=es`,
].map((each) => `/api/menu/${each}`)
/** Five viewers, each in another language, with another coding, another tenant and another way to say who it is. */
const VIEWERS: readonly Readonly<Record<string, string>>[] = [
  {},
  { 'x-user': 'a', 'accept-encoding': 'gzip', origin: 'https://a.example' },
  { 'x-user': 'b', 'accept-language': 'es', authorization: 'Bearer b' },
  {
    'x-user': 'ab',
    'x-tenant': 'plain',
    'accept-language': 'es',
    'accept-encoding': 'br, gzip',
    cookie: 'session=1',
  },
  {
    'accept-language': 'es, en;q=0.5',
    'accept-encoding': 'gzip',
    authorization: 'Bearer c',
    origin: 'https://b.example',
  },
]
const HOOKS = `
export const resolveViewer = ({ headers }) => ({ id: headers['x-user'] ?? null, permissions: (headers['x-user'] ?? '').split('') })
export const resolveMenuCode = ({ headers }, hint) => headers['x-tenant'] === 'plain' ? 'open' : hint
`

/** Asks a site on a connection that is kept, and reads an answer whatever its coding. */
function originOf({ url }: OpenSite, agent: Agent): Origin {
  return ({ path, headers }) =>
    new Promise((resolve, reject) => {
      const sent = request(url + path, { agent, headers }, (message) => {
        const parts: Buffer[] = []
        message.on('data', (part: Buffer) => parts.push(part)).on('error', reject)
        message.on('end', () => {
          const got = message.headers as Record<string, string>
          const body = Buffer.concat(parts)
          const coding = body.length === 0 ? undefined : got['content-encoding']
          const text =
            coding === 'br' ? brotliDecompressSync(body) : coding === 'gzip' ? gunzipSync(body) : body
          resolve({ status: message.statusCode ?? 0, headers: got, text: text.toString() })
        })
      })
      sent.on('error', reject).end()
    })
}

/** Whether an answer was meant for who asked: its tree, its language, a coding and an origin that is theirs. */
function isMeantFor({ headers }: Asked, { text, headers: got, status }: Answered, truth: Answered): boolean {
  const coding = got['content-encoding']
  const isReadable = coding === undefined || (headers['accept-encoding'] ?? '').includes(coding)
  const names = ['content-language', 'menu-version', 'access-control-allow-origin']
  const isSame = names.every((name) => got[name] === truth.headers[name])
  return status === 200 && text === truth.text && isReadable && isSame
}

interface Outcome {
  readonly foreign: number
  readonly counts: CacheCounts
}

/** Requests of five viewers through a cache whose clock goes on from one to the next. */
async function throughCache(options: SiteOptions, ignoresVary = false): Promise<Outcome> {
  const outcome = { foreign: 0, counts: { hits: 0, stale: 0, revalidated: 0, passed: 0 } }
  const agent = new Agent({ keepAlive: true })
  await withSite(
    MENUS,
    { ...options, config: { locales: ['en', 'es'], ...options.config } },
    async (site) => {
      const origin = originOf(site, agent)
      const truths = new Map<string, Promise<Answered>>()
      let place = 0
      const cache = createSharedCache(origin, { now: () => (place / REQUESTS) * CLOCK, ignoresVary })
      for (; place < REQUESTS; place++) {
        const random = createRandom(SEED, place)
        const asked = { path: random.pick(PATHS), headers: random.pick(VIEWERS) }
        const key = `${VIEWERS.indexOf(asked.headers)} ${asked.path}`
        const truth = truths.get(key) ?? origin(asked)
        truths.set(key, truth)
        if (!isMeantFor(asked, await cache.ask(asked), await truth)) outcome.foreign++
      }
      outcome.counts = cache.counts
      agent.destroy()
    },
  )
  return outcome
}

const SETUPS: Readonly<Record<string, SiteOptions>> = {
  'hooks of ours': {},
  'hooks of ours and a list of origins': {
    config: { api: { cors_origins: ['https://a.example', 'https://b.example'] } },
  },
  'hooks of the deployment': { policies: HOOKS },
  'hooks of the deployment and varyOn': { policies: `${HOOKS}export const varyOn = ['X-User', 'X-Tenant']` },
  'a locale hook and varyOn': {
    policies:
      "export const resolveLocale = ({ headers }) => headers['x-tenant'] ? 'es' : 'en'\nexport const varyOn = ['X-Tenant']",
  },
}
for (const [what, options] of Object.entries(SETUPS)) {
  test(`D18, D19: of ${REQUESTS} answers through a shared cache with ${what}, none was meant for another`, async () => {
    const { foreign, counts } = await throughCache(options)
    const { hits, stale, revalidated, passed } = counts
    const reached = `${foreign} foreign, ${hits} fresh, ${stale} stale, ${revalidated} revalidated, ${passed} passed on`
    figure(`caches, ${what}`, `${reached}, seed ${SEED}`, `0 foreign of ${REQUESTS}`)
    assert.is(foreign, 0)
    const isShared = what !== 'hooks of the deployment'
    assert.is(hits > REQUESTS / 10 && stale > 0, isShared, 'a cache helps exactly where it may')
  })
}

test('D18: a cache that does not heed Vary would give the answers of others, and this test would notice', async () => {
  const { foreign } = await throughCache({}, true)
  assert.ok(foreign > REQUESTS / 20, `${foreign}`)
})

test.run()
