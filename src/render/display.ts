import { type IconPrefixes, toClientIcon } from '../model/icon.js'
import { toLabelText } from '../model/label.js'
import type { Locale } from '../model/locale.js'
import type { Label, Menu } from '../model/menu.js'

const PARTS = ['menu', 'item', 'link', 'children', 'section', 'divider', 'current', 'branch'] as const

/** The shapes of a menu as HTML; `details` and `disclosure` fold, `tabs` shows the open branch only. */
export const STYLES = ['list', 'details', 'disclosure', 'tabs'] as const
export type MenuStyle = (typeof STYLES)[number]

/** The CSS classes of the parts of a menu; `''` is none. */
export type DisplayClasses = Readonly<Record<(typeof PARTS)[number], string>>

/**
 * What `dashboard_menu_config` gives: what identifies a menu and how it is shown, the options of its file over the defaults, keys
 * of its own included.
 */
export interface MenuConfig {
  /** After the code resolver. */
  readonly code: string
  /** Null when there is no such menu. */
  readonly name: string | null
  readonly context: Menu['context']
  /** The content hash of the file; null when there is no such menu. */
  readonly version: string | null
  readonly classes: DisplayClasses
  readonly style: MenuStyle
  readonly htmlId: string | null
  /** How many levels the HTML has; null: all. */
  readonly depthLimit: number | null
  readonly collapsible: boolean
  readonly collapsibleExpanded: boolean
  readonly nestedCollapsible: boolean
  readonly icon: string | null
  /** What visitors call the menu, in one language; null: its name is used. */
  readonly label: string | null
}

const CLASSES = Object.fromEntries(PARTS.map((part) => [part, ''])) as DisplayClasses
const DEFAULTS: Omit<MenuConfig, 'code' | 'name' | 'context' | 'version'> = {
  classes: CLASSES,
  style: 'list',
  htmlId: null,
  depthLimit: null,
  collapsible: false,
  collapsibleExpanded: true,
  nestedCollapsible: false,
  icon: null,
  label: null,
}

/**
 * The configuration of a menu, frozen; the defaults where there is none. Its icon has the site's prefix and its label
 * the language of the chain, as those of items have.
 */
export function toMenuConfig(
  code: string,
  found: { readonly menu: Menu; readonly version: string } | null,
  prefixes: IconPrefixes,
  chain: readonly Locale[],
): MenuConfig {
  const display = found?.menu.display ?? {}
  const icon = display['icon'] as string | null | undefined
  const label = display['label'] as Label | undefined
  const classes = Object.freeze({
    ...CLASSES,
    ...(display['classes'] as Partial<DisplayClasses> | undefined),
  })
  return Object.freeze({
    code,
    name: found?.menu.name ?? null,
    context: found?.menu.context ?? Object.freeze({}),
    version: found?.version ?? null,
    ...DEFAULTS,
    ...display,
    classes,
    icon: toClientIcon(icon ?? null, prefixes),
    label: label === undefined ? null : toLabelText(label, chain).text,
  })
}
