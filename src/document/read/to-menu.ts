import { derivedForNow } from '../../model/derived.js'
import type { RawMap } from '../../model/json.js'
import { toLocale } from '../../model/locale.js'
import type { DividerItem, Label, LinkItem, Menu, MenuItem, RouteParams } from '../../model/menu.js'
import { locate, memberAt, type YamlNode } from '../node.js'
import { lineAt, type Source } from '../source.js'
import type { ReadYaml } from './read-yaml.js'

/** A menu whose items are text. Objects take three times as much memory, and few menus of many are in use. */
export interface PackedMenu extends Omit<Menu, 'items'> {
  /** JSON: the lines of the items, parents before children, and the items as the file has them. */
  readonly items: string
}

/** Most menus and items have none of these, and share one empty value. */
const NO_PERMISSIONS: readonly string[] = Object.freeze([])
const NO_PARAMS: RouteParams = Object.freeze({})
const NO_ITEMS: readonly MenuItem[] = Object.freeze([])
const NO_CONTEXT: Menu['context'] = Object.freeze({})
const NO_DISPLAY: Menu['display'] = Object.freeze({})

/** The menu that a faultless value describes; `root` and `source` give the lines. It shares no text with the file. */
export function packMenu(value: RawMap, { root, source }: Pick<ReadYaml, 'root' | 'source'>): PackedMenu {
  const { items, ...rest } = value
  const lines: number[] = []
  noteLines(items, memberAt(root, 'items')?.node, source, lines)
  // Through JSON: a part of a text keeps all of it in memory.
  const raw = JSON.parse(JSON.stringify(rest)) as RawMap
  return {
    line: lineAt(source, locate(root, ['code'])[0]),
    code: raw['code'] as string,
    name: raw['name'] as string,
    context: (raw['context'] ?? NO_CONTEXT) as Menu['context'],
    display: toDisplay((raw['display'] ?? NO_DISPLAY) as RawMap),
    // Joined, it is one text in memory; what JSON.stringify gives may be many.
    items: ['[', JSON.stringify(lines), ',', JSON.stringify(items ?? NO_ITEMS), ']'].join(''),
  }
}

/** Adds the lines of the items of a list. */
function noteLines(list: unknown, node: YamlNode | null | undefined, source: Source, lines: number[]): void {
  for (const [place, raw] of ((list ?? NO_ITEMS) as readonly RawMap[]).entries()) {
    const own = memberAt(node, place)?.node
    lines.push(lineAt(source, own?.start ?? 0))
    noteLines(raw['children'], memberAt(own, 'children')?.node, source, lines)
  }
}

const packedItems = new WeakMap<Menu, string>()

/** A packed menu as everybody uses it, deeply frozen. Its items are made on each use, and last while somebody holds them. */
export function toMenu({ line, code, name, context, display, items }: PackedMenu): Menu {
  const rest = { line, code, name, context: deepFreeze(context), display: deepFreeze(display) }
  const menu = Object.freeze(Object.defineProperty(rest, 'items', ITEMS)) as Menu
  packedItems.set(menu, items)
  return menu
}

const itemsOf = derivedForNow((menu: Menu): readonly MenuItem[] => {
  const [lines, items] = JSON.parse(packedItems.get(menu) ?? '') as [readonly number[], readonly RawMap[]]
  let at = 0
  return toItems(items, () => lines[at++] ?? 0)
})

/** Where a menu has its items. One function for all menus: objects with accessors of their own would be large. */
const ITEMS: PropertyDescriptor = {
  enumerable: true,
  get(this: Menu) {
    return itemsOf(this)
  },
}

function toItems(list: unknown, nextLine: () => number): readonly MenuItem[] {
  const raws = (list ?? NO_ITEMS) as readonly RawMap[]
  return raws.length === 0 ? NO_ITEMS : Object.freeze(raws.map((raw) => toItem(raw, nextLine)))
}

/** Each literal is whole: in Node 20 one with `...` takes a hundred times as long, and every item of every file comes here. */
function toItem(raw: RawMap, nextLine: () => number): MenuItem {
  const type = (raw['type'] ?? 'link') as MenuItem['type']
  const id = (raw['id'] ?? null) as string | null
  const line = nextLine()
  const hidden = raw['hidden'] === true
  const permissions = Object.freeze(raw['permissions'] ?? NO_PERMISSIONS) as readonly string[]
  const permissionMode = raw['permissionMode'] === 'any' ? 'any' : 'all'
  const attributes = toAttributes(raw['attributes'])
  if (type === 'divider')
    return Object.freeze({ type, id, line, hidden, permissions, permissionMode, attributes })
  const link: LinkItem = {
    type: 'link',
    id,
    line,
    hidden,
    permissions,
    permissionMode,
    attributes,
    label: toLabel(raw['label']),
    icon: (raw['icon'] || null) as string | null,
    children: toItems(raw['children'], nextLine),
    routeName: (raw['routeName'] ?? null) as string | null,
    routeParams: deepFreeze((raw['routeParams'] ?? NO_PARAMS) as RouteParams),
    url: (raw['url'] ?? null) as string | null,
  }
  if (type === 'link') return Object.freeze(link)
  const { url: _, ...section } = link
  return Object.freeze({ ...section, type })
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
  return Object.freeze(texts)
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
  return Object.keys(found).length === 0 ? null : Object.freeze(found)
}

/** Freezes a value and all below it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const key in value) deepFreeze(value[key])
  return Object.freeze(value)
}
