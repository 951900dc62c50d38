import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Caller, Headers, Request, Send, World } from './declared-requests.js'
import { changed, drafted, GOOD, json, made, translating, unique } from './declared-requests.js'
import { MENU, NESTED, renamed, textOf } from './managing.js'

export const withQuery = (request: Request, query: string): Request => ({
  ...request,
  path: request.path + (request.path.includes('?') ? '&' : '?') + query,
})
export const withFile = (request: Request, file: string): Request => ({
  ...request,
  path: request.path.replace(/file=[^&]*/, `file=${file}`),
  ...(typeof request.body === 'string' && {
    body: request.body.replace(/"file":"[^"]*"/, `"file":"${file}"`),
  }),
})
export const withHeaders = (request: Request, headers: Headers): Request => ({
  ...request,
  headers: { ...request.headers, ...headers },
})
const without = (request: Request, name: string): Request => ({
  ...request,
  headers: Object.fromEntries(Object.entries(request.headers ?? {}).filter(([key]) => key !== name)),
})
const withBody = (request: Request, members: object): Request => {
  const body: unknown = JSON.parse(String(request.body ?? '{}'))
  return { ...request, ...json(Array.isArray(body) ? members : { ...(body as object), ...members }) }
}

/** How a request that would be done is spoilt, by the code that it is refused with then, and who sends it. Default: edit. */
export const SPOILT: Readonly<
  Record<string, readonly [spoil: (request: Request) => Request, caller?: Caller]>
> = {
  'repeated-parameter': [(request) => withQuery(request, 'dry_run=true&dry_run=true')],
  'malformed-percent': [(request) => withQuery(request, '%')],
  'bad-parameter': [(request) => withQuery(request, 'dry_run=maybe')],
  'bad-host': [(request) => withHeaders(request, { host: 'evil.example' })],
  'internal-error': [(request) => withHeaders(request, { 'x-throw': 'yes' }), 'none'],
  unauthorized: [(request) => request, 'none'],
  'bad-proxy-user': [(request) => withHeaders(request, { 'x-user': ' ' })],
  'reserved-user': [(request) => withHeaders(request, { 'x-user': 'local' })],
  'role-view': [(request) => request, 'view'],
  'cross-site': [(request) => withHeaders(request, { origin: 'http://evil.example' })],
  'bad-csrf-token': [(request) => withHeaders(request, { 'x-csrf-token': 'no' })],
  'bad-key': [(request) => withHeaders(request, { 'idempotency-key': 'x'.repeat(101) })],
  'wrong-content-type': [(request) => withHeaders(request, { 'content-type': 'text/html' })],
  'body-encoded': [(request) => withHeaders(request, { 'content-encoding': 'gzip' })],
  'not-utf8': [(request) => ({ ...request, body: Buffer.from([0x22, 0xff, 0x22]) })],
  'not-json': [(request) => ({ ...request, body: '[' })],
  'too-deep': [(request) => ({ ...request, body: '['.repeat(300) + ']'.repeat(300) })],
  'bad-body': [(request) => ({ ...request, body: '{"versions": 5}' })],
  'body-too-large': [(request) => ({ ...request, body: ' '.repeat(12_000_000) })],
  'missing-parameter': [(request) => ({ ...request, path: request.path.replace(/\?.*/, '') })],
  'bad-path': [(request) => withFile(request, '../x.yaml')],
  'no-file': [(request) => withFile(request, 'none.yaml')],
  'broken-file': [(request) => withFile(request, 'broken.yaml')],
  'version-required': [(request) => without(request, 'if-match')],
  'bad-version': [(request) => withHeaders(request, { 'if-match': 'x' })],
  changed: [(request) => withHeaders(request, { 'if-match': '"0"' })],
  'plan-changed': [(request) => withHeaders(request, { 'if-match': '"0"' })],
  'draft-changed': [(request) => withHeaders(request, { 'if-match': '"99"' })],
  'no-draft': [(request) => ({ ...request, path: request.path.replace(/drafts\/\w+/, 'drafts/none') })],
  'no-version': [(request) => ({ ...request, path: request.path.replace(/history\/\w+/, 'history/none') })],
}

