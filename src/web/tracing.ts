import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Attributes, Context, Span, Tracer } from '@opentelemetry/api'
import { splitTarget } from './target.js'

/** What a span says, by the names of the Semantic Conventions, or by ours, which begin with `menu.`. */
export type SpanAttributes = Attributes

/** What spans are made with. */
interface Tracing {
  readonly api: typeof import('@opentelemetry/api')
  readonly tracer: Tracer
  /** In which context each request of our own server is answered: that of its span. */
  readonly contexts: WeakMap<IncomingMessage, Context>
}

/** Null where nobody records spans. There is one for the process, as there is one tracer provider. */
let tracing: Tracing | null = null

/** The methods that a span may be named after; others would be names without number. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH']
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
  const { method = '', url = '/', headers } = request
  const isKnown = METHODS.includes(method)
  const attributes: Attributes = {
    'http.request.method': isKnown ? method : '_OTHER',
    ...(!isKnown && { 'http.request.method_original': method }),
    'url.scheme': 'http',
    // Queries may have a one-time link.
    'url.path': splitTarget(url).path,
  }
  const parent = api.propagation.extract(api.ROOT_CONTEXT, headers)
  const span = tracer.startSpan(toName(method), { kind: api.SpanKind.SERVER, attributes }, parent)
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
  const span = spanOf(tracing, request)
  span?.setAttribute('http.route', route)
  span?.updateName(`${toName(request.method)} ${route}`)
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

/** Does something within a span; `toAttributes` says what came of it, with an `error.type` where it failed. */
export async function inSpan<Made>(
  name: string,
  work: () => Promise<Made>,
  toAttributes: (made: Made) => Attributes,
): Promise<Made> {
  if (tracing === null) return work()
  const { api, tracer } = tracing
  return tracer.startActiveSpan(name, async (span) => {
    try {
      const made = await work()
      const { 'error.type': fault, ...attributes } = toAttributes(made)
      span.setAttributes(attributes)
      if (fault !== undefined) fail(api, span, String(fault))
      return made
    } catch (thrown) {
      fail(api, span, thrown instanceof Error ? thrown.name : '_OTHER')
      throw thrown
    } finally {
      span.end()
    }
  })
}

function spanOf({ api, contexts }: Tracing, request: IncomingMessage): Span | undefined {
  const context = contexts.get(request)
  return context && api.trace.getSpan(context)
}

function fail({ SpanStatusCode }: Tracing['api'], span: Span, type: string): void {
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

function toName(method = ''): string {
  return METHODS.includes(method) ? method : 'HTTP'
}
