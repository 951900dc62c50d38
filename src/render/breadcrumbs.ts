import { NOWHERE } from '../model/tree.js'
import type { PageNode } from './current.js'
import { escapeHtml, toAttribute, toScriptJson } from './escape.js'

/** A trail as HTML: an ordered list in a `<nav>`, the page itself without a link. Empty for an empty trail. */
export function toBreadcrumbsHtml(trail: readonly PageNode[], label: string): string {
  if (trail.length === 0) return ''
  const crumbs = trail.map((node, place) => toCrumb(node, place === trail.length - 1)).join('')
  return `<nav${toAttribute('aria-label', label)}><ol>${crumbs}</ol></nav>`
}

function toCrumb(node: PageNode, last: boolean): string {
  const text = escapeHtml(node.label)
  if (last) return `<li><span aria-current="page">${text}</span></li>`
  if (node.href === NOWHERE) return `<li><span>${text}</span></li>`
  return `<li><a href="${escapeHtml(node.href)}">${text}</a></li>`
}

/**
 * A trail as JSON-LD for search engines (https://schema.org/BreadcrumbList), in a `<script>` that no browser runs, so that a
 * content security policy has nothing against it. `address` is the absolute one of the page. Google takes lists of two
 * pages at least, and an address for each but the last, so what leads to no page is left out. Empty for fewer.
 */
export function toBreadcrumbsJsonLd(trail: readonly PageNode[], address: string): string {
  const crumbs = trail.flatMap(({ label: name, href }, place) => {
    if (place === trail.length - 1) return [{ name }]
    const item = toPageUrl(href, address)
    return item === null ? [] : [{ name, item }]
  })
  if (crumbs.length < 2) return ''
  const itemListElement = crumbs.map((crumb, place) => ({
    '@type': 'ListItem',
    position: place + 1,
    ...crumb,
  }))
  const list = { '@context': 'https://schema.org', '@type': 'BreadcrumbList', itemListElement }
  return `<script type="application/ld+json">${toScriptJson(list)}</script>`
}

function toPageUrl(href: string, address: string): string | null {
  if (href.startsWith('#') || !URL.canParse(href, address)) return null
  const { protocol, href: url } = new URL(href, address)
  return /^https?:$/.test(protocol) ? url : null
}