/** A text that can be read and not edited: it has a key twice. */
const withTwice = (text: string): string => `${text}version: 1\n`

/** A file of its own with another text on the disk, which the service has not noticed yet. */
async function spoilt(editor: Send, { site }: World, toText: (text: string) => string) {
  const { file, id } = await changed(editor)
  site.folder.write(`menus/${file}`, toText(textOf(site, file)))
  return { file, id, headers: await tagOf(editor, file) }
}

async function tagOf(send: Send, file: string): Promise<Headers> {
  return { 'if-match': (await send('GET /source', { path: `/source?file=${file}` })).headers['etag'] ?? '' }
}

/** Refusals of single operations. The first of them says what the site has to be like. */
export type Specific = (editor: Send, world: World) => Promise<Request>
const taken = json({ code: 'main' })
const patchOf =
  (operations: unknown): Specific =>
  async (editor, world) => {
    const request = (await GOOD['PATCH /menu']?.(editor, world)) ?? { path: '' }
    return { ...request, ...json(operations) }
  }
const stepOf =
  (operations: unknown): Specific =>
  async (editor) => ({
    path: (await drafted(editor)).path,
    ...json(operations),
  })
const bodyOf =
  (operation: string, members: object): Specific =>
  async (editor, world) =>
    withBody((await GOOD[operation]?.(editor, world)) ?? { path: '' }, members)
/** A publish, or a preview, of a draft whose file got the same field otherwise. */
const conflicting = async (editor: Send): Promise<string> => {
  const { path, file, version } = await drafted(editor)
  const headers = { 'if-match': `"${version}"` }
  await editor('PATCH /menu', { path: `/menu?file=${file}`, ...json(renamed('Theirs')), headers })
  return path
}
const gone = async (editor: Send): Promise<string> => {
  const { path, file, version } = await drafted(editor)
  await editor('DELETE /menu', { path: `/menu?file=${file}`, headers: { 'if-match': `"${version}"` } })
  return path
}
const invalid = async (editor: Send): Promise<string> => {
  const { path } = await drafted(editor)
  await editor('PATCH /drafts/{id}', { path, ...json([{ op: 'remove', path: '/items/0/label' }]) })
  return path
}
const idOf = (path: string): string => path.split('/')[2] ?? ''
export const previewOf = (path: string): Request => ({ path: '/preview', ...json({ draft: idOf(path) }) })
const BAD_ITEM = [{ op: 'remove', path: '/items/0/label' }]
const NO_OPERATION = [{ op: 'remove', path: '/items/9' }]
const TEST = [{ op: 'test', path: '/name', value: 'x' }]
const emptied: Specific = async (editor) => {
  const { file, tag } = await made(editor)
  const body = MENU.replace('code: main', 'code: [')
  return { path: `/source?file=${file}`, body, headers: tag }
}

