import type { IncomingMessage, ServerResponse } from 'node:http'
import { toAdvice } from '../../model/problem.js'
import { done, failed, type Result } from '../../model/result.js'
import type { Log } from '../../service/log.js'
import { readForm } from '../../web/body.js'
import { sendCompressed } from '../../web/compressed.js'
import { answerFailure } from '../../web/failure.js'
import {
  type HttpProblem,
  hasMethod,
  METHOD_NOT_ALLOWED,
  NOT_FOUND,
  READ_METHODS,
  sendProblem,
  sendSeeOther,
  sendText,
  toAllow,
  wantsHtml,
} from '../../web/problem-json.js'
import { type Access, READ_ONLY, SIGN_IN_PATH } from '../access/access.js'
import type { Bodies } from '../access/bodies.js'
import type { Operator } from '../access/operator.js'
import { CSRF_FIELD, isRead } from '../access/same-origin.js'
import { storageOf } from '../api/editing.js'
import { toThrownProblem } from '../api/thrown.js'
import { editorPage } from './editor/editor-page.js'
import { itemPage } from './editor/item-page.js'
import { placePage } from './editor/place-page.js'
import { reviewPage } from './editor/review-page.js'
import { settingsPage } from './editor/settings-page.js'
import { transferPage } from './editor/transfer-page.js'
import { errorPage } from './error-page.js'
import { deletePage } from './files/delete-page.js'
import { exportPage } from './files/export-page.js'
import { historyPage } from './files/history-page.js'
import { importPage } from './files/import-page.js'
import { previewPage } from './files/preview-page.js'
import { textPage } from './files/text-page.js'
import { keysPage } from './keys-page.js'
import { textsFor } from './language.js'
import { localeName } from './locale-name.js'
import { menusPage } from './menus-page.js'
import { newMenuPage } from './new-menu-page.js'
import type { Answered, Fields, Page, PageReply, Visit } from './page.js'
import { createJudge, problemsPage } from './problems-page.js'
import { render } from './render.js'
import type { Shown } from './shown.js'
import { signInPage, signOutPage } from './sign-in-page.js'

export interface PagesDeps extends Shown {
  readonly access: Access
  readonly bodies: Bodies
  readonly log: Log
}

/** The addresses that every page has in it. */
interface Addresses {
  readonly home: string
  readonly style: string
  readonly script: string
  readonly mark: string
}

/** Answers a request for a page; `path` is what is behind the prefix. */
type ShowPage = (request: IncomingMessage, response: ServerResponse, path: string, query: string) => void

/** Bytes of a form. */
const MAX_FORM = 65_536
const PAGE_METHODS = [...READ_METHODS, 'POST']

