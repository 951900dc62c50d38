import { lookUpLocale, toLocale } from '../../model/locale.js'
import type { Context } from '../../model/menu.js'
import type { ServedMenu } from '../../model/select.js'
import type { Snapshot } from '../../model/snapshot.js'
import type { HookCalls } from '../hook-calls.js'
import type { Viewer } from '../hooks.js'
import { negotiate } from '../request-locale.js'
import type { Resolution } from '../resolution.js'
import type { Settings } from '../settings.js'
import { explainCandidates, explainWithheld } from './candidates.js'
import { explainItems } from './explain-items.js'
import type { Explanation } from './explanation.js'
import type { ItemsRequest } from './path.js'

/** What is to be explained: the words of a request, as it was sent. */
export interface ExplainQuery {
  readonly code: string
  /** The tag as the client named it; null where it named none. */
  readonly locale: string | null
  /** In the order of the request; `{}` is no context. */
  readonly contexts: readonly Context[]
  /** For whom; null asks the hook `resolveViewer`. */
  readonly viewer: Viewer | null
  /** When, in milliseconds since 1970. Default: now. */
  readonly now?: number | null
  /** Route parameters of the page that is rendered; the endpoint has none. */
  readonly host: Readonly<Record<string, unknown>>
  /** The name under which a file of the menus folder is reported. Default: its path in that folder. */
  readonly fileOf?: (path: string) => string
}

/** What an explanation is made of. */
export interface ExplainInputs extends Pick<ItemsRequest, 'request' | 'settings' | 'hooks' | 'pathOf'> {
  readonly query: ExplainQuery
  readonly resolution: Resolution
  readonly snapshot: Snapshot
}

/** Explains a resolution down to each item. It decides nothing of its own: the rules are those that the doors use. */
export function explain(inputs: ExplainInputs): Explanation {
  const { request, query, resolution, snapshot, settings, hooks, pathOf } = inputs
  const { code, locale, served, candidate, viewer, now } = resolution
  const { host, fileOf = (path) => path } = query
  const held = new Set(viewer.permissions)
  const forWhom = { request, locale, host, viewer, held, settings, hooks, pathOf }
  return {
    asOf: query.now == null ? null : new Date(now).toISOString(),
    code: { asked: query.code, resolved: code, why: whyCode(query, code, hooks) },
    locale: { asked: query.locale, effective: locale, why: whyLocale(query, resolution, settings) },
    viewer: { id: viewer.id, permissions: viewer.permissions, why: whyViewer(query, hooks) },
    candidates: explainCandidates(snapshot, code, query.contexts, { winner: candidate, now }, fileOf),
    menu: served === null ? null : toExplainedMenu(served, fileOf),
    notes: explainWithheld(snapshot, code, candidate, fileOf),
    items: served === null ? [] : explainItems({ ...forWhom, served }),
  }
}

function toExplainedMenu(served: ServedMenu, fileOf: (path: string) => string): Explanation['menu'] {
  const { menu, path, version, stale } = served
  return { path: fileOf(path), line: menu.line, name: menu.name, context: menu.context, version, stale }
}

function whyCode({ code: asked }: ExplainQuery, resolved: string, { policies }: HookCalls): string {
  if (policies.resolveMenuCode === undefined) return 'as requested'
  return asked === resolved
    ? 'the hook resolveMenuCode did not change it'
    : 'the hook resolveMenuCode chose it'
}

function whyViewer({ viewer }: ExplainQuery, { policies }: HookCalls): string {
  if (viewer !== null) return 'as given'
  return policies.resolveViewer === undefined
    ? 'there is no hook resolveViewer'
    : 'from the hook resolveViewer'
}

function whyLocale(
  { locale: asked }: ExplainQuery,
  { locale, localeSource, localeSaid }: Resolution,
  { locales: { locales } }: Settings,
): string {
  const said = asked ?? localeSaid
  if (said === null) {
    const what = localeSource === 'hook' ? 'the hook resolveLocale failed' : 'none was requested'
    return `${what}, so the default locale applies`
  }
  const isKnown = (localeSource === 'header' ? negotiate : lookUpLocale)(said, locales) !== null
  const fallback = `none of the locales ${locales.join(', ')}, so the default locale applies`
  switch (localeSource) {
    case 'asked':
      if (toLocale(said) === locale) return 'as requested'
      return `${said} was requested, and ${isKnown ? `${locale} is the closest of the locales` : `is ${fallback}`}`
    case 'hook':
      return `the hook resolveLocale returned ${said}${isKnown ? '' : `, which is ${fallback}`}`
    case 'host':
      return `the request has the locale ${said}${isKnown ? '' : `, which is ${fallback}`}`
    case 'header':
      return `Accept-Language: ${said}${isKnown ? '' : `, ${fallback}`}`
  }
}
