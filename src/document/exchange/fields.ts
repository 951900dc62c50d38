import { isEqual, isList, isMap, type Json, type JsonMap, own } from '../../model/json.js'

/**
 * The JSON of the Symfony bundle nowo-tech/DashboardMenuBundle, as its exporter writes it and its importer reads it: blocks of
 * `{menu, items}`. A field that is null, `''`, `[]` or `{}` counts as absent there, and here.
 *
 * | field of a menu | here |
 * |---|---|
 * | those of `MENU_HOMES` | there; without a name, one made of the code |
 * | any other | `x-…`, which the way back turns into the field again where the bundle has one |
 *
 * | field of an item | here |
 * |---|---|
 * | `label`, `translations` | `label`: a map where there are translations; the base label is then the text of the default locale, unless that has one |
 * | `itemType` | `type`; `service` is a section with `x-itemType` |
 * | `linkType`, `routeName`, `externalUrl` | `routeName` or `url`: what the linkType (`route` by default) says, else what there is |
 * | `routeParams`, `icon`, `children` | the same |
 * | `permissionKeys`, else `permissionKey` | `permissions` |
 * | `isUnanimous` | `permissionMode`: false is `any` |
 * | `targetBlank` | `attributes.target`: `_blank` |
 * | `position` | the order of the siblings; one without a position follows the one before it |
 * | any other | `x-…` |
 *
 * Of our own exports, `menuscript` beside the fields has what these cannot express: keys of the menu or item, which the fields
 * take precedence over, and in its `items` or `children` the rows that the bundle must not show.
 */
export const ITEM_CONTENT: ReadonlySet<string> = new Set([
  ...['label', 'translations', 'routeName', 'routeParams', 'externalUrl', 'icon'],
  ...['permissionKeys', 'permissionKey'],
])
export const ITEM_SETTINGS: ReadonlySet<string> = new Set([
  ...['itemType', 'linkType', 'isUnanimous', 'targetBlank', 'position', 'children', 'menuscript'],
])
/** Where a menu has each field, as a JSON Pointer; one with `x-` has no meaning here. */
export const MENU_HOMES: Readonly<Record<string, string>> = {
  code: '/code',
  name: '/name',
  context: '/context',
  classMenu: '/display/classes/menu',
  classItem: '/display/classes/item',
  classLink: '/display/classes/link',
  classChildren: '/display/classes/children',
  classSection: '/display/classes/section',
  classDivider: '/display/classes/divider',
  classCurrent: '/display/classes/current',
  classBranchExpanded: '/display/classes/branch',
  ulId: '/display/htmlId',
  icon: '/display/icon',
  depthLimit: '/display/depthLimit',
  collapsible: '/display/collapsible',
  collapsibleExpanded: '/display/collapsibleExpanded',
  nestedCollapsible: '/display/nestedCollapsible',
  nestedCollapsibleSections: '/display/x-nestedCollapsibleSections',
  classSectionLabel: '/display/x-classSectionLabel',
  classSectionChildren: '/display/x-classSectionChildren',
  classSectionChildItem: '/display/x-classSectionChildItem',
  classSectionChildLink: '/display/x-classSectionChildLink',
  classHasChildren: '/display/x-classHasChildren',
  classExpanded: '/display/x-classExpanded',
  classCollapsed: '/display/x-classCollapsed',
}

/** Fields of the bundle that have no home here, by what they are part of. */
export const HOMELESS: Readonly<Record<'menu' | 'item', readonly string[]>> = {
  menu: ['permissionChecker', 'base'],
  item: ['linkResolver', 'sectionCollapsible'],
}

/** Whether a field of the bundle has no content. `base: false` is in every export, and the default. */
export function isAbsent(value: Json | undefined, field = ''): boolean {
  if (value === undefined || value === null || value === '') return true
  if (field === 'base' && value === false) return true
  return (isList(value) || isMap(value)) && Object.keys(value).length === 0
}

/** The member that only Menuscript reads. */
export const OWN_MEMBER = 'menuscript'
export const OWN_READING: JsonMap = { [OWN_MEMBER]: {} }

/** What a map has and another one lacks, at any depth: `fillUp` of that puts it back. */
export function restOf(map: JsonMap, other: JsonMap): JsonMap {
  const entries = Object.entries(map).flatMap(([key, value]) => {
    const twin = own(other, key)
    if (twin === undefined) return [[key, value] as const]
    return isMap(value) && isMap(twin) && !isEqual(value, twin) ? [[key, restOf(value, twin)] as const] : []
  })
  return Object.fromEntries(entries)
}

/** A map with what it lacks of another one, at any depth. */
export function fillUp(map: JsonMap, rest: JsonMap): JsonMap {
  const entries = Object.entries(rest).flatMap(([key, value]) => {
    const there = own(map, key)
    if (there === undefined) return [[key, value] as const]
    return isMap(value) && isMap(there) ? [[key, fillUp(there, value)] as const] : []
  })
  return { ...map, ...Object.fromEntries(entries) }
}
