import { derived } from '../model/derived.js'
import { groupBy } from '../model/group-by.js'
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

/** A node, and the one above it. */
interface Place {
  readonly node: TreeNode
  readonly above: Place | null
}

/**
 * The tree for a page, frozen. Sections, dividers and links to a mere fragment are never current, and nothing is on a
 * page that is not known, which is null. Nodes outside the open branch are the same for every page.
 */
export function toPageTree(tree: readonly TreeNode[], page: Page | null): readonly PageNode[] {
  const { nodes, fixed, relative } = unmarkedOf(tree)
  if (page === null) return nodes
  const here = toTarget(null, page.path, page.query)
  const isHere = (target: Target | null): boolean => target !== null && leadsTo(target, page, here)
  const current = (fixed.get(here.path) ?? [])
    .filter(({ target }) => isHere(target))
    .map(({ place }) => place)
  current.push(...relative.filter(({ node }) => isHere(parseHref(node.href, page.path))))
  if (current.length === 0) return nodes
  const open = new Set<TreeNode>()
  for (const place of current)
    for (let at: Place | null = place; at !== null; at = at.above) open.add(at.node)
  return mark(tree, nodes, { open, current: new Set(current.map(({ node }) => node)) })
}

interface Link {
  readonly place: Place
  readonly target: Target
}

/** What is the same for every page: the nodes where none is current, and the links by the paths that they lead to. */
const unmarkedOf = derived((tree: readonly TreeNode[]) => {
  const links: Link[] = []
  // What begins at the page means another place on each.
  const relative: Place[] = []
  const unmark = (nodes: readonly TreeNode[], above: Place | null): readonly PageNode[] =>
    Object.freeze(
      nodes.map((node): PageNode => {
        const place = { node, above }
        if (node.itemType === 'link') note(place)
        const children = unmark(node.children, place)
        return Object.freeze({ ...node, children, isCurrent: false, hasCurrentInBranch: false })
      }),
    )
  const note = (place: Place): void => {
    const { node } = place
    if (/^[.?]/.test(node.href)) return void relative.push(place)
    const target = parseHref(node.href, '/')
    if (target !== null) links.push({ place, target })
  }
  const nodes = unmark(tree, null)
  return { nodes, fixed: groupBy(links, ({ target }) => target.path), relative }
})

function mark(
  tree: readonly TreeNode[],
  nodes: readonly PageNode[],
  { open, current }: { readonly open: ReadonlySet<TreeNode>; readonly current: ReadonlySet<TreeNode> },
): readonly PageNode[] {
  const marked = nodes.map((node, place) => {
    const source = tree[place] as TreeNode
    if (!open.has(source)) return node
    const children = mark(source.children, node.children, { open, current })
    return Object.freeze({ ...node, children, isCurrent: current.has(source), hasCurrentInBranch: true })
  })
  return Object.freeze(marked)
}

/** The way from the top of a menu to the current page, the page last; empty when it is not in the menu. */
export function toTrail(tree: readonly PageNode[]): readonly PageNode[] {
  const ways = tree.filter((node) => node.hasCurrentInBranch).map((node) => [node, ...toTrail(node.children)])
  // The deepest way is the most specific; among equal ones, the first.
  return ways.reduce<readonly PageNode[]>((best, way) => (way.length > best.length ? way : best), [])
}

/** Whether a link leads to a page, whose address taken apart is `here`. */
function leadsTo(target: Target, page: Page, here: Target): boolean {
  if (target.path !== here.path) return false
  if (target.host !== null && !page.hosts.includes(target.host)) return false
  return [...target.query].every(([name, values]) => {
    const given = here.query.get(name)
    return given?.length === values.length && values.every((value, place) => value === given[place])
  })
}

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
  const params = new URLSearchParams(query)
  const lists = [...new Set(params.keys())].map((name) => [name, params.getAll(name)] as const)
  return { host, path: toComparable(path), query: new Map(lists) }
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
