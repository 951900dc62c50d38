import { toClientIcon } from '../../model/icon.js'
import { toLabelText } from '../../model/label.js'
import { type Locale, parentsOf } from '../../model/locale.js'
import { childrenOf, type Label, type MenuItem } from '../../model/menu.js'
import { NOWHERE, type RoutedItem, toHref } from '../../model/tree.js'
import { type Fate, type JudgedItem, judgeItems } from '../../model/visibility.js'
import type { AskedHooks } from '../ask-hooks.js'
import type { Viewer } from '../hooks.js'
import type { PathGenerator, PathRequest } from '../paths.js'
import type { Settings } from '../settings.js'
import type { ExplainedItem, ExplainedPermissions } from './explanation.js'
import { explainHref } from './path.js'

/** For whom items are explained, and by whose rules. */
export interface ItemsRequest extends PathRequest {
  readonly viewer: Viewer
  readonly settings: Settings
  readonly hooks: AskedHooks
  readonly pathOf: PathGenerator
}

/** Every item of a menu, those that are not shown included, with what becomes of it and why. */
export function explainItems(request: ItemsRequest): readonly ExplainedItem[] {
  const canSee = request.hooks.checkerFor(request.viewer, request.request)
  return judgeItems(request.served.menu.items, canSee).map((judged) => explainJudged(judged, request))
}

function explainJudged(judged: JudgedItem, request: ItemsRequest): ExplainedItem {
  const { item, fate } = judged
  const shown = fate === 'shown'
  // Items below one that goes were not examined, or found fit to stay, and go all the same.
  const children =
    !shown && judged.children.length === 0
      ? childrenOf(item).map((child) => explainBelow(child, request))
      : judged.children.map((child) =>
          !shown && child.fate === 'shown'
            ? explainBelow(child.item, request)
            : explainJudged(child, request),
        )
  return { ...toFacts(item, request, shown), fate, why: whyFate(judged, request), children }
}

/** An item that goes with one above it. */
function explainBelow(item: MenuItem, request: ItemsRequest): ExplainedItem {
  const children = childrenOf(item).map((child) => explainBelow(child, request))
  return { ...toFacts(item, request, false), fate: 'below', why: 'it goes with the item above it', children }
}

function toFacts(
  item: MenuItem,
  request: ItemsRequest,
  shown: boolean,
): Omit<ExplainedItem, 'fate' | 'why' | 'children'> {
  const { locale, settings, viewer } = request
  const divider = item.type === 'divider'
  return {
    line: item.line,
    id: item.id,
    itemType: item.type,
    label: divider
      ? { text: '', locale: null, why: 'a divider has no label' }
      : explainLabel(item.label, locale, settings),
    href: shown ? toExplainedHref(item, request) : null,
    icon: divider ? null : explainIcon(item.icon, settings),
    permissions: explainPermissions(item, viewer),
  }
}

function whyFate(
  { item, fate, children }: JudgedItem,
  { viewer, hooks: { policies } }: ItemsRequest,
): string {
  const isByHook = policies.canView !== undefined
  const whys: Readonly<Record<Exclude<Fate, 'shown'>, () => string>> = {
    hidden: () => 'the file has hidden: true',
    denied: () => (isByHook ? 'the hook canView does not let the viewer see it' : whyDenied(item, viewer)),
    emptied: () => 'a section of which nothing is left but dividers',
    loose: () => 'a divider that separates nothing any more, since items around it went',
  }
  if (fate !== 'shown') return whys[fate]()
  const permitted = isByHook ? 'the hook canView lets the viewer see it' : whyPermitted(item, viewer)
  const lostAll = children.length > 0 && children.every((child) => child.fate !== 'shown')
  return lostAll ? `${permitted}; all below it went, and a link stays` : permitted
}

function whyPermitted({ permissions, permissionMode }: MenuItem, viewer: Viewer): string {
  if (permissions.length === 0) return 'it is for everybody'
  const held = permissions.filter((key) => viewer.permissions.includes(key))
  return permissionMode === 'all'
    ? `the viewer has ${held.join(', ')}`
    : `the viewer has ${held.join(', ')}, and any one of ${permissions.join(', ')} is enough`
}

function whyDenied({ permissions, permissionMode }: MenuItem, viewer: Viewer): string {
  const missing = permissions.filter((key) => !viewer.permissions.includes(key))
  if (permissionMode === 'any')
    return `it needs any one of ${permissions.join(', ')}, and the viewer has none`
  if (permissions.length === 1) return `it needs ${permissions.join()}, which the viewer lacks`
  return `it needs all of ${permissions.join(', ')}, and the viewer lacks ${missing.join(', ')}`
}

function explainPermissions(item: MenuItem, viewer: Viewer): ExplainedPermissions | null {
  const { permissions: needs, permissionMode: mode } = item
  if (needs.length === 0) return null
  return { needs, mode, missing: needs.filter((key) => !viewer.permissions.includes(key)) }
}

function toExplainedHref(item: MenuItem, request: ItemsRequest): ExplainedItem['href'] {
  if (item.type === 'divider') return { value: NOWHERE, routeName: null, why: 'a divider leads nowhere' }
  const { settings, hooks, pathOf } = request
  const value = toHref(item, (routed: RoutedItem) => pathOf(routed, request))
  const why = explainHref(item, value, settings.routes, hooks.policies.generatePath !== undefined, request)
  return { value, routeName: item.routeName, why }
}

function explainIcon(icon: string | null, { prefixes }: Settings): ExplainedItem['icon'] {
  const value = toClientIcon(icon, prefixes)
  if (icon === null || value === null) return null
  return {
    value,
    why: value === icon ? 'as it is written' : `${icon} with the prefix of icon_library_prefix_map`,
  }
}

function explainLabel(
  label: Label,
  effective: Locale,
  { chains, locales }: Settings,
): ExplainedItem['label'] {
  const { text, locale } = toLabelText(label, chains.get(effective) ?? [])
  return { text, locale, why: whyLocale(locale, effective, locales.defaultLocale, locales.locales) }
}

function whyLocale(
  locale: Locale | null,
  effective: Locale,
  defaultLocale: Locale,
  locales: readonly Locale[],
): string {
  if (locale === null) return 'one text for every locale'
  if (locale === effective) return `${locale}, the effective locale`
  const lack = `it has no text in ${effective}`
  if (parentsOf(effective).includes(locale)) return `${locale}, a parent of ${effective}: ${lack}`
  if (locale === defaultLocale) return `${locale}, the default locale: ${lack}`
  if (locales.includes(locale)) return `${locale}, the first of the locales with a text: ${lack}`
  return `${locale}, any text there is: it has none in any of the locales`
}
