import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import type { OpenSite } from '../http/sites.js'
import type { HttpAnswer } from '../support/http.js'
import { MENU, renamed } from './managing.js'

export type Headers = Readonly<Record<string, string>>
/** A request for an endpoint, whose path has its query. */
export interface Request {
  readonly path: string
  readonly body?: string | Uint8Array
  readonly headers?: Headers
}
export type Caller = 'none' | 'view' | 'edit' | 'manage' | 'token'
/** One who calls: sends a request of an operation, and answers what came. */
export type Send = (operation: string, request: Request) => Promise<HttpAnswer>

export interface World {
  readonly site: OpenSite
  readonly as: (caller: Caller) => Send
}

export const json = (value: unknown): Pick<Request, 'body'> => ({ body: JSON.stringify(value) })
export const unique = (): string => `m${randomUUID().slice(0, 8)}`

/** Makes a menu file of its own. */
export async function made(
  send: Send,
  text?: string,
): Promise<{ file: string; version: string; tag: Headers }> {
  const code = unique()
  const file = `${code}.yaml`
  const menu = text ?? MENU
  const answer = await send('PUT /source', {
    path: `/source?file=${file}`,
    body: menu.replace('code: main', `code: ${code}`),
    headers: { 'if-none-match': '*' },
  })
  const { etag = '' } = answer.headers
  assert.is(answer.status, 201, answer.text)
  return { file, version: etag.replaceAll('"', ''), tag: { 'if-match': etag } }
}
/** Starts a draft of a file of its own, with one step. */
export async function drafted(send: Send): Promise<{ path: string; file: string; version: string }> {
  const { file, version } = await made(send)
  const { id } = (await send('POST /drafts', { path: `/drafts?file=${file}` })).json() as { id: string }
  const path = `/drafts/${id}`
  await send('PATCH /drafts/{id}', { path, ...json(renamed('Mine')) })
  return { path, file, version }
}
export async function changed(send: Send): Promise<{ file: string; id: string; tag: Headers }> {
  const { file, tag } = await made(send)
  const { headers } = await send('PATCH /menu', {
    path: `/menu?file=${file}`,
    ...json(renamed('New')),
    headers: tag,
  })
  const { kept } = (await send('GET /history', { path: `/history?file=${file}` })).json() as {
    kept: { id: string }[]
  }
  return { file, id: kept[0]?.id ?? '', tag: { 'if-match': headers['etag'] ?? '' } }
}

/** An import of another text for the last item of a menu, after its dry run. */
export async function translating(editor: Send, file: string): Promise<Request> {
  const body = `file,key,field,source,en\n${file},/link:Sales,label,Sales,Offers\n`
  const headers = { 'content-type': 'text/csv' }
  const dry = await editor('POST /translations', { path: '/translations?dry_run=true', body, headers })
  return { path: '/translations', body, headers: { ...headers, 'if-match': dry.headers['etag'] ?? '"0"' } }
}

/** For each operation a request that is done; `editor` makes what it needs. */
export const GOOD: Readonly<Record<string, (editor: Send, world: World) => Request | Promise<Request>>> = {
  'GET /session': () => ({ path: '/session' }),
  'POST /session': (_, { site }) => ({ path: '/session', ...json({ link: site.link().split('link=')[1] }) }),
  'DELETE /session': () => ({ path: '/session' }),
  'GET /menus': () => ({ path: '/menus' }),
  'POST /menus': () => ({ path: '/menus', ...json({ code: unique() }) }),
  'POST /copy': () => ({ path: '/copy', ...json({ file: 'main.yaml', code: unique() }) }),
  'GET /menu': () => ({ path: '/menu?file=main.yaml' }),
  'PATCH /menu': async (editor) => {
    const { file, tag } = await made(editor)
    return { path: `/menu?file=${file}`, ...json(renamed('New')), headers: tag }
  },
  'DELETE /menu': async (editor) => {
    const { file, tag } = await made(editor)
    return { path: `/menu?file=${file}`, headers: tag }
  },
  'GET /source': () => ({ path: '/source?file=main.yaml' }),
  'PUT /source': async (editor) => {
    const { file, tag } = await made(editor)
    const body = MENU.replace('code: main', `code: ${file.slice(0, -5)}`).replace('Sales', 'Offers')
    return { path: `/source?file=${file}`, body, headers: tag }
  },
  'GET /drafts': () => ({ path: '/drafts' }),
  'POST /drafts': async (editor) => ({ path: `/drafts?file=${(await made(editor)).file}` }),
  'GET /drafts/{id}': async (editor) => ({ path: (await drafted(editor)).path }),
  'PATCH /drafts/{id}': async (editor) => ({ path: (await drafted(editor)).path, ...json(renamed('More')) }),
  'DELETE /drafts/{id}': async (editor) => ({ path: (await drafted(editor)).path }),
  'POST /drafts/{id}/undo': async (editor) => ({ path: `${(await drafted(editor)).path}/undo` }),
  'POST /drafts/{id}/redo': async (editor) => {
    const { path } = await drafted(editor)
    await editor('POST /drafts/{id}/undo', { path: `${path}/undo` })
    return { path: `${path}/redo` }
  },
  'POST /drafts/{id}/publish': async (editor) => ({ path: `${(await drafted(editor)).path}/publish` }),
  'POST /drafts/{id}/resolve': async (editor) => {
    const { path, version } = await drafted(editor)
    return { path: `${path}/resolve`, ...json({ version, choices: {} }) }
  },
  'POST /drafts/{id}/propose': async (editor) => ({
    path: `${(await drafted(editor)).path}/propose`,
    ...json({ title: 'X' }),
  }),
  'GET /proposals': () => ({ path: '/proposals' }),
  'POST /proposals/draft': () => ({
    path: '/proposals/draft',
    ...json({ branch: 'menus/ana/x', file: 'main.yaml' }),
  }),
  'GET /history': () => ({ path: '/history?file=main.yaml' }),
  'GET /history/{id}': async (editor) => {
    const { id, file } = await changed(editor)
    return { path: `/history/${id}?file=${file}` }
  },
  'POST /restore': async (editor) => {
    const { file, id, tag } = await changed(editor)
    return { path: `/restore?file=${file}`, ...json({ id }), headers: tag }
  },
  'POST /move': async (editor) => {
    const [from, to] = [await made(editor), await made(editor)]
    const place = ({ file, version }: typeof from) => ({ file, version, pointer: '/items/0' })
    return { path: '/move', ...json({ from: place(from), to: place(to) }) }
  },
  'GET /export': () => ({ path: '/export' }),
  'POST /import': () => ({
    path: '/import',
    ...json({ menu: { code: unique(), name: 'X' }, items: [{ label: 'X', externalUrl: '/' }] }),
  }),
  'GET /translations': () => ({ path: '/translations' }),
  'POST /translations': async (editor) => translating(editor, (await made(editor)).file),
  'GET /events': () => ({ path: '/events' }),
  'POST /preview': () => ({ path: '/preview', ...json({ code: 'main' }) }),
  'GET /explain': () => ({ path: '/explain?code=main' }),
  'GET /problems': () => ({ path: '/problems' }),
  'GET /icons': () => ({ path: '/icons' }),
  'GET /icon': () => ({ path: '/icon?name=own:dot' }),
  'GET /routes': () => ({ path: '/routes' }),
}
