import { type IconPrefixes, toClientIcon } from './icon.js'
import { toLabelText } from './label.js'
import type { Locale } from './locale.js'
import type { ItemType, LinkItem, MenuItem, SectionItem } from './menu.js'
import type { AnyMenuTypes } from './menu-types.js'
import { judgeUrl } from './url.js'
import { type JudgedItem, judgeItems } from './visibility.js'

/** What a client receives: exactly these six members in this order, and the two extras only where they were asked for. */
export interface TreeNode<Types extends AnyMenuTypes = AnyMenuTypes> {
  readonly label: string
  /** Where the item leads; `#` when it leads nowhere. */
  readonly href: string
  readonly routeName: Types['routeName'] | null
  readonly icon: string | null
  readonly itemType: ItemType
  readonly children: readonly TreeNode<Types>[]
  readonly id?: string | null
  readonly attributes?: Readonly<Record<string, string | boolean>> | null
}

/** The members that a tree node may have beyond its six, in their order. */
const EXTRAS = ['id', 'attributes'] as const

export type ExtraMember = (typeof EXTRAS)[number]

/** An item that can lead somewhere by a route. */
export type RoutedItem = LinkItem | SectionItem

/** Everything a tree depends on besides the menu itself. */
export interface TreeRules {
  readonly chain: readonly Locale[]
  readonly prefixes: IconPrefixes
  readonly extraMembers: readonly ExtraMember[]
  readonly canSee: (item: MenuItem) => boolean
  /** When windows are judged, in milliseconds since 1970; without a time, they do not matter. */
  readonly now: number | null
  /** The path of an item that names a route; null when it cannot be generated. */
  readonly toPath: (item: RoutedItem) => string | null
}

export const NOWHERE = '#'

/** The tree of a menu, frozen, under the rules of one request. */
export function buildTree(items: readonly MenuItem[], rules: TreeRules): readonly TreeNode[] {
  return toNodes(judgeItems(items, rules.canSee, rules.now), rules)
}

/** A tree as clients receive it: over HTTP and in files. */
export function toTreeJson(tree: readonly TreeNode[]): string {
  return JSON.stringify(tree)
}

/** Most nodes have no children, and share this list. */
const NO_NODES: readonly TreeNode[] = Object.freeze([])

function toNodes(judged: readonly JudgedItem[], rules: TreeRules): readonly TreeNode[] {
  if (judged.length === 0) return NO_NODES
  const shown = judged.filter(({ fate }) => fate === 'shown')
  return Object.freeze(shown.map((entry) => toNode(entry, rules)))
}

function toNode({ item, children }: JudgedItem, rules: TreeRules): TreeNode {
  const divider = item.type === 'divider'
  const node: TreeNode = {
    label: divider ? '' : toLabelText(item.label, rules.chain).text,
    href: divider ? NOWHERE : toHref(item, rules.toPath),
    routeName: divider ? null : item.routeName,
    icon: divider ? null : toClientIcon(item.icon, rules.prefixes),
    itemType: item.type,
    children: toNodes(children, rules),
  }
  if (rules.extraMembers.length === 0) return Object.freeze(node)
  const extras = EXTRAS.filter((name) => rules.extraMembers.includes(name))
  return Object.freeze({ ...node, ...Object.fromEntries(extras.map((name) => [name, item[name]])) })
}

/** The address of an item, judged once more on its way out: an unsafe one never reaches a page. */
export function toHref(item: RoutedItem, toPath: TreeRules['toPath']): string {
  const href = item.routeName !== null ? toPath(item) : item.type === 'link' ? item.url : null
  return href === null || judgeUrl(href) !== null ? NOWHERE : href
}
