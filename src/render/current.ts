import { derived } from '../model/derived.js'
import { NOWHERE, type TreeNode } from '../model/tree.js'

/** A tree node as templates see it: the endpoint's members, and where the visitor is. */
export interface PageNode extends TreeNode {
  /** Whether the node leads to the page that is shown. */
  readonly isCurrent: boolean
  /** Whether the node or one below it is current. */
  readonly hasCurrentInBranch: boolean
  readonly children: readonly PageNode[]
}

/** The page that is shown. */
export interface Page {
  /** Host and port under which the page is reached, in lower case; none are known in builds. */
  readonly hosts: readonly string[]
  /** The path and the query as they are in the address. */
  readonly path: string
  readonly query: string
}

/** Where a link leads, taken apart for comparing. */
interface Target {
  readonly host: string | null
  readonly path: string
  readonly query: ReadonlyMap<string, readonly string[]>
}

/**
 * The tree for a page, frozen. Sections, dividers and links to a mere fragment are never current, and nothing is on a
 * page that is not known, which is null.
 */
export function toPageTree(tree: readonly TreeNode[], page: Page | null): readonly PageNode[] {
  if (page === null) return mark(tree, () => false)
  const here = toTarget(null, page.path, page.query)
  return mark(tree, (node) => node.itemType === 'link' && leadsTo(node, page, here))
}

function mark(nodes: readonly TreeNode[], isOnPage: (node: TreeNode) => boolean): readonly PageNode[] {
  const marked = nodes.map((node): PageNode => {
    const children = mark(node.children, isOnPage)
    const isCurrent = isOnPage(node)
    const hasCurrentInBranch = isCurrent || children.some((child) => child.hasCurrentInBranch)
    return Object.freeze({ ...node, children, isCurrent, hasCurrentInBranch })
  })
  return Object.freeze(marked)
}

/** Whether a node leads to a page, whose address taken apart is `here`. */
function leadsTo(node: TreeNode, page: Page, here: Target): boolean {
  const target = targetOf(node, page)
  if (target === null || target.path !== here.path) return false
  if (target.host !== null && !page.hosts.includes(target.host)) return false
  return [...target.query].every(([name, values]) => {
    const given = here.query.get(name)
    return given?.length === values.length && values.every((value, place) => value === given[place])
  })
}

function targetOf(node: TreeNode, page: Page): Target | null {
  // What begins at the page means another place on each.
  return /^[.?]/.test(node.href) ? parseHref(node.href, page.path) : fixedTargetOf(node)
}

const fixedTargetOf = derived(({ href }: TreeNode) => parseHref(href, '/'))

function parseHref(href: string, path: string): Target | null {
  if (href === NOWHERE || href.startsWith('#')) return null
  try {
    // A target without a slash (`*`, `ftp://x/`) would be a part of the host, on the next page as well.
    const url = new URL(href, `http://page.invalid${path.startsWith('/') ? path : '/'}`)
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return null
    const host = /^https?:/i.test(href) ? url.host : null
    return toTarget(host, url.pathname, url.search.slice(1))
  } catch {
    return null
  }
}

function toTarget(host: string | null, path: string, query: string): Target {
  const lists = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(query)) {
    const list = lists.get(name) ?? []
    list.push(value)
    lists.set(name, list)
  }
  return { host, path: toComparable(path), query: lists }
}

/**
 * A path whose segments are decoded one by one, as a list in JSON: whatever character a segment has, `%2F` or `%00`, it
 * does not end it. A trailing slash does not count.
 */
function toComparable(path: string): string {
  const segments = path.split('/').map(decodeSegment)
  if (segments.length > 2 && segments.at(-1) === '') segments.pop()
  return JSON.stringify(segments)
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