export const SPECIFIC: Readonly<Record<string, Specific>> = {
  'POST /menus menu-exists': async () => ({ path: '/menus', ...taken }),
  'POST /menus bad-context': bodyOf('POST /menus', { context: [1] }),
  'POST /menus bad-path': bodyOf('POST /menus', { file: '../x.yaml' }),
  'POST /menus changed': bodyOf('POST /menus', { file: 'nested.yaml' }),
  'POST /menus invalid-menu': bodyOf('POST /menus', { code: 'a b' }),
  'POST /menus uncopyable': async (editor, world) => {
    const { file } = await spoilt(editor, world, withTwice)
    return { path: '/menus', ...json({ code: file.slice(0, -5), context: { a: 1 } }) }
  },
  'POST /copy menu-exists': bodyOf('POST /copy', { code: 'main' }),
  'POST /copy bad-context': bodyOf('POST /copy', { context: [1] }),
  'POST /copy bad-path': bodyOf('POST /copy', { to: '../x.yaml' }),
  'POST /copy no-file': bodyOf('POST /copy', { file: 'none.yaml' }),
  'POST /copy changed': bodyOf('POST /copy', { version: '0' }),
  'POST /copy invalid-menu': bodyOf('POST /copy', { code: 'a b' }),
  'POST /copy broken-file': bodyOf('POST /copy', { file: 'broken.yaml' }),
  'POST /copy uncopyable': async (editor, world) => {
    const { file } = await spoilt(editor, world, withTwice)
    return { path: '/copy', ...json({ file, code: unique() }) }
  },
  'PATCH /menu bad-operation': patchOf(NO_OPERATION),
  'PATCH /menu test-failed': patchOf(TEST),
  'PATCH /menu invalid-menu': patchOf(BAD_ITEM),
  'PATCH /menu broken-file': async (editor) => ({
    path: '/menu?file=broken.yaml',
    ...json(renamed('New')),
    headers: await tagOf(editor, 'broken.yaml'),
  }),
  'PATCH /menu uneditable': async (editor, world) => {
    const { file, headers } = await spoilt(editor, world, withTwice)
    return { path: `/menu?file=${file}`, ...json(renamed('New')), headers }
  },
  'PUT /source invalid-menu': emptied,
  'PATCH /drafts/{id} bad-operation': stepOf(NO_OPERATION),
  'PATCH /drafts/{id} test-failed': stepOf(TEST),
  'PATCH /drafts/{id} draft-too-large': stepOf([
    { op: 'replace', path: '/name', value: 'x'.repeat(1_100_000) },
  ]),
  'POST /drafts changed': async (editor) => ({
    path: `/drafts?file=${(await made(editor)).file}&version=none`,
  }),
  'POST /drafts/{id}/undo nothing-to-undo': async (editor) => {
    const { path } = await drafted(editor)
    await editor('POST /drafts/{id}/undo', { path: `${path}/undo` })
    return { path: `${path}/undo` }
  },
  'POST /drafts/{id}/redo nothing-to-redo': async (editor) => ({
    path: `${(await drafted(editor)).path}/redo`,
  }),
  'POST /drafts/{id}/publish conflict': async (editor) => ({ path: `${await conflicting(editor)}/publish` }),
  'POST /drafts/{id}/publish no-file': async (editor) => ({ path: `${await gone(editor)}/publish` }),
  'POST /drafts/{id}/publish invalid-menu': async (editor) => ({ path: `${await invalid(editor)}/publish` }),
  'POST /drafts/{id}/publish bad-path': async (editor) => ({
    path: `${(await drafted(editor)).path}/publish?file=../x.yaml`,
  }),
  'POST /drafts/{id}/publish changed': async (editor) => ({
    path: `${(await drafted(editor)).path}/publish?file=nested.yaml`,
  }),
  'POST /drafts/{id}/resolve changed': bodyOf('POST /drafts/{id}/resolve', { version: '0' }),
  'POST /drafts/{id}/resolve no-file': async (editor) => ({
    path: `${await gone(editor)}/resolve`,
    ...json({ version: '0', choices: {} }),
  }),
  'POST /drafts/{id}/resolve undecided': async (editor) => {
    const path = await conflicting(editor)
    const { version } = (await editor('POST /drafts/{id}/publish', { path: `${path}/publish` })).json() as {
      version: string
    }
    return { path: `${path}/resolve`, ...json({ version, choices: {} }) }
  },
  'POST /drafts/{id}/publish uneditable': async (editor, world) => {
    const { path, file } = await drafted(editor)
    world.site.folder.write(`menus/${file}`, withTwice(textOf(world.site, file)))
    return { path: `${path}/publish` }
  },
  'POST /preview uneditable': async (editor, world) => {
    const { path, file } = await drafted(editor)
    world.site.folder.write(`menus/${file}`, withTwice(textOf(world.site, file)))
    return previewOf(path)
  },
  'POST /restore broken-file': async (editor, world) => {
    const { file, id, headers } = await spoilt(editor, world, () => 'code: [')
    return { path: `/restore?file=${file}`, ...json({ id, pointer: '/items/0' }), headers }
  },
  'POST /restore uneditable': async (editor, world) => {
    const { file, id, headers } = await spoilt(editor, world, (text) =>
      withTwice(text).replace('Sales', 'Offers'),
    )
    return { path: `/restore?file=${file}`, ...json({ id, pointer: '/items/1' }), headers }
  },
  'POST /restore no-version': bodyOf('POST /restore', { id: 'none' }),
  'POST /restore no-item': bodyOf('POST /restore', { pointer: '/items/9' }),
  'POST /restore invalid-menu': async (editor) => {
    const { file, tag } = await made(editor)
    const body = json([{ op: 'replace', path: '/code', value: unique() }])
    await editor('PATCH /menu', { path: `/menu?file=${file}`, ...body, headers: tag })
    // Another menu has its code by now.
    await editor('POST /menus', {
      path: '/menus',
      ...json({ code: file.slice(0, -5), file: `${unique()}.yaml` }),
    })
    const { kept } = (await editor('GET /history', { path: `/history?file=${file}` })).json() as {
      kept: { id: string }[]
    }
    const headers = await tagOf(editor, file)
    return { path: `/restore?file=${file}`, ...json({ id: kept[0]?.id }), headers }
  },
  'POST /restore parent-gone': async (editor) => {
    const { file, tag } = await made(editor, NESTED)
    const patched = await editor('PATCH /menu', {
      path: `/menu?file=${file}`,
      ...json([{ op: 'remove', path: '/items/1' }]),
      headers: tag,
    })
    const { kept } = (await editor('GET /history', { path: `/history?file=${file}` })).json() as {
      kept: { id: string }[]
    }
    const headers = { 'if-match': patched.headers['etag'] ?? '' }
    return {
      path: `/restore?file=${file}`,
      ...json({ id: kept[0]?.id, pointer: '/items/1/children/0' }),
      headers,
    }
  },
  'POST /move same-file': async (editor) => {
    const { file, version } = await made(editor)
    const place = { file, version, pointer: '/items/0' }
    return { path: '/move', ...json({ from: place, to: place }) }
  },
  'POST /move bad-operation': async (editor, world) => {
    const { path, body } = (await GOOD['POST /move']?.(editor, world)) ?? { path: '' }
    const { from, to } = JSON.parse(String(body)) as { from: object; to: object }
    return { path, ...json({ from, to: { ...to, pointer: '/items/9' } }) }
  },
  ...Object.fromEntries(
    Object.entries({
      'broken-file': () => 'code: [',
      'invalid-menu': (text: string) => text.replace('url: /sales', 'routeName: nowhere'),
      uneditable: withTwice,
    }).map(([code, toText]): [string, Specific] => [
      `POST /move ${code}`,
      async (editor, world) => {
        const [{ file, headers }, to] = [await spoilt(editor, world, toText), await made(editor)]
        const version = (headers['if-match'] ?? '').replaceAll('"', '')
        const from = { file, version, pointer: '/items/1' }
        return {
          path: '/move',
          ...json({ from, to: { file: to.file, version: to.version, pointer: '/items/0' } }),
        }
      },
    ]),
  ),
  ...Object.fromEntries(
    Object.entries({
      'no-item': { pointer: '/items/9' },
      changed: { version: '0' },
      'no-file': { file: 'none.yaml' },
      'bad-path': { file: '../x.yaml' },
    }).map(([code, place]): [string, Specific] => [
      `POST /move ${code}`,
      async (editor, world) => {
        const { path, body } = (await GOOD['POST /move']?.(editor, world)) ?? { path: '' }
        const { from, to } = JSON.parse(String(body)) as { from: object; to: object }
        return { path, ...json({ from: { ...from, ...place }, to }) }
      },
    ]),
  ),
  'POST /import bad-path': async (editor, { site }) => {
    const { file } = await made(editor)
    rmSync(join(site.folder.dir, 'menus', file))
    mkdirSync(join(site.folder.dir, 'menus', file))
    const block = { menu: { code: file.slice(0, -5), name: 'X' }, items: [] }
    return { path: '/import?mode=replace', ...json(block) }
  },
  'GET /export no-file': async () => ({ path: '/export?file=none.yaml' }),
  'GET /export bad-path': async () => ({ path: '/export?file=../x.yaml' }),
  'POST /import import-refused': async () => ({ path: '/import', ...json([]) }),
  'POST /import bad-parameter': async () => ({ path: '/import?mode=x', ...json([]) }),
  'POST /import version-required': async () => ({
    path: '/import?mode=replace',
    ...json({ menu: { code: 'main', name: 'X' }, items: [] }),
  }),
  'POST /import changed': async () => ({
    path: '/import?mode=replace',
    ...json({ versions: { 'main.yaml': '0' }, menu: { code: 'main', name: 'X' }, items: [] }),
  }),
  'POST /import invalid-menu': async () => ({
    path: '/import',
    ...json({ menu: { code: unique(), name: 'X' }, items: [{ label: 'X', routeName: 'nowhere' }] }),
  }),
  'GET /translations no-file': async () => ({ path: '/translations?file=none.yaml' }),
  'GET /translations bad-path': async () => ({ path: '/translations?file=../x.yaml' }),
  'POST /translations import-refused': async (editor) => translating(editor, 'none.yaml'),
  'POST /translations invalid-menu': async (editor, world) => {
    const { file } = await spoilt(editor, world, (text) => text.replace('url: /\n', 'routeName: no\n'))
    return translating(editor, file)
  },
  'POST /translations uneditable': async (editor) => {
    const { file, tag } = await made(editor)
    const text = MENU.replace('code: main', `code: ${file.slice(0, -5)}`)
    const body = `${text}#${'x'.repeat(1_048_576 - text.length - 2)}\n`
    await editor('PUT /source', { path: `/source?file=${file}`, body, headers: tag })
    return translating(editor, file)
  },
  'POST /preview no-draft': async () => ({ path: '/preview', ...json({ draft: 'none' }) }),
  'POST /preview no-file': async () => ({ path: '/preview', ...json({ file: 'none.yaml' }) }),
  'POST /preview bad-path': async () => ({ path: '/preview', ...json({ file: '../x.yaml' }) }),
  'POST /preview broken-file': async () => ({ path: '/preview', ...json({ file: 'broken.yaml' }) }),
  'POST /preview conflict': async (editor) => previewOf(await conflicting(editor)),
  'POST /preview invalid-menu': async (editor) => previewOf(await invalid(editor)),
  'POST /preview bad-context-sets': async () => ({
    path: '/preview',
    ...json({ code: 'main', context_sets: 5 }),
  }),
  'POST /preview hook-failed': async () => ({
    path: '/preview',
    ...json({ code: 'main' }),
    headers: { 'x-fail': 'yes' },
  }),
  'GET /explain bad-context-sets': async () => ({ path: '/explain?code=main&context_sets=5' }),
  'GET /explain hook-failed': async () => ({ path: '/explain?code=main', headers: { 'x-fail': 'yes' } }),
  'GET /icon no-icon': async () => ({ path: '/icon?name=own:none' }),
  'POST /session bad-body': async () => ({ path: '/session', ...json({}) }),
  'POST /session wrong-link': async () => ({ path: '/session', ...json({ link: 'none' }) }),
  'POST /session wrong-password': async () => ({ path: '/session', ...json({ user: 'ana', password: 'x' }) }),
}
