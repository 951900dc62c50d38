import type { DividerItem, LinkItem, MenuItem, SectionItem } from '../../src/model/menu.js'

/** What a menu without time windows has of them. */
export const UNTIMED = { visibleFrom: null, visibleUntil: null, boundaries: [], asOf: null } as const

const BASE = {
  id: null,
  line: 1,
  hidden: false,
  visibleFrom: null,
  visibleUntil: null,
  permissions: [],
  permissionMode: 'all',
  attributes: null,
} as const
const LABELLED = { ...BASE, icon: null, children: [], routeName: null, routeParams: {} } as const

/** A link as it stands in a menu; it leads to `/LABEL` unless told otherwise. */
export function link(label: LinkItem['label'], rest: Partial<LinkItem> = {}): LinkItem {
  const url = rest.routeName == null ? `/${typeof label === 'string' ? label : ''}` : null
  return { ...LABELLED, type: 'link', label, url, ...rest }
}

/** A section over these children. */
export function section(
  label: SectionItem['label'],
  children: readonly MenuItem[],
  rest: Partial<SectionItem> = {},
): SectionItem {
  return { ...LABELLED, type: 'section', label, children, ...rest }
}

export function divider(rest: Partial<DividerItem> = {}): DividerItem {
  return { ...BASE, type: 'divider', ...rest }
}
