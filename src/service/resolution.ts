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
}

/** Which menu answers, in which language, and why. */
export interface Resolution extends Selection, RequestLocale {
  /** After the code resolver. */
  readonly code: string
  /** Who asks. */
  readonly viewer: Viewer
}

/** Resolves a request against one snapshot. Throws HookError when a hook does not give the code or the viewer. */
export function resolve(
  { index }: Snapshot,
  hooks: HookCalls,
  request: MenuRequest,
  query: MenuQuery,
  localeOf: LocaleOf,
): Resolution {
  const code = hooks.menuCode(request, query.code, index)
  const { served, candidate } = selectMenu(index, code, query.candidates)
  const { locale, localeSource, localeSaid } = localeOf(request, query.locale)
  const viewer = query.viewer ?? hooks.viewer(request)
  return { code, locale, localeSource, localeSaid, served, candidate, viewer }
}
