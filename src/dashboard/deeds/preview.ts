import { queryLength, toContextKey } from '../../model/context.js'
import { fromClientIcon } from '../../model/icon.js'
import { repeatedKeyAt } from '../../model/json-text.js'
import type { Context } from '../../model/menu.js'
import type { Snapshot } from '../../model/snapshot.js'
import type { TreeNode } from '../../model/tree.js'
import { parseTime } from '../../model/window.js'
import { toPageTree } from '../../render/current.js'
import { type MenuConfig, toMenuConfig } from '../../render/display.js'
import { toMenuHtml } from '../../render/html.js'
import { readContexts } from '../../service/context-sets.js'
import type { ExplainQuery } from '../../service/explain/explain.js'
import type { Explanation } from '../../service/explain/explanation.js'
import { HookError, type MenuRequest, toKeys } from '../../service/hooks.js'
import { toReason } from '../../service/log.js'
import { createMenuService, type MenuService } from '../../service/menu-service.js'
import type { Draft } from '../../store/drafts/read-draft.js'
import { nextTurn } from '../../store/pause.js'
import { toInlineIcon } from '../../web/drawing.js'
import type { Operator } from '../access/operator.js'
import { Refusal } from '../refusal.js'
import { needWritten, readDraft, toEdit } from './drafts.js'
import { needPath } from './faults.js'
import { refusalOf, type Workspace } from './workspace.js'

/** Menus as they are served or would be, and which file of them is wish about. */
interface Subject {
  readonly snapshot: Snapshot
  /** Null where only a code is asked for. */
  readonly file: string | null
  readonly isBlocked: boolean
}

type Query = Omit<ExplainQuery, 'host'>

/** The headers of the operator's request, which hooks see. */
type Headers = MenuRequest['headers']

/** What visitors get, and why. */
export interface Preview {
  /** The file of the menu; null where none answers. */
  readonly file: string | null
  readonly config: MenuConfig
  /** What the endpoint answers. */
  readonly tree: readonly TreeNode[]
  /** What templates render of it. */
  readonly html: string
  /** The same with the drawings of its icons, unfolded even where it begins folded. */
  readonly draw: () => string
  readonly explanation: Explanation
  /** Whether it is of a draft that has errors, and cannot be published before they are corrected. */
  readonly isBlocked: boolean
}

/** Whose menu is asked for, and by whom: `draft`, `file` or `code`. */
export interface PreviewQuery {
  readonly draft?: string
  readonly file?: string
  readonly code?: string
  readonly locale?: string | null
  /** Judged here. Default: those of the file. */
  readonly context_sets?: unknown
  /** Default: whom the request itself would be for. */
  readonly viewer?: { readonly permissions: readonly string[] } | null
  /** In RFC 3339. Default: the present. */
  readonly now?: string | null
}

/**
 * What visitors get of a draft once it is published, or of a menu now.
 *
 * @param isAlone whether a draft that conflicts with its file is shown as it is. Default: it is refused
 */
export async function preview(
  workspace: Workspace,
  operator: Operator,
  headers: Headers,
  wish: PreviewQuery,
  isAlone: boolean = false,
): Promise<Preview> {
  const subject = await toSubject(workspace, operator, wish, isAlone)
  const { snapshot } = subject
  const query = toQuery(workspace, wish, subject)
  const isLive = snapshot === workspace.current()
  const service = isLive ? workspace.service : serviceOver(workspace, snapshot)
  return asVisitor(workspace, headers, query, service, (request) => {
    const { code, locale, contexts, viewer, now = null } = query
    const effective = locale === null ? null : service.toEffectiveLocale(locale)
    const candidates = contexts.map(toContextKey)
    const resolution = service.resolve(request, { code, locale: effective, candidates, viewer, now })
    const { served } = resolution
    const { prefixes, chains } = service.settings
    const chain = chains.get(resolution.locale) ?? []
    const config = toMenuConfig(resolution.code, served, prefixes, chain)
    const tree = service.view(request, resolution, { members: ['id', 'attributes'] })
    const nodes = toPageTree(tree, null)
    const unfolded = { ...config, collapsibleExpanded: true }
    return {
      file: served?.path ?? null,
      config,
      tree: service.view(request, resolution),
      html: toMenuHtml(nodes, { config, label: null }),
      draw: () =>
        toMenuHtml(nodes, { config: unfolded, label: null, toSvg: (icon) => drawIcon(workspace, icon) }),
      explanation: service.explain(request, { ...query, host: {} }),
      isBlocked: subject.isBlocked,
    }
  })
}

/**
 * Why a request gets its menu and its items, as `menuscript explain --json` prints it; files are named from the menus folder.
 * `wish` has the parameters of a query string: `code`, `locale`, `context_sets`, `permissions` and `now`.
 */
export function explain(
  workspace: Workspace,
  headers: Headers,
  wish: ReadonlyMap<string, string>,
): Promise<Explanation> {
  const permissions = wish.get('permissions')
  const viewer = permissions === undefined ? null : { id: null, permissions: toKeys(permissions) }
  const contexts = toContexts(workspace, readSets(wish.get('context_sets') ?? ''))
  const locale = wish.get('locale') || null
  const query = { code: wish.get('code') ?? '', locale, contexts, viewer, now: toNow(wish.get('now')) }
  return asVisitor(workspace, headers, query, workspace.service, (visit) =>
    workspace.service.explain(visit, { ...query, host: {} }),
  )
}

