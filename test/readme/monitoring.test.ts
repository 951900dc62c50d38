import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }
import { PROBLEM_KINDS } from '../../src/model/problem-codes.js'
import { AUDIT_ACTIONS } from '../../src/store/audit.js'
import { BOUNDS } from '../../src/web/durations.js'
import { menuText } from '../http/sites.js'
import { eventually } from '../support/eventually.js'
import { get } from '../support/http.js'
import { listening } from '../support/listening.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { type Running, startProcess } from '../support/process.js'
import { closing, test } from '../support/test.js'
import { plain } from './markdown.js'
import { PAGES, ROOT, rowsUnder, takeBlocks, testCoverage, textOf } from './readme.js'
import { compact, runShell, withServer } from './shell.js'
import { matches, textsOf } from './sources.js'
import { misspell, takeWalk } from './walk.js'

const TOKEN = 'a-token-of-at-least-thirty-two-characters'

interface PrometheusConfig {
  readonly rule_files: readonly string[]
  readonly scrape_configs: readonly { readonly job_name: string }[]
}

interface Span {
  readonly name: string
  readonly attributes: readonly { readonly key: string }[]
}

/** What a collector gets (OTLP over HTTP, in JSON). */
interface Export {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[]
}

/** Starts a service with the SDK that the page shows, over one menu. */
async function startTraced(collector: string): Promise<{ readonly url: string; readonly server: Running }> {
  const [installs = '', sdk = '', serve = ''] = takeBlocks('Tracing', ['sh', 'js', 'sh'])
  const known: Readonly<Record<string, string>> = packageJson.devDependencies
  for (const [, name = '', version] of installs.matchAll(/ (@[^@ ]+)@(\S+)/g))
    assert.ok(known[name]?.startsWith(`${version}.`), name)
  const folder = closing(createMenusFolder({ 'menus/main.yaml': menuText('main', 'Home'), 'otel.mjs': sdk }))
  mkdirSync(`${folder.dir}/node_modules`)
  symlinkSync(ROOT, `${folder.dir}/node_modules/menuscript`)
  symlinkSync(`${ROOT}/node_modules/@opentelemetry`, `${folder.dir}/node_modules/@opentelemetry`)
  const line = serve.replace(/http:\S+/, collector).replace(' node ', ` exec ${process.execPath} `)
  const env = { PORT: '0', MENUSCRIPT_ADMIN_TOKEN: TOKEN }
  const server = startProcess('bash', ['-c', line], { cwd: folder.dir, env })
  closing({ close: server.stop })
  const [, url = ''] = await server.waitFor(/listening on (\S+)/)
  return { url, server }
}

test('/readyz returns the example after the mistake of the first menu', async () => {
  const [shown = ''] = takeBlocks('Incidents', ['json'])
  const folder = createMenusFolder()
  const { make, vary, serve } = takeWalk()
  await runShell(make, folder.dir)
  await runShell(vary, folder.dir)
  await withServer(serve, folder.dir, async (url) => {
    misspell(folder)
    await eventually(async () => assert.is((await get(`${url}/readyz`)).text, compact(shown)))
  })
  folder.close()
})