/** Who may see which page, and what is around all of them. */
export function createPages(deps: PagesDeps, addresses: Addresses): ShowPage {
  const { config, access, bodies, current, editing, log } = deps
  const { home } = addresses
  const signIn = `${home}${SIGN_IN_PATH}`
  const judge = createJudge(config.options.lint.rules)
  const pages = new Map<string, Page>([
    ['', menusPage(deps, home)],
    [SIGN_IN_PATH, signInPage(access, home)],
    ['/sign-out', signOutPage(access, home, signIn)],
    ['/new', newMenuPage(deps, home)],
    ['/keys', keysPage()],
    ['/problems', problemsPage(deps, judge)],
    ['/edit', editorPage(deps, home)],
    ['/item', itemPage(deps, home)],
    ['/place', placePage(deps, home)],
    ['/transfer', transferPage(deps, home)],
    ['/settings', settingsPage(deps, home)],
    ['/review', reviewPage(deps, home)],
    ['/history', historyPage(deps, home)],
    ['/delete', deletePage(deps, home)],
    ['/import', importPage(deps, home)],
    ['/export', exportPage(deps)],
    ['/preview', previewPage(deps, home)],
    ['/text', textPage(deps, home)],
  ])

  const answer = async (
    visit: Visit,
    response: ServerResponse,
    page: Page | undefined,
    { value: operator, fault }: Result<Operator, HttpProblem>,
  ): Promise<Answered> => {
    const { request } = visit
    if (fault !== null && fault.status !== 401) return failed(fault)
    if (page === undefined) return failed(NOT_FOUND)
    const methods = page.submit === undefined ? READ_METHODS : PAGE_METHODS
    if (!methods.includes(request.method ?? ''))
      return failed({ ...METHOD_NOT_ALLOWED, headers: { allow: toAllow(methods) } })
    if (page.role === null) {
      if (isRead(request)) return page.show(visit)
      const room = bodies.ofStranger(request, response)
      const { value: form, fault: badForm } = await readForm(request, MAX_FORM, room)
      return badForm === null ? page.submit(visit, form) : failed(badForm)
    }
    if (fault !== null)
      return isRead(request) && wantsHtml(request) ? done(toSignIn(visit, signIn, home)) : failed(fault)
    const role = isRead(request) ? page.role : (page.submitRole ?? 'edit')
    if (role === 'edit' && operator.role === 'view') return failed(READ_ONLY)
    const call = { ...visit, operator }
    if (isRead(request)) return page.show(call)
    const room = bodies.of(operator, response)
    const { value: form, fault: badForm } = await readForm(request, page.maxForm ?? MAX_FORM, room)
    const { submit, refused } = page
    if (badForm !== null || submit === undefined) return failed(badForm ?? METHOD_NOT_ALLOWED)
    const barred = access.judgeWrite(request, operator, form.get(CSRF_FIELD) ?? null)
    const taken = barred === null ? await attempt(request, () => submit(call, form)) : failed(barred)
    return (taken.fault && refused?.(call, form, taken.fault)) ?? taken
  }
  const attempt = async (
    request: IncomingMessage,
    work: () => ReturnType<Page['show']>,
  ): Promise<Answered> => {
    try {
      return await work()
    } catch (thrown) {
      return failed(toThrownProblem(log, request, thrown))
    }
  }

  /** What is around the content of every page. */
  const frameOf = ({ operator, t }: Visit, maxForm: number): object => {
    const canWrite = storageOf(editing).writable
    return {
      ...addresses,
      t,
      operator,
      csrf: operator?.csrf ?? '',
      counts: operator === null ? null : judge(current()).counts,
      current: null,
      maxForm,
      adviceOn: toAdvice,
      localeName: (locale: string) => localeName(t.lang, locale),
      isServed: (file: string) => current().served.has(file),
      readOnly: operator?.role === 'view' ? t.readOnly.role : canWrite ? null : t.readOnly.storage,
    }
  }
  const send = async (
    visit: Visit,
    response: ServerResponse,
    reply: PageReply,
    maxForm: number = MAX_FORM,
  ): Promise<void> => {
    const { request, operator, t } = visit
    const renewed = operator?.cookie ? { 'set-cookie': operator.cookie } : {}
    if ('location' in reply) {
      sendSeeOther(response, reply.location, { ...renewed, ...reply.headers })
      return
    }
    if ('json' in reply) {
      const disposition = `attachment; filename="${reply.fileName}"`
      const headers = { ...renewed, 'content-disposition': disposition }
      sendText(request, response, reply.json, { type: 'application/json', headers })
      return
    }
    const { template, model, status = 200, headers } = reply
    const html = render(template, { ...frameOf(visit, maxForm), ...model })
    const own = { ...renewed, 'content-language': t.lang, ...headers }
    await sendCompressed(request, response, html, { status, type: 'text/html; charset=utf-8', headers: own })
  }
  const show = async (
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    query: string,
  ): Promise<void> => {
    const found = await access.operatorOf(request, 'view')
    const visit = { request, query: toFields(query), t: textsFor(request), operator: found.value }
    const refuse = async (fault: HttpProblem): Promise<void> => {
      if (wantsHtml(request))
        await send(visit, response, errorPage(visit.t, fault, isRead(request) ? (request.url ?? null) : null))
      else sendProblem(request, response, fault)
    }
    try {
      const page = pages.get(path)
      const { value: reply, fault } = await answer(visit, response, page, found)
      if (response.destroyed) return
      await (fault === null ? send(visit, response, reply, page?.maxForm) : refuse(fault))
    } catch (thrown) {
      const fault = toThrownProblem(log, request, thrown)
      if (response.headersSent) response.destroy()
      else await refuse(fault)
    }
  }
  return (request, response, path, query) => {
    if (request.method === 'OPTIONS') return void hasMethod(request, response, PAGE_METHODS)
    show(request, response, path, query).catch((thrown: unknown) =>
      answerFailure(log, request, response, thrown),
    )
  }
}

function toSignIn({ request, t }: Visit, signIn: string, home: string): PageReply {
  const { url = home, headers } = request
  // The cookie is strict: behind a link on another site, browsers send it only once a page of ours goes on.
  if (headers['sec-fetch-site'] === 'cross-site')
    return { template: 'returning', model: { title: t.returning.title, here: url } }
  return { location: url === home ? signIn : `${signIn}?${new URLSearchParams({ next: url })}` }
}

function toFields(query: string): Fields {
  const fields = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(query)) if (!fields.has(name)) fields.set(name, value)
  return fields
}
