import type { PageNode } from './current.js'
import type { DisplayClasses, MenuConfig } from './display.js'
import { escapeHtml, toAttribute } from './escape.js'

/** What HTML of a menu depends on besides its tree. */
export interface HtmlOptions {
  readonly config: MenuConfig
  /** The accessible name of the navigation; null takes the label of the menu, else its name. */
  readonly label: string | null
}

/**
 * A menu as HTML: `<nav>` with lists, `aria-current` on the current page, the open branch marked, folding by
 * `<details>`, so that no script is needed. Everything is escaped here, whatever a template engine does. Empty for an
 * empty tree.
 */
export function toMenuHtml(tree: readonly PageNode[], { config, label }: HtmlOptions): string {
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

function toItem(node: PageNode, config: MenuConfig, level: number): string {
  const { classes } = config
  if (node.itemType === 'divider') {
    const own = node.attributes?.['class']
    const names = joinClasses(classes.item, classes.divider, typeof own === 'string' ? own : '')
    // A list holds list items only, so the line is in one.
    return `<li${toAttribute('id', node.id ?? null)}${toClass(names)}><hr></li>`
  }
  const isAbove = node.children.some((child) => child.hasCurrentInBranch)
  const names = joinClasses(classes.item, isAbove ? classes.branch : '')
  const shown = config.depthLimit === null || level < config.depthLimit ? node.children : []
  const head = toHead(node, classes)
  const open = `<li${toAttribute('id', node.id ?? null)}${toClass(names)}>`
  if (shown.length === 0) return `${open}${head}</li>`
  const list = toList(shown, config, level + 1, toClass(classes.children))
  if (!config.nestedCollapsible) return `${open}${head}${list}</li>`
  const state = node.hasCurrentInBranch ? ' open' : ''
  // A link cannot be the handle that folds its branch: pressing it has to lead somewhere.
  if (node.href === '#') return `${open}<details${state}><summary>${head}</summary>${list}</details></li>`
  const handle = `<summary${toAttribute('aria-label', node.label)}></summary>`
  return `${open}${head}<details${state}>${handle}${list}</details></li>`
}

/** The node itself: a link where it leads somewhere, else a text. */
function toHead(node: PageNode, classes: DisplayClasses): string {
  const { class: own, ...attributes } = node.attributes ?? {}
  const part = node.itemType === 'section' ? classes.section : classes.link
  const names = joinClasses(part, node.isCurrent ? classes.current : '', typeof own === 'string' ? own : '')
  const rest = Object.entries(attributes).map(([name, value]) => toAttribute(name, value))
  const icon =
    node.icon === null ? '' : `<span data-icon="${escapeHtml(node.icon)}" aria-hidden="true"></span>`
  const text = `${icon}${escapeHtml(node.label)}`
  if (node.href === '#') return `<span${toClass(names)}${rest.filter(isForText).join('')}>${text}</span>`
  const current = node.isCurrent ? ' aria-current="page"' : ''
  return `<a href="${escapeHtml(node.href)}"${toClass(names)}${current}${rest.join('')}>${text}</a>`
}

/** Attributes that also mean something on an element that is not a link. */
function isForText(attribute: string): boolean {
  return !/^ (target|rel|hreflang|download|referrerpolicy)\b/.test(attribute)
}

function toClass(names: string): string {
  return names === '' ? '' : toAttribute('class', names)
}

function joinClasses(...names: readonly string[]): string {
  return names.filter((name) => name !== '').join(' ')
}
