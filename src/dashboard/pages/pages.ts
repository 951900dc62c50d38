import { directionOf } from '../../model/direction.js'
import { toLabelText } from '../../model/label.js'
import { labelChain } from '../../model/locale.js'
import { localeName, toLanguageNames } from '../../model/locale-name.js'
import { toPlainName } from '../../model/plain-name.js'
import { toAdvice } from '../../model/problem.js'
import { allows, type Role } from '../../service/hooks.js'
import { neededLocales } from '../../service/project-rules.js'
import { nextTurn } from '../../store/pause.js'
import { readForm } from '../../web/body.js'
import { NOT_FOUND, READ_METHODS, wantsHtml } from '../../web/problem-json.js'
import { noteRoute } from '../../web/tracing.js'
import { SIGN_IN_PATH } from '../access/access.js'
import { PASSWORD_PATH } from '../access/accounts.js'
import { hasSession } from '../access/operator.js'
import { CSRF_FIELD, isRead } from '../access/same-origin.js'
import { countChanges, marksOf } from '../deeds/draft-changes.js'
import { stateOf } from '../deeds/edited-menu.js'
import { describePermissions } from '../deeds/viewers.js'
import { storageOf } from '../deeds/workspace.js'
import type { DoorDeps, Entrance, Visit as Request } from '../door.js'
import { BY_FIELD, keepForm, MAX_KEPT } from '../forms/kept-form.js'
import { toShownTrouble } from '../forms/trouble.js'
import type { Call, Fields, Page, PageReply, Visit } from '../page.js'
import { attempt, Refusal } from '../refusal.js'
import type { Reply } from '../routes/call.js'
import type { Texts } from '../texts/language.js'
import { textsFor } from '../texts/language.js'
import type { Assets } from './assets.js'
import { editorPage } from './editor/editor-page.js'
import { itemPage } from './editor/item-page.js'
import { otherVersionPage } from './editor/other-version-page.js'
import { placePage } from './editor/place-page.js'
import { reviewPage } from './editor/review-page.js'
import { settingsPage } from './editor/settings-page.js'
import { takeOverPage } from './editor/take-over-page.js'
import { translatePage } from './editor/translate-page.js'
import { whoPage } from './editor/who-page.js'
import { errorPage } from './error-page.js'
import { deletePage } from './files/delete-page.js'
import { exportPage } from './files/export-page.js'
import { historyPage } from './files/history-page.js'
import { importPage } from './files/import-page.js'
import { previewPage } from './files/preview-page.js'
import { textPage } from './files/text-page.js'
import { translationsPage } from './files/translations-page.js'
import { keysPage } from './keys-page.js'
import { plainValue } from './menu-rows.js'
import { menusPage } from './menus-page.js'
import { newMenuPage } from './new-menu-page.js'
import { oidcPages } from './oidc-pages.js'
import { passwordPage } from './password-page.js'
import { createPathTo } from './path-to.js'
import { createJudge, problemsPage } from './problems-page.js'
import { proposalsPage } from './proposals-page.js'
import { render } from './render.js'
import { signInPage, signOutPage } from './sign-in-page.js'
import { timesIn } from './times.js'
import { usersPage } from './users-page.js'

/** The addresses that every page has in it. */
type Addresses = Omit<Assets, 'answer'>

/** Bytes of a form. */
const MAX_FORM = 65_536

