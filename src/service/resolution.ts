import type { ContextKey } from '../model/context.js'
import type { Locale } from '../model/locale.js'
import { type Selection, selectMenu } from '../model/select.js'
import type { Snapshot } from '../model/snapshot.js'
import type { HookCalls } from './hook-calls.js'
import type { MenuRequest, Viewer } from './hooks.js'
import type { LocaleOf, RequestLocale } from './request-locale.js'

/** What a request asks for. */
export interface MenuQuery {
  /** The code as the client named it, before the code resolver. */
  readonly code: string
  /** The effective locale where the client named one; null: the request's own. */
  readonly locale: Locale | null
  readonly candidates: readonly ContextKey[]
  /** For whom, where that is known already. Default: by the hook. */
  readonly viewer?: Viewer | null
  /** The time of the request, in milliseconds since 1970. Default: the present. */
  readonly now?: number | null
}

/** Which menu answers, in which language, and why. */
export interface Resolution extends Selection, RequestLocale {
  /** After the code resolver. */
  readonly code: string
  /** Who asks. */
  readonly viewer: Viewer
  /** The time of the request, in milliseconds since 1970. */
  readonly now: number
}

/** Resolves a request against one snapshot. Throws HookError when a hook does not give the code or the viewer. */
export function resolve(
  { index }: Snapshot,
  hooks: HookCalls,
  request: MenuRequest,
  query: MenuQuery,
  localeOf: LocaleOf,
  clock: () => number,
): Resolution {
  const code = hooks.menuCode(request, query.code, index)
  const now = query.now ?? clock()
  const { served, candidate, until } = selectMenu(index, code, query.candidates, now)
  const { locale, localeSource, localeSaid } = localeOf(request, query.locale)
  const viewer = query.viewer ?? hooks.viewer(request)
  return { code, locale, localeSource, localeSaid, served, candidate, until, now, viewer }
}
