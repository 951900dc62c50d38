import { derived } from '../model/derived.js'
import { NOWHERE } from '../model/tree.js'
import type { PageNode } from './current.js'
import type { DisplayClasses, MenuConfig } from './display.js'
import { escapeHtml, toAttribute } from './escape.js'

/**
 * A menu as HTML: `<nav>` with lists, `aria-current` on the current page, the open branch marked, folding by
 * `<details>`, so that no script is needed. Everything is escaped here, whatever a template engine does. Empty for an
 * empty tree. `label` is the accessible name of the navigation; null takes the label of the menu, else its name.
 */
export function toMenuHtml(
  tree: readonly PageNode[],
  { config, label }: { readonly config: MenuConfig; readonly label: string | null },
): string {
  if (tree.length === 0) return ''
  const { classes, htmlId, collapsible, collapsibleExpanded } = config
  const name = label ?? config.label ?? config.name ?? config.code
  const open = `<nav${toAttribute('aria-label', name)}>`
  const list = toList(tree, config, 1, `${toAttribute('id', htmlId)}${toClass(classes.menu)}`)
  if (!collapsible) return `${open}${list}</nav>`
  const details = `<details${collapsibleExpanded ? ' open' : ''}>`
  return `${open}${details}<summary>${escapeHtml(name)}</summary>${list}</details></nav>`
}

function toList(nodes: readonly PageNode[], config: MenuConfig, level: number, attributes: string): string {
  return `<ul${attributes}>${nodes.map((node) => toItem(node, config, level)).join('')}</ul>`
}

/** What is written of nodes outside the open branch, which are the same for every page. */
const writtenOf = derived(
  (_: MenuConfig) => new WeakMap<PageNode, { readonly level: number; readonly html: string }>(),
)

function toItem(node: PageNode, config: MenuConfig, level: number): string {
  if (node.hasCurrentInBranch) return writeItem(node, config, level)
  const written = writtenOf(config)
  const known = written.get(node)
  if (known?.level === level) return known.html
  const html = writeItem(node, config, level)
  written.set(node, { level, html })
  return html
}

function writeItem(node: PageNode, config: MenuConfig, level: number): string {
  const { classes, depthLimit, nestedCollapsible } = config
  const inItem = (content: string, ...names: readonly string[]): string =>
    `<li${toAttribute('id', node.id ?? null)}${toClass(classes.item, ...names)}>${content}</li>`
  // A list holds list items only, so the line is in one.
  if (node.itemType === 'divider') return inItem('<hr>', classes.divider, ownClassOf(node))
  const isAbove = node.children.some((child) => child.hasCurrentInBranch)
  const branch = isAbove ? classes.branch : ''
  const head = toHead(node, classes)
  const shown = depthLimit === null || level < depthLimit ? node.children : []
  if (shown.length === 0) return inItem(head, branch)
  const list = toList(shown, config, level + 1, toClass(classes.children))
  if (!nestedCollapsible) return inItem(`${head}${list}`, branch)
  const details = `<details${node.hasCurrentInBranch ? ' open' : ''}>`
  // A link cannot be the handle that folds its branch: pressing it has to lead somewhere.
  if (node.href === NOWHERE) return inItem(`${details}<summary>${head}</summary>${list}</details>`, branch)
  const handle = `<summary${toAttribute('aria-label', node.label)}></summary>`
  return inItem(`${head}${details}${handle}${list}</details>`, branch)
}

/** The node itself: a link where it leads somewhere, else a text. */
function toHead(node: PageNode, classes: DisplayClasses): string {
  const { class: _, ...attributes } = node.attributes ?? {}
  const part = node.itemType === 'section' ? classes.section : classes.link
  const names = toClass(part, node.isCurrent ? classes.current : '', ownClassOf(node))
  const rest = Object.entries(attributes).map(([name, value]) => toAttribute(name, value))
  const icon =
    node.icon === null ? '' : `<span data-icon="${escapeHtml(node.icon)}" aria-hidden="true"></span>`
  const text = `${icon}${escapeHtml(node.label)}`
  if (node.href === NOWHERE) return `<span${names}${rest.filter(isForText).join('')}>${text}</span>`
  const current = node.isCurrent ? ' aria-current="page"' : ''
  return `<a href="${escapeHtml(node.href)}"${names}${current}${rest.join('')}>${text}</a>`
}

function ownClassOf({ attributes }: PageNode): string {
  return typeof attributes?.['class'] === 'string' ? attributes['class'] : ''
}

/** Attributes that also mean something on an element that is not a link. */
function isForText(attribute: string): boolean {
  return !/^ (target|rel|hreflang|download|referrerpolicy)\b/.test(attribute)
}

function toClass(...names: readonly string[]): string {
  return toAttribute('class', names.filter((name) => name !== '').join(' ') || null)
}

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
