import { toClientIcon } from '../../model/icon.js'
import { toLabelText } from '../../model/label.js'
import { type Locale, parentsOf } from '../../model/locale.js'
import { childrenOf, type Label, type MenuItem } from '../../model/menu.js'
import { type JudgedItem, judgeItems } from '../../model/visibility.js'
import { describeWindow } from '../../model/window.js'
import type { Settings } from '../settings.js'
import type { ExplainedItem } from './explanation.js'
import { explainHref, type ItemsRequest } from './path.js'

/** Every item of a menu, those that are not shown included, with what becomes of it and why. */
export function explainItems(request: ItemsRequest): readonly ExplainedItem[] {
  const canSee = request.hooks.checkerFor(request.viewer, request.request)
  const { items, asOf } = request.served.menu
  return judgeItems(items, canSee, asOf).map((judged) => explainItem(judged, request, false))
}

/** `isBelow`: whether the item goes with one above it. */
function explainItem(judged: JudgedItem, request: ItemsRequest, isBelow: boolean): ExplainedItem {
  const { item } = judged
  const fate = isBelow ? 'below' : judged.fate
  const isShown = fate === 'shown'
  const divider = item.type === 'divider'
  const permissions = explainPermissions(item, request)
  // Items below a removed one were not examined, or would stay, but are removed as well.
  const isExamined = isShown || (!isBelow && judged.children.length > 0)
  const children = isExamined ? judged.children : childrenOf(item).map(toUnexamined)
  return {
    line: item.line,
    id: item.id,
    itemType: item.type,
    label: divider
      ? { text: '', locale: null, why: 'a divider has no label' }
      : explainLabel(item.label, request.locale, request.settings),
    href: isShown ? explainHref(item, request) : null,
    icon: divider ? null : explainIcon(item.icon, request.settings),
    permissions,
    fate,
    why: isBelow ? 'the item above it is not shown' : whyFate(judged, permissions, request),
    children: children.map((child) => explainItem(child, request, !isShown && child.fate === 'shown')),
  }
}

function toUnexamined(item: MenuItem): JudgedItem {
  return { item, fate: 'shown', children: [] }
}

function explainPermissions(item: MenuItem, { held }: ItemsRequest): ExplainedItem['permissions'] {
  const { permissions: needs, permissionMode: mode } = item
  if (needs.length === 0) return null
  return { needs, mode, missing: needs.filter((key) => !held.has(key)) }
}

function whyFate(
  { item, fate, children }: JudgedItem,
  permissions: ExplainedItem['permissions'],
  { hooks: { policies } }: ItemsRequest,
): string {
  const isByHook = policies.canView !== undefined
  switch (fate) {
    case 'hidden':
      return 'the file has hidden: true'
    case 'outside':
      return `it is visible only ${describeWindow(item)}`
    case 'denied':
      return isByHook ? 'the hook canView hides it from the viewer' : whyDenied(permissions)
    case 'emptied':
      return 'a section with only dividers left'
    case 'loose':
      return 'a divider that no longer separates anything, because items around it are gone'
    case 'shown': {
      const permitted = isByHook ? 'the hook canView shows it to the viewer' : whyPermitted(permissions)
      const lostAll = children.length > 0 && children.every((child) => child.fate !== 'shown')
      const window = describeWindow(item)
      const timed = window === '' ? permitted : `${permitted}, ${window}`
      return lostAll ? `${timed}; everything below it is gone, and the link stays` : timed
    }
  }
}

function whyPermitted(permissions: ExplainedItem['permissions']): string {
  if (permissions === null) return 'it is for everybody'
  const { needs, mode, missing } = permissions
  const held = `the viewer has ${needs.filter((key) => !missing.includes(key)).join(', ')}`
  return mode === 'all' ? held : `${held}, and any one of ${needs.join(', ')} is enough`
}

function whyDenied(permissions: ExplainedItem['permissions']): string {
  const { needs = [], mode = 'all', missing = [] } = permissions ?? {}
  if (mode === 'any') return `it needs any one of ${needs.join(', ')}, and the viewer has none`
  if (needs.length === 1) return `it needs ${needs.join()}, which the viewer lacks`
  return `it needs all of ${needs.join(', ')}, and the viewer lacks ${missing.join(', ')}`
}

function explainIcon(icon: string | null, { prefixes }: Settings): ExplainedItem['icon'] {
  const value = toClientIcon(icon, prefixes)
  if (value === null) return null
  const why = value === icon ? 'as written' : `${icon} with the prefix of icon_library_prefix_map`
  return { value, why }
}

function explainLabel(label: Label, effective: Locale, settings: Settings): ExplainedItem['label'] {
  const { text, locale } = toLabelText(label, settings.chains.get(effective) ?? [])
  return { text, locale, why: whyLocale(locale, effective, settings.locales) }
}

function whyLocale(locale: Locale | null, effective: Locale, known: Settings['locales']): string {
  if (locale === null) return 'one text for every locale'
  if (locale === effective) return `${locale}, the effective locale`
  const lack = `it has no text in ${effective}`
  if (parentsOf(effective).includes(locale)) return `${locale}, a parent of ${effective}: ${lack}`
  if (locale === known.defaultLocale) return `${locale}, the default locale: ${lack}`
  if (known.locales.includes(locale)) return `${locale}, the first of the locales with a text: ${lack}`
  return `${locale}, a text in another locale: it has none in any of the locales`
}