/** The way in for people: which page has which path, and what is around all of them. */
export function createPages(
  { workspace, access, bodies }: DoorDeps,
  { preview, ...addresses }: Addresses,
): Entrance<Fields> {
  const { config, current, home, icons, proposals } = workspace
  const to = createPathTo(home)
  const signIn = `${home}${SIGN_IN_PATH}`
  const { locales } = workspace.settings
  const needed = neededLocales(config.options.lint.rules, locales)
  const judge = createJudge(workspace, config.options.lint.rules)
  const pages = new Map<string, Page>([
    ['', menusPage(workspace)],
    [SIGN_IN_PATH, signInPage(access, home)],
    ['/sign-out', signOutPage(access, home, signIn)],
    [PASSWORD_PATH, passwordPage(access, home)],
    ['/users', usersPage(access, home)],
    ['/new', newMenuPage(workspace)],
    ['/keys', keysPage()],
    ['/problems', problemsPage(workspace, judge)],
    ['/edit', editorPage(workspace)],
    ['/item', itemPage(workspace)],
    ['/who', whoPage(workspace)],
    ['/place', placePage(workspace, 'here')],
    ['/transfer', placePage(workspace, 'elsewhere')],
    ['/settings', settingsPage(workspace)],
    ['/translate', translatePage(workspace)],
    ['/take-over', takeOverPage(workspace)],
    ['/other-version', otherVersionPage(workspace)],
    ['/review', reviewPage(workspace)],
    ['/history', historyPage(workspace)],
    ['/delete', deletePage(workspace)],
    ['/import', importPage(workspace)],
    ['/export', exportPage(workspace)],
    ['/translations', translationsPage(workspace)],
    ['/preview', previewPage(workspace, preview)],
    ['/text', textPage(workspace)],
    ...oidcPages(access, home),
    ...(proposals === null ? [] : [['/proposals', proposalsPage(workspace)] as const]),
  ])
  /** What publishes directly, where that is not wanted. */
  const closed = new Set(
    proposals?.isOnlyWay === true
      ? ['/new', '/delete', '/import', '/text', '/history'].map((path) => pages.get(path))
      : [],
  )

  /** What is around the content of every page. */
  const frameOf = ({ operator, t: all }: Visit, page: Page | undefined): object => {
    const canWrite = storageOf(workspace).writable
    const isOnlyWay = proposals?.isOnlyWay === true
    const t = isOnlyWay ? { ...all, editor: { ...all.editor, review: all.proposals.review } } : all
    return {
      ...addresses,
      ...{ home, to },
      t,
      operator,
      may: (needed: Role) => operator !== null && allows(operator.role, needed),
      isEndable: operator !== null && hasSession(operator),
      manages: operator !== null && hasSession(operator) && allows(operator.role, 'manage'),
      csrf: operator?.csrf ?? '',
      counts: operator === null ? null : judge(current()).counts,
      current: 'menus',
      ...{ hasProposals: proposals !== null, canPublish: !isOnlyWay, maxForm: page?.maxForm ?? MAX_FORM },
      adviceOn: toAdvice,
      hasIcons: icons.size > 0,
      glyphOf: (name: string) =>
        icons.get(name) ? `${home}/api/icon?${new URLSearchParams({ name })}` : null,
      localeName: (locale: string) =>
        localeName(t.lang, locale).replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()),
      languageList: (all: readonly string[]) => toLanguageNames(all, t.lang),
      ...{ directionOf, defaultLocale: locales.defaultLocale, hasLanguages: locales.locales.length > 1 },
      plain: toPlainName,
      plainValue: (value: string) => plainValue(value, t),
      isNeeded: (locale: string) => needed.includes(locale),
      isEachNeeded: locales.locales.every((locale) => needed.includes(locale)),
      localeOf: ({ label }: { readonly label?: unknown }) =>
        toLabelText(label, labelChain(t.lang, locales)).locale,
      saysOf: (key: string) =>
        toLabelText(workspace.settings.permissions?.get(key) ?? '', labelChain(t.lang, locales)),
      areDeclared: (keys: readonly string[]) =>
        keys.every((key) => workspace.settings.permissions?.has(key) ?? true),
      needsOf: (keys: readonly string[]) =>
        t.fill(t.openPages.needs, { permissions: describePermissions(workspace.settings, keys, t.lang) }),
      timesIn: (sentence: string, isDay = false) => timesIn(sentence, t.lang, isDay),
      menuName: (file: string) => current().served.get(file)?.menu.name ?? file,
      isServed: (file: string) => current().served.has(file),
      readOnly:
        operator && !allows(operator.role, 'edit')
          ? t.readOnly.role
          : !canWrite
            ? t.readOnly.storage
            : closed.has(page)
              ? t.proposals.only
              : null,
    }
  }
  const toReply = async (visit: Visit, page: Page | undefined, reply: PageReply): Promise<Reply> => {
    if (wantsJson(visit.request) && !('write' in reply)) return toJson(visit.t, reply)
    if ('location' in reply)
      return { location: reply.location, ...(reply.headers && { headers: reply.headers }) }
    if ('write' in reply) {
      const disposition = { 'content-disposition': `attachment; filename="${reply.fileName}"` }
      const { request } = visit
      return { stream: (response, headers) => reply.write(request, response, { ...headers, ...disposition }) }
    }
    const { template, model, trouble = {}, headers = trouble.problem?.headers } = reply
    const { status, ...shown } = toShownTrouble(visit.t, trouble)
    await nextTurn()
    const html = render(template, { ...frameOf(visit, page), ...shown, ...model })
    return { html, status: reply.status ?? status, headers: { 'content-language': visit.t.lang, ...headers } }
  }

  const readBarred = async ({ request, response, operator }: Request): Promise<Fields | null> => {
    const room = operator === null ? bodies.ofStranger(request, response) : bodies.of(operator, response)
    return (await readForm(request, MAX_KEPT, room)).value
  }

  return {
    methodsOf: (path) => {
      const page = pages.get(path)
      return page === undefined ? [] : page.submit === undefined ? READ_METHODS : [...READ_METHODS, 'POST']
    },
    find: ({ request, path }) => {
      const page = pages.get(path)
      if (page === undefined) throw new Refusal(NOT_FOUND)
      noteRoute(request, `${home}${path}`)
      const isReading = isRead(request)
      const { maxForm = MAX_FORM } = page
      const submitRole = page.role && (page.submitRole ?? (allows(page.role, 'edit') ? page.role : 'edit'))
      return {
        role: isReading ? page.role : submitRole,
        readBody: isReading ? null : (room) => readForm(request, maxForm, room),
        tokenIn: (form) => form?.get(CSRF_FIELD) ?? null,
        run: async (came, form) => {
          // The door lets only operators in where the page has a role.
          const call = toVisit(came) as Call
          const reply = form === null ? page.show(call) : page.submit?.(call, form)
          return toReply(call, page, (await reply) as PageReply)
        },
      }
    },
    refuse: async (came, problem, read) => {
      const { request, path, operator } = came
      const visit = toVisit(came)
      const page = pages.get(path)
      const [isHtml, isReading] = [wantsHtml(request), isRead(request)]
      const isUnknown = problem.code === 'unauthorized'
      if (isHtml && isReading && isUnknown) return toReply(visit, undefined, toSignIn(visit, signIn, home))
      // Somebody who may not send a form gets it shown again.
      const isBarred = isUnknown || problem.code === 'role-view'
      const form = isBarred && isHtml && !isReading ? await readBarred(came) : read
      const { url = home } = request
      // Somebody else may be signed in by now, who neither sees nor sends it.
      const isOwn = [undefined, operator?.id].includes(read?.get(BY_FIELD))
      if (read !== null && isOwn && page?.role != null && !wantsJson(request)) {
        const { value: again } = await attempt(() => page.refused?.(visit as Call, read, problem))
        if (again) return toReply(visit, page, again)
      }
      if (!isHtml) return problem
      const isLost = isReading || (operator === null && !isUnknown)
      const sent = isLost ? null : keepForm(url, form)
      return toReply(visit, undefined, errorPage(visit, problem, isReading ? url : null, sent))
    },
  }
}

/** Whether the script of a page sends a form: it shows the result without loading a page. */
function wantsJson({ headers }: Visit['request']): boolean {
  return headers.accept === 'application/json'
}

/** What the script of a page has to know of a form: the state of the draft after it. Throws why it was refused. */
function toJson(t: Texts, reply: Exclude<PageReply, { readonly fileName: string }>): Reply {
  if ('location' in reply) {
    const { draft } = reply
    if (!draft) return { value: { state: null, changes: 0 } }
    return { value: { state: stateOf(draft), changes: countChanges(draft), marks: marksOf(draft) } }
  }
  const { model, trouble = {} } = reply
  const { errors, status } = toShownTrouble(t, trouble)
  const detail = errors[0]?.text ?? model.title
  throw new Refusal({ status: reply.status ?? status, code: 'form-refused', detail })
}

function toVisit({ request, query, operator }: Request): Visit {
  return { request, query: toFields(query), t: textsFor(request), operator }
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
