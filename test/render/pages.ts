import type { TreeNode } from '../../src/model/tree.js'
import { type Page, type PageNode, toPageTree } from '../../src/render/current.js'
import { type MenuConfig, toMenuConfig } from '../../src/render/display.js'
import { UNTIMED } from '../support/items.js'

/** A node that leads to `href`, with what a test changes of it. */
export function node(href: string, changes: Partial<TreeNode> = {}): TreeNode {
  return { label: href, href, routeName: null, icon: null, itemType: 'link', children: [], ...changes }
}

/** The page of an address, such as `/a?b=1`, on `shop.example`. */
export function pageOf(address: string): Page {
  const [path = '/', query = ''] = address.split('?')
  return { hosts: ['shop.example'], path, query }
}

/** Whether a link is current on a page. */
export function isCurrentOn(href: string, address: string): boolean {
  return toPageTree([node(href)], pageOf(address))[0]?.isCurrent ?? false
}

export function treeOn(address: string, nodes: readonly TreeNode[]): readonly PageNode[] {
  return toPageTree(nodes, pageOf(address))
}

/** The configuration of a menu with this display. */
export function configOf(display: Readonly<Record<string, unknown>> = {}): MenuConfig {
  const menu = { line: 1, code: 'main', name: 'Main "menu"', context: {}, display, items: [], ...UNTIMED }
  return toMenuConfig('main', { menu, version: 'v1' }, new Map(), ['en'])
}
