import { fileURLToPath } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { loadConfig } from '../../src/config/load-config.js'
import { openRuntime } from '../../src/runtime.js'
import { SILENT_LOG } from '../../src/service/log.js'
import { startMenuscript } from '../cli/command.js'
import { eventually } from '../support/eventually.js'
import { get, type HttpAnswer } from '../support/http.js'
import type { Running } from '../support/process.js'
import { menuPath } from './sites.js'

// Section 7.7: what is served is a function of the files' bytes alone. Three processes, one folder, one answer.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const COMPARED = ['etag', 'menu-version', 'cache-control', 'vary', 'content-language', 'content-type']

function start(): Running {
  return startMenuscript(['serve', '--port', '0'], { cwd: ROOT })
}

const running = [start(), start(), start()]
test.after(async () => {
  assert.equal(await Promise.all(running.map((each) => each.stop())), [0, 0, 0])
})

/** The codes and contexts that the example menus have. */
async function examples() {
  const config = await loadConfig({ folder: ROOT, file: null, environment: {}, flags: {} })
  const runtime = await openRuntime(config, { watch: false, log: SILENT_LOG })
  const menus = [...runtime.store.current.served.values()].map(({ menu }) => menu)
  await runtime.close()
  return { menus, locales: config.options.locales }
}

const { menus, locales } = await examples()
const codes = [...new Set(menus.map(({ code }) => code)), 'unknown']
const contexts = [...new Set(menus.map(({ context }) => JSON.stringify(context)))].map((text) => [
  JSON.parse(text),
])
const urls = await Promise.all(
  running.map(async (each) => (await each.waitFor(/listening on (\S+)/, { within: 60_000 }))[1] ?? ''),
)

/** Every code, with every context, in every locale. */
const PATHS = codes.flatMap((code) =>
  [undefined, ...contexts, [{ partnerId: -1 }], [{ partnerId: -1 }, {}]].flatMap((sets) =>
    [null, ...locales, 'xx'].map((locale) => {
      const path = menuPath(code, sets)
      return locale === null ? path : `${path}${path.includes('?') ? '&' : '?'}_locale=${locale}`
    }),
  ),
)

function shown({ status, headers, text }: HttpAnswer): unknown {
  return { status, text, ...Object.fromEntries(COMPARED.map((name) => [name, headers[name] ?? null])) }
}

const plain = new Map<string, string>()

test('Replicas that start cold on the same bytes answer every code, locale and context with the same bytes', async () => {
  assert.ok(PATHS.length > 100, `${PATHS.length}`)
  for (const path of PATHS) {
    const [first, ...others] = (await Promise.all(urls.map((url) => get(`${url}${path}`)))).map(shown)
    for (const other of others) assert.equal(other, first, path)
    plain.set(path, (first as { text: string }).text)
  }
})

test('Replicas negotiate the same language and the same answer from a header', async () => {
  for (const header of ['es', 'ar, de;q=0.9', 'de; q=0.1, es; q=0.2', 'fr', '*']) {
    const headers = { 'accept-language': header }
    const [first, ...others] = (
      await Promise.all(urls.map((url) => get(`${url}/api/menu/${codes[0]}`, { headers })))
    ).map(shown)
    for (const other of others) assert.equal(other, first, header)
  }
})

for (const coding of ['gzip', 'br'] as const) {
  test(`Replicas send the same tree and the same tag in ${coding}`, async () => {
    const big = PATHS.filter((path) => (plain.get(path) ?? '').length >= 2_000)
    assert.ok(big.length > 0)
    for (const path of big) {
      const answers = await Promise.all(urls.map((url) => readyIn(coding, `${url}${path}`)))
      assert.is(new Set(answers.map(({ headers }) => headers['etag'])).size, 1, path)
      const decode = coding === 'br' ? brotliDecompressSync : gunzipSync
      for (const { body } of answers) assert.is(decode(body).toString(), plain.get(path), path)
    }
  })
}

/** The answer in a coding, which is made beside the first request for it. */
function readyIn(coding: string, url: string): Promise<HttpAnswer> {
  return eventually(async () => {
    const answer = await get(url, { headers: { 'accept-encoding': coding } })
    assert.is(answer.headers['content-encoding'], coding)
    return answer
  })
}

test('Replicas have the same revision', async () => {
  const revisions = await Promise.all(
    urls.map(async (url) => ((await get(`${url}/readyz`)).json() as { revision: string }).revision),
  )
  assert.is(new Set(revisions).size, 1)
})

test.run()
