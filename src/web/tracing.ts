import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Attributes, Context, Span, Tracer } from '@opentelemetry/api'
import type { Result } from '../model/result.js'
import { splitTarget } from './target.js'

/** What spans are made with. */
interface Tracing {
  readonly api: typeof import('@opentelemetry/api')
  readonly tracer: Tracer
  /** In which context each request of our own server is answered: that of its span. */
  readonly contexts: WeakMap<IncomingMessage, Context>
}

/** Null where nobody records spans. There is one for the process, as there is one tracer provider. */
let tracing: Tracing | null = null

const NAME = 'menuscript'

/**
 * Traces from now on, if the program was started with an OpenTelemetry SDK that registered a tracer provider. The API alone is
 * nothing to go by: our Prometheus client depends on it. It takes 20 ms to load, so it is left alone in a process that nothing was
 * loaded into before its program.
 */
export async function openTracing(): Promise<void> {
  const started = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].join(' ')
  if (tracing !== null || !/(?:^|\s)(?:--import|--require|-r)\b/.test(started)) return
  const api = await import('@opentelemetry/api').catch(() => null)
  const provider = api?.trace.getTracerProvider()
  if (!api || !provider) return
  if (provider instanceof api.ProxyTracerProvider && provider.getDelegateTracer(NAME) === undefined) return
  tracing = { api, tracer: provider.getTracer(NAME), contexts: new WeakMap() }
}

/**
 * Begins the span of a request, which ends with its response (Semantic Conventions for HTTP spans). If an instrumentation of
 * Node's server has begun one already, that is the span of the request.
 */
export function beginSpan(request: IncomingMessage, response: ServerResponse): void {
  if (tracing === null) return
  const { api, tracer, contexts } = tracing
  const outer = api.context.active()
  if (api.trace.getSpan(outer)?.isRecording()) return void contexts.set(request, outer)
  // Node refuses unknown methods. Queries may have a one-time link.
  const { method = '', url = '/', headers } = request
  const asked = { 'http.request.method': method, 'url.path': splitTarget(url).path, 'url.scheme': 'http' }
  const parent = api.propagation.extract(api.ROOT_CONTEXT, headers)
  const span = tracer.startSpan(method, { kind: api.SpanKind.SERVER, attributes: asked }, parent)
  contexts.set(request, api.trace.setSpan(parent, span))
  response.once('close', () => {
    const { headersSent, statusCode } = response
    if (headersSent) span.setAttribute('http.response.status_code', statusCode)
    if (!headersSent) span.setAttribute('error.type', 'client_closed')
    else if (statusCode >= 500) fail(api, span, String(statusCode))
    span.end()
  })
}

/** The same listener, whose work belongs to the spans of its requests. */
export function traced(answer: RequestListener): RequestListener {
  if (tracing === null) return answer
  const { api, contexts } = tracing
  return (request, response) =>
    api.context.with(contexts.get(request) ?? api.ROOT_CONTEXT, answer, undefined, request, response)
}

/** Says which route a request has, such as `/api/menu/{code}`. */
export function noteRoute(request: IncomingMessage, route: string): void {
  if (tracing === null) return
  spanOf(tracing, request)?.updateName(`${request.method} ${route}`).setAttribute('http.route', route)
}

/** Says which menu a request gets, and of which snapshot. */
export function noteMenu(request: IncomingMessage, code: string, revision: string): void {
  if (tracing === null) return
  spanOf(tracing, request)?.setAttributes({ 'menu.code': code, 'menu.revision': revision })
}

/** Records what began at a time, in milliseconds since 1970, and ends now. */
export function recordSpan(name: string, begun: number, attributes: Attributes): void {
  tracing?.tracer.startSpan(name, { startTime: new Date(begun), attributes }).end()
}

/** Does something within a span, which says why it was refused. */
export async function inSpan<Made extends Result<unknown, { readonly reason: string }>>(
  name: string,
  attributes: Attributes,
  work: () => Promise<Made>,
): Promise<Made> {
  if (tracing === null) return work()
  const { api, tracer } = tracing
  return tracer.startActiveSpan(name, { attributes }, async (span) => {
    try {
      const made = await work()
      if (made.fault !== null) fail(api, span, made.fault.reason)
      return made
    } finally {
      span.end()
    }
  })
}

function spanOf({ api, contexts }: Tracing, request: IncomingMessage): Span | undefined {
  return api.trace.getSpan(contexts.get(request) ?? api.ROOT_CONTEXT)
}

function fail({ SpanStatusCode }: Tracing['api'], span: Span, type: string): void {
  span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR })
}
