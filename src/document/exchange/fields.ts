import { isList, isMap, type Json } from '../../model/json.js'

/**
 * The JSON of the Symfony bundle nowo-tech/DashboardMenuBundle, as its exporter writes it and its importer reads it: blocks of
 * `{menu, items}`. A field that is null, `''`, `[]` or `{}` counts as absent there, and here.
 *
 * | field of a menu | here |
 * |---|---|
 * | `code`, `name`, `context` | the same; without a name, one made of the code |
 * | those of `DISPLAY_HOMES` | under `display` |
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
 */
export const ITEM_CONTENT: ReadonlySet<string> = new Set([
  ...['label', 'translations', 'routeName', 'routeParams', 'externalUrl', 'icon'],
  ...['permissionKeys', 'permissionKey'],
])
export const ITEM_SETTINGS: ReadonlySet<string> = new Set([
  ...['itemType', 'linkType', 'isUnanimous', 'targetBlank', 'position', 'children'],
])
/** The fields of a menu that keep their names. */
export const MENU_FIELDS: readonly string[] = ['code', 'name', 'context']

/** The fields of a menu that go under `display.classes`, and under `display`; those with `x-` have no meaning here. */
export const CLASS_HOMES: Readonly<Record<string, string>> = {
  classMenu: 'menu',
  classItem: 'item',
  classLink: 'link',
  classChildren: 'children',
  classSection: 'section',
  classDivider: 'divider',
  classCurrent: 'current',
  classBranchExpanded: 'branch',
}
export const DISPLAY_HOMES: Readonly<Record<string, string>> = {
  ulId: 'htmlId',
  icon: 'icon',
  depthLimit: 'depthLimit',
  collapsible: 'collapsible',
  collapsibleExpanded: 'collapsibleExpanded',
  nestedCollapsible: 'nestedCollapsible',
  nestedCollapsibleSections: 'x-nestedCollapsibleSections',
  classSectionLabel: 'x-classSectionLabel',
  classSectionChildren: 'x-classSectionChildren',
  classSectionChildItem: 'x-classSectionChildItem',
  classSectionChildLink: 'x-classSectionChildLink',
  classHasChildren: 'x-classHasChildren',
  classExpanded: 'x-classExpanded',
  classCollapsed: 'x-classCollapsed',
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
