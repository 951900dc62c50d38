// Run as a script, in a process that was started with --import. Prints the spans of some requests to a service, as lists by what
// was done, from the tracer provider that was registered before the service was opened.

import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node'
import type { HttpOptions } from '../support/http.js'
import { menuText, openSite } from './sites.js'

/** What a span says. */
export interface PrintedSpan {
  readonly name: string
  readonly kind: string
  /** `UNSET` or `ERROR`. */
  readonly status: string
  readonly trace: string
  readonly id: string
  readonly parent: string | null
  readonly milliseconds: number
  readonly attributes: Readonly<Record<string, unknown>>
}

const exporter = new InMemorySpanExporter()
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
provider.register()

const TOKEN = 'a-token-of-at-least-thirty-two-characters'
const ADMIN = { authorization: `Bearer ${TOKEN}` }
const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const MENUS = { 'main.yaml': menuText('main', 'Home'), 'other.yaml': menuText('other', 'Other') }
const policies = `
  export const prepareRequest = async ({ url }) => {
    if (url.includes('wait')) await new Promise((resolve) => setTimeout(resolve, 500))
  }
  export const resolveMenuCode = (request, code) => {
    if (code === 'broken') throw new Error('no')
    return code === 'alias' ? 'main' : code
  }`
const options = { policies, adminToken: TOKEN, hasDashboard: true }

const printed: Record<string, readonly PrintedSpan[]> = {}
const site = await openSite(MENUS, options)
const { revision } = (await site.ask('/readyz')).json() as { revision: string }
exporter.reset()

/** Sends a request, and notes the spans of it. */
async function note(name: string, path: string, asked: HttpOptions = {}): Promise<void> {
  await site.ask(path, asked).catch(() => {})
  // A response ends for its client a moment before it is closed.
  for (let turn = 0; turn < 200 && !exporter.getFinishedSpans().some(isServer); turn++)
    await new Promise((resolve) => setTimeout(resolve, 5))
  printed[name] = exporter.getFinishedSpans().map(toPrinted)
  exporter.reset()
}

await note('menu', '/api/menu/alias?_locale=en', { headers: { traceparent: TRACEPARENT } })
await note('bad', '/api/menu/main?_locale=%')
await note('failed', '/api/menu/broken')
await note('left', '/api/menu/main?wait', { within: 100 })
await note('none', 'http://menus.example/nowhere?a=b')
await note('health', '/livez')
await note('two hosts', '/livez', { headers: ['Host', 'a', 'Host', 'b'] })
await note('method', '/livez', { method: 'PROPFIND' })
await note('page', '/admin/menus/sign-in?link=secret')
await note('draft', '/admin/menus/api/drafts/none/undo', { method: 'POST', headers: ADMIN })
site.folder.write('menus/main.yaml', menuText('main', 'Changed'))
await note('reload', '/-/reload', { method: 'POST', headers: ADMIN })
const text = menuText('main', 'Published')
const source = '/admin/menus/api/source?file=main.yaml'
const { etag } = (await site.ask(source, { headers: ADMIN })).headers
exporter.reset()
const put = {
  method: 'PUT',
  headers: { ...ADMIN, 'content-type': 'text/yaml', 'if-match': etag },
  body: text,
}
await note('publish', source, put)
await note('refused', source, put)
await site.close()

const outer = trace.getTracer('test').startActiveSpan('outer', async (span) => {
  const within = await openSite(MENUS, options)
  await within.ask('/api/menu/main')
  await within.close()
  span.end()
})
await outer
printed['outer'] = exporter.getFinishedSpans().map(toPrinted)
console.log(JSON.stringify({ revision, printed }))

function isServer({ kind }: ReadableSpan): boolean {
  return kind === SpanKind.SERVER
}

function toPrinted(span: ReadableSpan): PrintedSpan {
  const { name, kind, status, attributes, parentSpanContext, duration } = span
  const { traceId, spanId } = span.spanContext()
  return {
    ...{ name, kind: SpanKind[kind], status: SpanStatusCode[status.code], attributes },
    ...{ trace: traceId, id: spanId, parent: parentSpanContext?.spanId ?? null },
    milliseconds: duration[0] * 1_000 + duration[1] / 1_000_000,
  }
}
