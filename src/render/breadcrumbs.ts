import type { PageNode } from './current.js'
import { escapeHtml, toAttribute } from './escape.js'

/** The way from the top of a menu to the current page, the page last; empty when it is not in the menu. */
export function toTrail(tree: readonly PageNode[]): readonly PageNode[] {
  const ways = tree.filter((node) => node.hasCurrentInBranch).map((node) => [node, ...toTrail(node.children)])
  // The deepest way is the most specific; among equal ones, the first.
  return ways.reduce<readonly PageNode[]>((best, way) => (way.length > best.length ? way : best), [])
}

/** A trail as HTML: an ordered list in a `<nav>`, the page itself without a link. Empty for an empty trail. */
export function toBreadcrumbsHtml(trail: readonly PageNode[], label: string): string {
  if (trail.length === 0) return ''
  const crumbs = trail.map((node, place) => toCrumb(node, place === trail.length - 1)).join('')
  return `<nav${toAttribute('aria-label', label)}><ol>${crumbs}</ol></nav>`
}

function toCrumb(node: PageNode, last: boolean): string {
  const text = escapeHtml(node.label)
  if (last) return `<li><span aria-current="page">${text}</span></li>`
  if (node.href === '#') return `<li><span>${text}</span></li>`
  return `<li><a href="${escapeHtml(node.href)}">${text}</a></li>`
}
