import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { runProcess } from '../support/process.js'
import { programOf } from '../support/programs.js'
import type { PrintedSpan } from './tracing.program.js'

type Printed = Readonly<Record<string, readonly PrintedSpan[]>>

/** A program that is started with something loaded before it, as an SDK is. */
const { stdout, stderr } = await runProcess('node', programOf('http/tracing.program.ts'), {
  env: { NODE_OPTIONS: '--import data:text/javascript,0' },
})
assert.match(stdout, /^\{/, stderr)
const { revision, printed } = JSON.parse(stdout) as { readonly revision: string; readonly printed: Printed }

/** The only span of what was done. */
function spanOf(name: string): PrintedSpan {
  const [span, ...others] = printed[name] ?? []
  assert.equal(others, [], name)
  assert.ok(span, name)
  return span
}

/** The span with this name among those of what was done. */
function spanNamed(done: string, name: string): PrintedSpan {
  const span = printed[done]?.find((each) => each.name === name)
  assert.ok(span, `${done} has no span ${name}`)
  return span
}

test('A request for a menu has one span with its route, menu and revision, in the trace of its client', () => {
  const { name, kind, status, trace, parent, attributes } = spanOf('menu')
  assert.equal([name, kind, status], ['GET /api/menu/{code}', 'SERVER', 'UNSET'])
  assert.equal([trace, parent], ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'])
  assert.equal(attributes, {
    'http.request.method': 'GET',
    'url.scheme': 'http',
    'url.path': '/api/menu/alias',
    'http.route': '/api/menu/{code}',
    // As the hook resolved it.
    'menu.code': 'main',
    'menu.revision': revision,
    'http.response.status_code': 200,
  })
})

test('A span is an error if the service failed, and not if the request was wrong', () => {
  const { status, attributes } = spanOf('failed')
  assert.equal(
    [status, attributes['http.response.status_code'], attributes['error.type']],
    ['ERROR', 500, '500'],
  )
  const bad = spanOf('bad')
  assert.equal([bad.name, bad.status], ['GET /api/menu/{code}', 'UNSET'])
  assert.equal([bad.attributes['http.response.status_code'], 'error.type' in bad.attributes], [400, false])
})

test('A request whose client leaves before the answer has no status', () => {
  const { status, attributes } = spanOf('left')
  assert.equal([status, attributes['error.type']], ['UNSET', 'client_closed'])
  assert.not('http.response.status_code' in attributes)
})

test('Spans are named after routes, never after what a client chose', () => {
  const names = ['none', 'health', 'two hosts', 'method', 'page', 'draft'].map((name) => spanOf(name).name)
  assert.equal(names, [
    'GET',
    'GET /livez',
    'GET',
    'PROPFIND /livez',
    'GET /admin/menus/sign-in',
    'POST /admin/menus/api/drafts/{id}/undo',
  ])
})

test('No span has a query, which may have a one-time link', () => {
  assert.not.match(JSON.stringify(printed), /secret|a=b|_locale/)
  assert.is(spanOf('none').attributes['url.path'], '/nowhere')
})

test('A reload and a publish have spans within that of their request', () => {
  const posted = spanNamed('reload', 'POST /-/reload')
  const reload = spanNamed('reload', 'menuscript.reload')
  assert.equal([reload.trace, reload.parent, reload.kind], [posted.trace, posted.id, 'INTERNAL'])
  assert.is(reload.attributes['menu.files'], 2)
  assert.match(String(reload.attributes['menu.revision']), /^[0-9a-f]{32}$/)
  assert.is.not(reload.attributes['menu.revision'], revision)
  const put = spanNamed('publish', 'PUT /admin/menus/api/source')
  const publish = spanNamed('publish', 'menuscript.publish')
  assert.equal([publish.trace, publish.parent, publish.status], [put.trace, put.id, 'UNSET'])
  assert.equal(publish.attributes, { 'menu.files': 1 })
  assert.is(spanNamed('publish', 'menuscript.reload').parent, publish.id)
})

test('A publish that is refused is an error with its reason', () => {
  const { status, attributes } = spanNamed('refused', 'menuscript.publish')
  assert.equal([status, attributes['error.type']], ['ERROR', 'changed'])
})

test('A request that has a span already, from an instrumentation of the server, gets no second one', () => {
  const { kind, name, attributes } = spanOf('outer')
  assert.equal([kind, name, attributes['menu.code']], ['INTERNAL', 'GET /api/menu/{code}', 'main'])
})

test.run()
