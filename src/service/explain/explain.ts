import { lookUpLocale, toLocale } from '../../model/locale.js'
import type { Context } from '../../model/menu.js'
import type { ServedMenu } from '../../model/select.js'
import type { Snapshot } from '../../model/snapshot.js'
import type { AskedHooks } from '../ask-hooks.js'
import type { MenuRequest, Policies, Viewer } from '../hooks.js'
import type { PathGenerator } from '../paths.js'
import { negotiate } from '../request-locale.js'
import type { Resolution } from '../resolution.js'
import type { Settings } from '../settings.js'
import { explainCandidates, explainWithheld } from './candidates.js'
import type { ExplainedMenu, Explanation } from './explanation.js'
import { explainItems } from './items.js'

/** What is to be explained: the words of a request, as it was sent. */
export interface ExplainQuery {
  readonly code: string
  /** The tag as the client named it; null where it named none. */
  readonly locale: string | null
  /** In the order of the request; `{}` is no context. */
  readonly contexts: readonly Context[]
  /** For whom; null asks the hook `resolveViewer`. */
  readonly viewer: Viewer | null
  /** Route parameters of the page that is rendered; the endpoint has none. */
  readonly host: Readonly<Record<string, unknown>>
  /** The name under which a file of the menus folder is reported. Default: its path in that folder. */
  readonly fileOf?: (path: string) => string
}

/** What an explanation is made of. */
export interface ExplainInputs {
  readonly request: MenuRequest
  readonly query: ExplainQuery
  readonly resolution: Resolution
  readonly snapshot: Snapshot
  readonly settings: Settings
  readonly hooks: AskedHooks
  readonly pathOf: PathGenerator
}

/** Explains a resolution down to each item. It decides nothing of its own: the rules are those that the doors use. */
export function explain(inputs: ExplainInputs): Explanation {
  const { request, query, resolution, snapshot, settings, hooks, pathOf } = inputs
  const { code, locale, served, candidate, viewer } = resolution
  const { fileOf = (path) => path } = query
  const { policies } = hooks
  return {
    code: { asked: query.code, resolved: code, why: whyCode(query.code, code, policies) },
    locale: {
      asked: query.locale,
      effective: locale,
      why: whyLocale(query.locale, resolution, settings),
    },
    viewer: { id: viewer.id, permissions: viewer.permissions, why: whyViewer(query, policies) },
    candidates: explainCandidates(snapshot, code, query.contexts, candidate, fileOf),
    menu: served === null ? null : toExplainedMenu(served, fileOf),
    notes: explainWithheld(snapshot, code, candidate, fileOf),
    items:
      served === null
        ? []
        : explainItems({ request, served, locale, host: query.host, viewer, settings, hooks, pathOf }),
  }
}

function toExplainedMenu(
  { menu, path, version, stale }: ServedMenu,
  fileOf: (path: string) => string,
): ExplainedMenu {
  return { path: fileOf(path), line: menu.line, name: menu.name, context: menu.context, version, stale }
}

function whyCode(asked: string, resolved: string, { resolveMenuCode }: Policies): string {
  if (resolveMenuCode === undefined) return 'as asked'
  return asked === resolved ? 'the hook resolveMenuCode left it' : 'the hook resolveMenuCode chose it'
}

function whyViewer({ viewer }: ExplainQuery, { resolveViewer }: Policies): string {
  if (viewer !== null) return 'as given'
  return resolveViewer === undefined
    ? 'nobody: there is no hook resolveViewer'
    : 'the hook resolveViewer answered from the request'
}

function whyLocale(
  asked: string | null,
  { locale, localeSource, localeSaid }: Resolution,
  { locales: { locales } }: Settings,
): string {
  const fallback = `none of the locales ${locales.join(', ')}, so the default locale answers`
  const said = asked ?? localeSaid
  if (said === null) {
    const what = localeSource === 'hook' ? 'the hook resolveLocale failed' : 'none was asked for'
    return `${what}, so the default locale answers`
  }
  const isKnown = (localeSource === 'header' ? negotiate : lookUpLocale)(said, locales) !== null
  switch (localeSource) {
    case 'asked':
      if (toLocale(said) === locale) return 'as asked'
      return `${said} was asked for, and ${isKnown ? `${locale} is the nearest of the locales` : `is ${fallback}`}`
    case 'hook':
      return `the hook resolveLocale returned ${said}${isKnown ? '' : `, which is ${fallback}`}`
    case 'host':
      return `the request has the locale ${said}${isKnown ? '' : `, which is ${fallback}`}`
    case 'header':
      return `Accept-Language: ${said}${isKnown ? '' : `, ${fallback}`}`
  }
}
