import { toContextKey } from '../../model/context.js'
import { isMap, type RawMap } from '../../model/json.js'
import { repeatedKeyAt } from '../../model/json-text.js'
import type { Context } from '../../model/menu.js'
import { done, failed, type Result } from '../../model/result.js'
import type { Snapshot } from '../../model/snapshot.js'
import type { TreeNode } from '../../model/tree.js'
import { toPageTree } from '../../render/current.js'
import { type MenuConfig, toMenuConfig } from '../../render/display.js'
import { toMenuHtml } from '../../render/html.js'
import { readContexts } from '../../service/context-sets.js'
import type { ExplainQuery } from '../../service/explain/explain.js'
import type { Explanation } from '../../service/explain/explanation.js'
import { HookError, type MenuRequest, toKeys } from '../../service/hooks.js'
import { toReason } from '../../service/log.js'
import { createMenuService, type MenuService } from '../../service/menu-service.js'
import type { HttpProblem } from '../../web/problem-json.js'
import { type Answered, badBody, type Call, type Endpoints, JSON_TYPES, judgeFile } from './call.js'
import { toEdit } from './drafts.js'
import { type Editing, publish } from './editing.js'
import { problemOf } from './faults.js'

/** The endpoints for what visitors get, and why. */
export function previewEndpoints(editing: Editing): Endpoints {
  return {
    '/preview': { POST: { role: 'view', types: JSON_TYPES, answer: (call) => preview(editing, call) } },
    '/explain': { GET: { role: 'view', answer: (call) => explain(editing, call) } },
  }
}

/** Menus as they are served or would be, and which file of them is asked about. */
interface Subject {
  readonly snapshot: Snapshot
  /** Null where only a code is asked for. */
  readonly file: string | null
}

type Asked = Omit<ExplainQuery, 'host'>

/** What visitors get, and why. */
export interface Preview {
  /** The file of the menu; null where none answers. */
  readonly file: string | null
  readonly config: MenuConfig
  /** What the endpoint answers. */
  readonly tree: readonly TreeNode[]
  /** What templates render of it. */
  readonly html: string
  readonly explanation: Explanation
}

/**
 * What visitors get of a draft once it is published, or of a menu now:
 * `{draft | file | code, locale?, context_sets?, viewer?: {permissions}}`. Without context sets, those of the file; without a
 * viewer or a locale, what the request itself would get.
 */
export async function preview(editing: Editing, call: Call): Promise<Answered> {
  const body = isMap(call.body) ? call.body : {}
  const { value: subject, fault } = await toSubject(editing, call, body)
  if (fault !== null) return failed(fault)
  const { snapshot } = subject
  const { value: query, fault: badQuery } = readAsked(editing, body, subject)
  if (badQuery !== null) return failed(badQuery)
  const isLive = snapshot === editing.current()
  const service = isLive ? editing.service : serviceOver(editing, snapshot)
  return asVisitor(editing, call.request, query, service, (request) => {
    const { code, locale, contexts, viewer } = query
    const effective = locale === null ? null : service.toEffectiveLocale(locale)
    const candidates = contexts.map(toContextKey)
    const resolution = service.resolve(request, { code, locale: effective, candidates, viewer })
    const { served } = resolution
    const { prefixes, chains } = service.settings
    const chain = chains.get(resolution.locale) ?? []
    const config = toMenuConfig(resolution.code, served, prefixes, chain)
    const tree = service.view(request, resolution, { members: ['id', 'attributes'] })
    const previewed: Preview = {
      file: served?.path ?? null,
      config,
      tree: service.view(request, resolution),
      html: toMenuHtml(toPageTree(tree, null), { config, label: null }),
      explanation: service.explain(request, { ...query, host: {} }),
    }
    return previewed
  })
}

/** Why a request gets its menu and its items, as `menuscript explain --json` prints it; files are named from the menus folder. */
async function explain(editing: Editing, { query, request }: Call): Promise<Answered> {
  const code = query.get('code')
  if (code === undefined) return failed(NO_CODE)
  const { value: sets, fault: notJson } = readSets(query.get('context_sets') ?? '')
  if (notJson !== null) return failed(notJson)
  const { value: contexts, fault } = toContexts(editing, sets)
  if (fault !== null) return failed(fault)
  const permissions = query.get('permissions')
  const viewer = permissions === undefined ? null : { id: null, permissions: toKeys(permissions) }
  const asked = { code, locale: query.get('locale') || null, contexts, viewer }
  return asVisitor(editing, request, asked, editing.service, (visit) =>
    editing.service.explain(visit, { ...asked, host: {} }),
  )
}

