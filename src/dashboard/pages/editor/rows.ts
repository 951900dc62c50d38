import type { Items, PlacedItem } from '../../../change/items.js'
import { isList, isMap, type Json } from '../../../model/json.js'
import { type LabelText, paramsIn, targetOf } from '../../../model/label.js'
import { type Locale, parentsOf } from '../../../model/locale.js'
import type { RouteParams } from '../../../model/menu.js'
import { toPlainName } from '../../../model/plain-name.js'
import { pageOf, paramsOf, type Routes } from '../../../model/route.js'
import { toPath } from '../../../service/routes.js'
import { type ItemForm, typeOf } from '../../forms/item-form.js'
import { isForAll } from '../../forms/label-fields.js'

/** An item as the editor shows it. */
export interface Row {
  readonly pointer: string
  /** Its `id` on the page. */
  readonly anchor: string
  readonly item: PlacedItem['item']
  readonly type: ItemForm['type']
  readonly icon: string
  /** Its destination, as files have it. */
  readonly target: string
  /** Where that leads; null where it is unknown. */
  readonly address: string | null
  /** What people call its page; null where nothing is known. */
  readonly page: LabelText | null
  readonly params: string
  /** The locales in which it has no text of its own; none where one text is for all. */
  readonly missing: readonly Locale[]
  /** Whether one text is for several languages. */
  readonly isForAll: boolean
  readonly isHidden: boolean
  readonly permissions: readonly string[]
  readonly rows: readonly Row[]
}

/** The rows of all items, nested. */
export function toRows({ menu }: Items, context: RowContext): readonly Row[] {
  return menu.below.map((each) => toRow(each, context))
}

interface RowContext {
  readonly locales: readonly Locale[]
  readonly routes: Routes | null
  readonly chain: readonly Locale[]
}

function toRow({ item, pointer, below }: PlacedItem, context: RowContext): Row {
  const type = typeOf(item)
  const route = context.routes?.get(item['routeName'] as string)
  const { icon, permissions } = item
  return {
    pointer,
    anchor: toAnchor(pointer),
    item,
    type,
    icon: type !== 'divider' && typeof icon === 'string' ? icon : '',
    target: targetOf(item),
    address: toAddress(item, context),
    page: pageOf(context.routes, item['routeName'], context.chain),
    params: paramsIn(item, route === undefined ? [] : paramsOf(route), toPlainName),
    missing: type === 'divider' ? [] : missingIn(item['label'], context.locales),
    isForAll: type !== 'divider' && isForAll(item['label'], context.locales),
    isHidden: item['hidden'] === true,
    permissions: isList(permissions) ? permissions.map(String) : [],
    rows: below.map((each) => toRow(each, context)),
  }
}

/** The address of an item in the first language; null for none, and where its route cannot be filled. */
function toAddress({ routeName, routeParams, url }: PlacedItem['item'], context: RowContext): string | null {
  const route = context.routes?.get(String(routeName))
  if (route === undefined) return typeof url === 'string' ? url : null
  const item = isMap(routeParams) ? (routeParams as RouteParams) : {}
  return toPath(route, { item, host: {}, locale: context.chain[0] ?? '' })
}

/** The item that a pointer leads to or into; null where it leads to the menu itself. */
export function itemPointer(pointer: string): string | null {
  return /^\/items\/\d+(?:\/children\/\d+)*/.exec(pointer)?.[0] ?? null
}

/** The `id` of the row of an item on the page. */
export function toAnchor(pointer: string): string {
  return `i${pointer.replaceAll(/\/(?:items|children)\//g, '-')}`
}

/** The locales of some in which a label has no text; one text is for all. */
export function missingIn(label: Json | undefined, locales: readonly Locale[]): readonly Locale[] {
  if (!isMap(label)) return []
  const hasText = (locale: Locale): boolean => {
    const text = Object.hasOwn(label, locale) ? label[locale] : null
    return typeof text === 'string' && text.trim() !== ''
  }
  return locales.filter((locale) => !parentsOf(locale).some(hasText))
}