test('Every log event has a row, and every row is a log event', () => {
  const events = new Set(
    textsOf('src').flatMap((text) => matches(text, /\b(?:log\.\w+\(|tell\(|notice\('\w+',)\s*'([a-z_]+)'/g)),
  )
  const documented = rowsUnder('event', 'when').flatMap(([cell]) => plain(cell).split(', '))
  assert.equal(documented.sort(), [...events].sort())
})

test('Every action of the audit log has a row, and every row is an action', () => {
  const rows = rowsUnder('action', 'what happened, and what else the line has')
  assert.equal(rows.flatMap(([cell]) => plain(cell).split(', ')).sort(), [...AUDIT_ACTIONS].sort())
})

test('Every metric of Menuscript has a row', () => {
  const metrics = matches(textsOf('src/http').join('\n'), /'(menu(?:script)?_[a-z_]+)'/g)
  const documented = rowsUnder('metric', 'what it measures').flatMap(([cell]) => plain(cell).split(', '))
  assert.equal([...documented].sort(), [...new Set(metrics)].sort())
})

test('The buckets of the histogram end as the page lists', () => {
  const [listed = ''] = matches(
    textOf('Metrics'),
    /The buckets of the histogram end at ([^.]+(?:\.\d[^.]+)*)\./g,
  )
  const seconds = listed
    .split(/, | and /)
    .map((each) => Number.parseFloat(each) / (each.endsWith(' ms') ? 1_000 : 1))
  assert.equal(seconds, BOUNDS)
})

test('The configuration for Prometheus loads the alerts, and names the job that they expect', () => {
  const [shown = ''] = takeBlocks('Alerts and dashboards', ['yaml'])
  const { rule_files: files, scrape_configs: jobs } = parse(shown) as PrometheusConfig
  const rules = readFileSync(`${ROOT}/docs/deploy/${files[0]}`, 'utf8')
  for (const { job_name: name } of jobs) assert.ok(rules.includes(`job="${name}"`), name)
  assert.equal(
    rowsUnder('alert', 'fires when').map(([cell]) => plain(cell)),
    Array.from(rules.matchAll(/^ *- alert: (\w+)$/gm), ([, alert]) => alert),
  )
})

test('With the SDK that is shown, a collector gets the spans that are listed, with these attributes', async () => {
  const spans: Span[] = []
  const collector = await listening(async (request, response) => {
    const { resourceSpans } = JSON.parse(await text(request)) as Export
    spans.push(...resourceSpans.flatMap((each) => each.scopeSpans.flatMap((scope) => scope.spans)))
    response.setHeader('content-type', 'application/json').end('{}')
  })
  const { url, server } = await startTraced(collector)
  await get(`${url}/api/menu/main`)
  const source = `${url}/admin/menus/api/source?file=main.yaml`
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'text/yaml' }
  const { etag = '' } = (await get(source, { headers })).headers
  const put = { method: 'PUT', headers: { ...headers, 'if-match': etag }, body: menuText('main', 'New') }
  assert.is((await get(source, put)).status, 200)
  assert.is((await get(source, put)).status, 412)
  // All that it has recorded is sent before it has ended.
  assert.is(await server.stop(), 0, server.stderr())
  const nameOf = (name: string): string => name.replace(/^[A-Z]+ \/.*/, 'GET {route}')
  const rows = rowsUnder('span', 'when', 'attributes').map(
    ([name, , attributes = '']) => [plain(name), matches(attributes, /`([\w.]+)`/g)] as const,
  )
  assert.equal([...new Set(spans.map(({ name }) => nameOf(name)))].sort(), rows.map(([name]) => name).sort())
  const sources = textsOf('src').join('\n')
  for (const [name, documented] of rows) {
    const sent = spans.filter((span) => nameOf(span.name) === name).flatMap(({ attributes }) => attributes)
    for (const { key } of sent) assert.ok(documented.includes(key), `${name} has ${key}`)
    for (const key of documented) assert.ok(sources.includes(`'${key}'`), `nothing has ${key}`)
  }
})

test('A service with the SDK that is shown ends as usual, even if there is no collector', async () => {
  const { url, server } = await startTraced('http://127.0.0.1:9')
  assert.is((await get(`${url}/api/menu/main`)).status, 200)
  assert.is(await server.stop(), 0, server.stderr())
})

test('Each incident names an event, a metric or a problem that exists', () => {
  const names = ['event', 'metric'].flatMap((head) =>
    PAGES.flatMap(({ tables }) => tables)
      .filter((table) => table.head[0] === head)
      .flatMap(({ rows }) => rows.flatMap(([cell]) => plain(cell).split(', '))),
  )
  for (const [, , cell = ''] of rowsUnder('what happens', 'what is served', 'what reports it')) {
    for (const name of matches(cell, /`(menu_\w+|[a-z]+_[a-z]+|[a-z]+-[a-z]+)(?:\{.*?\})?`/g))
      assert.ok(names.includes(name) || name in PROBLEM_KINDS, name)
  }
})

testCoverage(test, 'docs/monitoring.md')

test.run()