/** The snapshot that a preview is of: with a draft, the one that publishing it would make. */
async function toSubject(
  editing: Editing,
  { operator }: Call,
  { draft: id, file, code }: RawMap,
): Promise<Result<Subject, HttpProblem>> {
  const snapshot = editing.current()
  if (typeof id === 'string') {
    const draft = editing.drafts.read(id, operator.id)
    if (draft === null) return failed(problemOf('no-draft'))
    const { value, fault } = await publish(editing, [toEdit(draft)], {
      operator,
      isDry: true,
      action: 'publish',
    })
    if (fault !== null) return failed(fault)
    const changed = value.files.filter(({ before, after }) => before !== after)
    const { judge, snapshotWith } = editing.store
    const judged = changed.map(({ path, after }) => [path, after && judge(after)] as const)
    const next = changed.length === 0 ? editing.current() : snapshotWith(new Map(judged))
    return done({ snapshot: next, file: draft.path })
  }
  if (typeof file === 'string') {
    const { value: path, fault } = judgeFile(file)
    if (fault !== null) return failed(fault)
    const isKnown = snapshot.files.some((each) => each.path === path)
    return isKnown ? done({ snapshot, file: path }) : failed(problemOf('no-file'))
  }
  return typeof code === 'string' ? done({ snapshot, file: null }) : failed(NO_SUBJECT)
}

function readAsked(editing: Editing, body: RawMap, { snapshot, file }: Subject): Result<Asked, HttpProblem> {
  const read = snapshot.files.find(({ path }) => path === file)?.menu ?? null
  const menu = file === null ? null : (read ?? snapshot.served.get(file)?.menu ?? null)
  const { code = menu?.code, locale = null, viewer = null } = body
  if (code === undefined) return failed(problemOf('broken-file'))
  const { context_sets: sets = menu === null ? [] : [menu.context] } = body
  const permissions = viewer === null ? [] : isMap(viewer) && viewer['permissions']
  if (typeof code !== 'string' || !(locale === null || typeof locale === 'string') || !areTexts(permissions))
    return failed(NO_SUBJECT)
  const { value: contexts, fault } = toContexts(editing, sets)
  if (fault !== null) return failed(fault)
  const asked = { code, locale: locale || null, contexts }
  return done({ ...asked, viewer: viewer === null ? null : { id: null, permissions } })
}

function areTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

function toContexts({ config }: Editing, sets: unknown): Result<readonly Context[], HttpProblem> {
  const { value, fault } = readContexts(sets, config.options.limits)
  if (fault === null) return done(value)
  return failed(problemOf('bad-context-sets', { pointer: fault.pointer }, fault.detail))
}

/** The value of a text of context sets; null for an empty one. */
export function readSets(text: string): Result<unknown, HttpProblem> {
  try {
    const value: unknown = text === '' ? null : JSON.parse(text)
    if (repeatedKeyAt(text) === null) return done(value)
  } catch {
    return failed(problemOf('bad-context-sets', {}, 'context_sets is not JSON.'))
  }
  return failed(problemOf('bad-context-sets', {}, 'A context has a key twice.'))
}

/** The service over other menus, with the same settings and hooks. */
function serviceOver({ service, log }: Editing, snapshot: Snapshot): MenuService {
  const { settings, policies } = service
  return createMenuService({ current: () => snapshot, settings, policies, log })
}

/** Answers what a request for a menu gets; hooks see the headers of the operator. */
async function asVisitor(
  { log }: Editing,
  { headers }: Call['request'],
  { code }: Asked,
  service: MenuService,
  answer: (request: MenuRequest) => object,
): Promise<Answered> {
  // Half a character of a JSON text cannot be encoded.
  const url = `${service.settings.api.path_prefix}/${encodeURIComponent(Buffer.from(code).toString())}`
  const request: MenuRequest = { url, headers, params: {} }
  try {
    await service.prepare(request)
    return done({ value: answer(request) })
  } catch (thrown) {
    if (!(thrown instanceof HookError)) throw thrown
    const { hook } = thrown
    log.warn('preview_failed', { hook, reason: toReason(thrown) })
    return failed(problemOf('hook-failed', { hook }))
  }
}

const NO_CODE = problemOf('missing-parameter', { parameter: 'code' }, 'The request needs ?code=.')
const NO_SUBJECT = badBody(
  'The body needs "draft", "file" or "code", and may have "locale", "context_sets" and "viewer": {"permissions": [text]}.',
)
