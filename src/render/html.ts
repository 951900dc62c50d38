import { derived } from '../model/derived.js'
import { NOWHERE } from '../model/tree.js'
import { type PageNode, toTrail } from './current.js'
import type { MenuConfig, MenuStyle } from './display.js'
import { escapeHtml, toAttribute } from './escape.js'

/** How a menu is rendered. */
export interface HtmlOptions {
  readonly config: MenuConfig
  /** The accessible name of the navigation; null: the label of the menu, else its name. */
  readonly label: string | null
  /** Null: that of the menu. */
  readonly style?: MenuStyle | null
  /** Returns the SVG of an icon, or null if there is none. Default: icons have no SVG. */
  readonly toSvg?: ((icon: string) => string | null) | null
}

/** What is the same for all items. */
interface Look {
  readonly config: MenuConfig
  readonly style: MenuStyle
  readonly toSvg: NonNullable<HtmlOptions['toSvg']> | null
  /** What is written of nodes outside the open branch, which are the same for every page. */
  readonly written: WeakMap<PageNode, { readonly level: number; readonly html: string }>
}

const looksOf = derived((_: MenuConfig) => new Map<string, Look>())

/**
 * A menu as HTML: `<nav>` with lists, `aria-current` on the current page, the open branch marked, folding by
 * `<details>`, so that no script is needed. Everything is escaped here, whatever a template engine does. Empty for an
 * empty tree.
 */
export function toMenuHtml(
  tree: readonly PageNode[],
  { config, label, style, toSvg = null }: HtmlOptions,
): string {
  if (tree.length === 0) return ''
  const look = toLook(config, style ?? config.style, toSvg)
  const { classes, htmlId, collapsible, collapsibleExpanded } = config
  const name = label ?? config.label ?? config.name ?? config.code
  const shape = look.style === 'list' ? null : look.style
  const open = `<nav${toAttribute('aria-label', name)}${toAttribute('data-menu-style', shape)}>`
  const top = `${toAttribute('id', htmlId)}${toClass(classes.menu)}`
  const lists = shape === 'tabs' ? toRows(tree, look, top) : toList(tree, look, 1, top)
  if (!collapsible) return `${open}${lists}</nav>`
  const details = `<details${collapsibleExpanded ? ' open' : ''}>`
  return `${open}${details}<summary>${escapeHtml(name)}</summary>${lists}</details></nav>`
}

function toLook(config: MenuConfig, style: MenuStyle, toSvg: Look['toSvg']): Look {
  const looks = looksOf(config)
  const key = toSvg === null ? style : `${style} svg`
  const look = looks.get(key) ?? { config, style, toSvg, written: new WeakMap() }
  looks.set(key, look)
  return look
}

function toList(nodes: readonly PageNode[], look: Look, level: number, attributes: string): string {
  return `<ul${attributes}>${nodes.map((node) => toItem(node, look, level)).join('')}</ul>`
}

/** The top level as a row of tabs and, below it, a row for each level of the open branch. */
function toRows(tree: readonly PageNode[], look: Look, top: string): string {
  const { classes, depthLimit } = look.config
  const levels = toTrail(tree).filter(({ children }) => children.length > 0)
  const below = levels.slice(0, (depthLimit ?? Number.POSITIVE_INFINITY) - 1).map((node, place) => {
    const attributes = `${toAttribute('aria-label', node.label)}${toClass(classes.children)}`
    return toList(toTabs(node.children), look, place + 2, attributes)
  })
  return [toList(depthLimit === 1 ? tree : toTabs(tree), look, 1, top), ...below].join('')
}

/** The tabs of a level: a branch that no page of the site would open has its items beside it, or in its place. */
function toTabs(nodes: readonly PageNode[]): readonly PageNode[] {
  return nodes.flatMap((node) => {
    if (node.children.length === 0 || node.hasCurrentInBranch || toPath([node]) !== NOWHERE) return [node]
    const below = toTabs(node.children)
    return node.href === NOWHERE ? below : [node, ...below]
  })
}

/** Where the first page of the site is in some branches. */
function toPath(nodes: readonly PageNode[]): string {
  for (const { href, children } of nodes) {
    const path = /^[/.?]/.test(href) ? href : toPath(children)
    if (path !== NOWHERE) return path
  }
  return NOWHERE
}

function toItem(node: PageNode, look: Look, level: number): string {
  if (node.hasCurrentInBranch) return writeItem(node, look, level)
  const known = look.written.get(node)
  if (known?.level === level) return known.html
  const html = writeItem(node, look, level)
  look.written.set(node, { level, html })
  return html
}

function writeItem(node: PageNode, look: Look, level: number): string {
  const { config, style } = look
  const { classes, depthLimit } = config
  const inItem = (content: string, ...names: readonly string[]): string =>
    `<li${toAttribute('id', node.id ?? null)}${toClass(classes.item, ...names)}>${content}</li>`
  // A list holds list items only, so the line is in one.
  if (node.itemType === 'divider') return inItem('<hr>', classes.divider, ownClassOf(node))
  const isAbove = node.children.some((child) => child.hasCurrentInBranch)
  const branch = isAbove ? classes.branch : ''
  const head = toHead(node, look)
  const shown = depthLimit === null || level < depthLimit ? node.children : []
  if (shown.length === 0 || style === 'tabs') return inItem(head, branch)
  const list = toList(shown, look, level + 1, toClass(classes.children))
  // A panel covers the page, so it is closed at first, and opening one closes another.
  const isPanel = style === 'disclosure' && level === 1
  if (!config.nestedCollapsible && style !== 'details' && !isPanel) return inItem(`${head}${list}`, branch)
  const group = isPanel ? toAttribute('name', `menu-${config.code}`) : ''
  const details = `<details${group}${node.hasCurrentInBranch && !isPanel ? ' open' : ''}>`
  // A link cannot be the handle that folds its branch: pressing it has to lead somewhere.
  if (node.href === NOWHERE) return inItem(`${details}<summary>${head}</summary>${list}</details>`, branch)
  const handle = `<summary${toAttribute('aria-label', node.label)}></summary>`
  return inItem(`${head}${details}${handle}${list}</details>`, branch)
}

/** The node itself: a link where it leads somewhere, else a text. A tab without a page leads to the first one below. */
function toHead(node: PageNode, { config: { classes }, style, toSvg }: Look): string {
  const { class: _, ...attributes } = node.attributes ?? {}
  const part = node.itemType === 'section' ? classes.section : classes.link
  const names = toClass(part, node.isCurrent ? classes.current : '', ownClassOf(node))
  const rest = Object.entries(attributes).map(([name, value]) => toAttribute(name, value))
  const text = `${toIcon(node.icon, toSvg)}${escapeHtml(node.label)}`
  const href = node.href === NOWHERE && style === 'tabs' ? toPath(node.children) : node.href
  if (href === NOWHERE) return `<span${names}${rest.filter(isForText).join('')}>${text}</span>`
  const isOpenTab = style === 'tabs' && node.hasCurrentInBranch
  const current = node.isCurrent ? 'page' : isOpenTab ? 'true' : null
  return `<a href="${escapeHtml(href)}"${names}${toAttribute('aria-current', current)}${rest.join('')}>${text}</a>`
}

function toIcon(icon: string | null, toSvg: Look['toSvg']): string {
  if (icon === null) return ''
  return toSvg?.(icon) ?? `<span data-icon="${escapeHtml(icon)}" aria-hidden="true"></span>`
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
