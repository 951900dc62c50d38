import type { RawMap } from '../../model/json.js'
import { toLocale } from '../../model/locale.js'
import type { DividerItem, Label, Menu, MenuItem, RouteParams } from '../../model/menu.js'
import type { Steps } from '../../model/pointer.js'

type LineOf = (pointer: Steps) => number

/** The menu that a faultless value describes, deeply frozen. */
export function toMenu(value: unknown, lineOf: LineOf): Menu {
  const raw = value as RawMap
  return deepFreeze({
    line: lineOf(['code']),
    code: raw['code'] as string,
    name: raw['name'] as string,
    context: (raw['context'] ?? {}) as Menu['context'],
    display: toDisplay((raw['display'] ?? {}) as RawMap),
    items: toItems(raw['items'], ['items'], lineOf),
  })
}

function toItems(list: unknown, pointer: Steps, lineOf: LineOf): MenuItem[] {
  return ((list ?? []) as RawMap[]).map((raw, place) => toItem(raw, [...pointer, place], lineOf))
}

function toItem(raw: RawMap, pointer: Steps, lineOf: LineOf): MenuItem {
  const { type, id = null, routeName = null, routeParams = {}, url = null, permissions = [] } = raw
  const base: Omit<DividerItem, 'type'> = {
    id: id as string | null,
    line: lineOf(pointer),
    hidden: raw['hidden'] === true,
    permissions: permissions as string[],
    permissionMode: raw['permissionMode'] === 'any' ? 'any' : 'all',
    attributes: toAttributes(raw['attributes']),
  }
  if (type === 'divider') return { type, ...base }
  const labelled = {
    ...base,
    label: toLabel(raw['label']),
    icon: (raw['icon'] || null) as string | null,
    children: toItems(raw['children'], [...pointer, 'children'], lineOf),
    routeName: routeName as string | null,
    routeParams: routeParams as RouteParams,
  }
  return type === 'section' ? { type, ...labelled } : { type: 'link', ...labelled, url: url as string | null }
}

function toDisplay(display: RawMap): Menu['display'] {
  return Object.hasOwn(display, 'label') ? { ...display, label: toLabel(display['label']) } : display
}

/** Texts by canonical tag; a null or blank translation counts as absent. */
function toLabel(label: unknown): Label {
  if (typeof label === 'string') return label
  const texts: Record<string, string> = {}
  for (const [tag, text] of Object.entries(label as RawMap)) {
    const locale = toLocale(tag)
    if (locale !== null && typeof text === 'string' && text.trim() !== '') texts[locale] = text
  }
  return texts
}

/** As written, but `_blank` gets `rel="noopener"` unless `rel` is set, so that the new page cannot steer this one. */
function toAttributes(attributes: unknown): DividerItem['attributes'] {
  if (attributes === undefined) return null
  const entries = Object.entries(attributes as RawMap).map(([name, value]) => [
    name,
    typeof value === 'number' ? String(value) : value,
  ])
  const found: Record<string, string | boolean> = Object.fromEntries(entries)
  if (found['target'] === '_blank' && found['rel'] === undefined) found['rel'] = 'noopener'
  return Object.keys(found).length === 0 ? null : found
}

/** Freezes a value and all below it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const member of Object.values(value)) deepFreeze(member)
  return Object.freeze(value)
}
