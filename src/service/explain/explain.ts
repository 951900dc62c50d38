import { type Locale, lookUpLocale, toLocale } from '../../model/locale.js'
import type { Context } from '../../model/menu.js'
import type { ServedMenu } from '../../model/menu-index.js'
import type { Snapshot } from '../../model/snapshot.js'
import { permits } from '../../model/visibility.js'
import { negotiate } from '../accept-language.js'
import type { AskedHooks } from '../ask-hooks.js'
import type { MenuRequest, Policies, Viewer } from '../hooks.js'
import type { PathGenerator } from '../paths.js'
import { hostLocaleOf } from '../request-locale.js'
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
  /** The name under which a file of the menus folder is told. Default: its path in that folder. */
  readonly fileOf?: (path: string) => string
}

/** What an explanation is made of. */
export interface ExplainInputs {
  readonly request: MenuRequest
  readonly query: ExplainQuery
  readonly resolution: Resolution
  readonly snapshot: Snapshot
  readonly settings: Settings
  readonly policies: Policies
  readonly hooks: AskedHooks
  readonly pathOf: PathGenerator
}

/** Explains a resolution down to each item. It decides nothing of its own: the rules are those that the doors use. */
export function explain(inputs: ExplainInputs): Explanation {
  const { request, query, resolution, snapshot, settings, policies, hooks, pathOf } = inputs
  const { code, locale, served, candidate, viewer } = resolution
  const { fileOf = (path) => path } = query
  const held = new Set(viewer.permissions)
  return {
    code: { asked: query.code, resolved: code, why: whyCode(query.code, code, policies) },
    locale: {
      asked: query.locale,
      effective: locale,
      why: whyLocale(query.locale, locale, inputs),
    },
    viewer: { id: viewer.id, permissions: viewer.permissions, why: whyViewer(query, policies) },
    candidates: explainCandidates(snapshot, code, query.contexts, candidate, fileOf),
    menu: served === null ? null : toExplainedMenu(served, fileOf),
    notes: explainWithheld(snapshot, code, candidate, fileOf),
    items:
      served === null
        ? []
        : explainItems({
            asked: { request, served, locale, host: query.host },
            viewer,
            settings,
            canSee: (item) =>
              policies.canView === undefined ? permits(item, held) : hooks.canView(item, viewer, request),
            hooks: {
              canView: policies.canView !== undefined,
              generatePath: policies.generatePath !== undefined,
            },
            pathOf,
          }),
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
    : 'the hook resolveViewer told from the request'
}

function whyLocale(asked: string | null, effective: Locale, inputs: ExplainInputs): string {
  const { request, settings, policies, hooks } = inputs
  const { locales } = settings.locales
  const fallback = `none of the locales ${locales.join(', ')}, so the default locale answers`
  if (asked !== null) {
    if (toLocale(asked) === effective) return 'as asked'
    return lookUpLocale(asked, locales) === null
      ? `${asked} was asked for, and is ${fallback}`
      : `${asked} was asked for, and ${effective} is the nearest of the locales`
  }
  if (policies.resolveLocale !== undefined) {
    const said = hooks.locale(request)
    if (said === null) return 'the hook resolveLocale failed, so the default locale answers'
    const known = lookUpLocale(said, locales) !== null
    return known
      ? `the hook resolveLocale said ${said}`
      : `the hook resolveLocale said ${said}, which is ${fallback}`
  }
  const tag = hostLocaleOf(request)
  if (tag !== null) {
    const isKnown = lookUpLocale(tag, locales) !== null
    return isKnown
      ? `the request has the locale ${tag}`
      : `the request has the locale ${tag}, which is ${fallback}`
  }
  const header = request.headers['accept-language']
  if (typeof header !== 'string') return 'none was asked for, so the default locale answers'
  return negotiate(header, locales) === null
    ? `Accept-Language: ${header}, ${fallback}`
    : `Accept-Language: ${header}`
}
