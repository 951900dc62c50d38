import type { RawMap } from '../../model/json.js'
import { toLocale } from '../../model/locale.js'
import type { DividerItem, Label, LinkItem, Menu, MenuItem, RouteParams } from '../../model/menu.js'
import { boundariesOf } from '../../model/window.js'
import { locate, memberAt, type YamlNode } from '../node.js'
import { lineAt, type Source } from '../source.js'
import type { ReadYaml } from './read-yaml.js'

/** Most menus and items have none of these, and share one empty value. */
const NO_PERMISSIONS: readonly string[] = Object.freeze([])
const NO_PARAMS: RouteParams = Object.freeze({})
const NO_ITEMS: readonly MenuItem[] = Object.freeze([])
const NO_CONTEXT: Menu['context'] = Object.freeze({})
const NO_DISPLAY: Menu['display'] = Object.freeze({})

/** The menu that a faultless value describes; `root` and `source` give the lines. */
export function toMenu(value: RawMap, { root, source }: Pick<ReadYaml, 'root' | 'source'>): Menu {
  // Through JSON: a part of a text keeps all of it in memory.
  const raw = JSON.parse(JSON.stringify(value)) as RawMap
  const visibleFrom = (raw['visibleFrom'] ?? null) as string | null
  const visibleUntil = (raw['visibleUntil'] ?? null) as string | null
  const items = toItems(raw['items'], memberAt(root, 'items')?.node, source)
  return {
    line: lineAt(source, locate(root, ['code'])[0]),
    code: raw['code'] as string,
    name: raw['name'] as string,
    context: (raw['context'] ?? NO_CONTEXT) as Menu['context'],
    display: toDisplay((raw['display'] ?? NO_DISPLAY) as RawMap),
    visibleFrom,
    visibleUntil,
    items,
    boundaries: boundariesOf({ visibleFrom, visibleUntil, children: items }),
    asOf: null,
  }
}

function toItems(list: unknown, node: YamlNode | null | undefined, source: Source): readonly MenuItem[] {
  const raws = (list ?? NO_ITEMS) as readonly RawMap[]
  return raws.length === 0
    ? NO_ITEMS
    : raws.map((raw, place) => toItem(raw, memberAt(node, place)?.node, source))
}

/** Each literal is whole: in Node 20 one with `...` takes a hundred times as long, and every item of every file comes here. */
function toItem(raw: RawMap, node: YamlNode | null | undefined, source: Source): MenuItem {
  const type = (raw['type'] ?? 'link') as MenuItem['type']
  const id = (raw['id'] ?? null) as string | null
  const line = lineAt(source, node?.start ?? 0)
  const hidden = raw['hidden'] === true
  const permissions = (raw['permissions'] ?? NO_PERMISSIONS) as readonly string[]
  const permissionMode = raw['permissionMode'] === 'any' ? 'any' : 'all'
  const attributes = toAttributes(raw['attributes'])
  const visibleFrom = (raw['visibleFrom'] ?? null) as string | null
  const visibleUntil = (raw['visibleUntil'] ?? null) as string | null
  if (type === 'divider')
    return { type, id, line, hidden, visibleFrom, visibleUntil, permissions, permissionMode, attributes }
  const link: LinkItem = {
    type: 'link',
    id,
    line,
    hidden,
    visibleFrom,
    visibleUntil,
    permissions,
    permissionMode,
    attributes,
    label: toLabel(raw['label']),
    icon: (raw['icon'] || null) as string | null,
    children: toItems(raw['children'], memberAt(node, 'children')?.node, source),
    routeName: (raw['routeName'] ?? null) as string | null,
    routeParams: (raw['routeParams'] ?? NO_PARAMS) as RouteParams,
    url: (raw['url'] ?? null) as string | null,
  }
  if (type === 'link') return link
  const { url: _, ...section } = link
  return { ...section, type }
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