/** The snapshot that a preview is of: with a draft, the one that publishing it would make. */
async function toSubject(
  workspace: Workspace,
  operator: Operator,
  { draft: id, file }: PreviewQuery,
  isAlone: boolean,
): Promise<Subject> {
  const snapshot = workspace.current()
  if (id !== undefined) return ofDraft(workspace, operator, readDraft(workspace, operator, id), isAlone)
  if (file === undefined) return { snapshot, file: null, isBlocked: false }
  const path = needPath(file)
  if (!snapshot.files.some((each) => each.path === path)) throw new Refusal('no-file')
  return { snapshot, file: path, isBlocked: false }
}

/** A draft as it would be served, also where the rules of the project keep it from being published yet. */
async function ofDraft(
  workspace: Workspace,
  operator: Operator,
  draft: Draft,
  isAlone: boolean,
): Promise<Subject> {
  const edits = [toEdit(draft)]
  const { value, fault } = await workspace.publisher.publish(edits, { author: operator.author, isDry: true })
  if (isAlone && fault?.reason === 'conflict') {
    const snapshot = await workspace.store.loadWith(new Map([[draft.path, needWritten(draft)]]))
    return { snapshot, file: draft.path, isBlocked: true }
  }
  if (fault !== null && fault.reason !== 'invalid') throw refusalOf(workspace, operator, edits, fault, true)
  const { files } = fault === null ? value : fault
  const changed = files.filter(({ before, after }) => before !== after)
  const texts = new Map(changed.map(({ path, after }) => [path, after]))
  const snapshot = texts.size === 0 ? workspace.current() : await workspace.store.loadWith(texts)
  const isMenu = snapshot.files.some(({ path, menu }) => path === draft.path && menu !== null)
  if (fault !== null && !isMenu) throw refusalOf(workspace, operator, edits, fault, true)
  return { snapshot, file: draft.path, isBlocked: fault !== null }
}

function toQuery(workspace: Workspace, wish: PreviewQuery, { snapshot, file }: Subject): Query {
  const read = snapshot.files.find(({ path }) => path === file)?.menu ?? null
  const menu = file === null ? null : (read ?? snapshot.served.get(file)?.menu ?? null)
  const { code = menu?.code, locale = null, viewer = null, now } = wish
  if (code === undefined) throw new Refusal('broken-file')
  const { context_sets: sets = menu === null ? [] : [menu.context] } = wish
  const { permissions = [] } = viewer ?? {}
  const query = { code, locale: locale || null, contexts: toContexts(workspace, sets), now: toNow(now) }
  return { ...query, viewer: viewer === null ? null : { id: null, permissions } }
}

/** The time that is asked for; null for the present. */
function toNow(text: string | null = null): number | null {
  if (text === null || text === '') return null
  const now = parseTime(text)
  if (now !== null) return now
  const detail = 'now is a date and time with an offset, such as 2026-12-01T00:00:00+01:00.'
  throw new Refusal('bad-body', {}, detail)
}

/** The contexts that are asked for, within the limits of a menu request. */
function toContexts({ config }: Workspace, sets: unknown): readonly Context[] {
  const { limits } = config.options
  const { value, fault } = readContexts(sets, limits)
  if (fault !== null) throw new Refusal('bad-context-sets', { pointer: fault.pointer }, fault.detail)
  if (queryLength(value) <= limits.query_bytes) return value
  const detail = `The context sets need a query string of more than ${limits.query_bytes} bytes.`
  throw new Refusal('bad-context-sets', {}, detail)
}

/** The value of a text of context sets; null for an empty one. */
export function readSets(text: string): unknown {
  let value: unknown
  try {
    value = text === '' ? null : JSON.parse(text)
  } catch {
    throw new Refusal('bad-context-sets', {}, 'context_sets is not JSON.')
  }
  if (repeatedKeyAt(text) === null) return value
  throw new Refusal('bad-context-sets', {}, 'A context has a key twice.')
}

/** The drawing of an icon, by the name that pages get; null for one that has none. */
function drawIcon({ icons, settings }: Workspace, icon: string): string | null {
  const drawing = icons.get(fromClientIcon(icon, settings.prefixes) ?? '') ?? null
  return drawing && toInlineIcon(drawing)
}

/** The service over other menus, with the same settings and hooks. */
function serviceOver({ service, log }: Workspace, snapshot: Snapshot): MenuService {
  const { settings, policies } = service
  return createMenuService({ current: () => snapshot, settings, policies, log })
}

/** What a request for a menu gets. */
async function asVisitor<Outcome>(
  { log }: Workspace,
  headers: Headers,
  { code }: Query,
  service: MenuService,
  answer: (request: MenuRequest) => Outcome,
): Promise<Outcome> {
  // Half a character of a JSON text cannot be encoded.
  const url = `${service.settings.api.path_prefix}/${encodeURIComponent(Buffer.from(code).toString())}`
  const request: MenuRequest = { url, headers, params: {} }
  try {
    await nextTurn()
    await service.prepare(request)
    return answer(request)
  } catch (thrown) {
    if (!(thrown instanceof HookError)) throw thrown
    const { hook } = thrown
    log.warn('preview_failed', { hook, reason: toReason(thrown) })
    throw new Refusal('hook-failed', { hook })
  }
}
