import { isEqual, isList, isMap, type Json, type JsonMap, own, valueAt } from '../../model/json.js'
import { toLabelText } from '../../model/label.js'
import { type Locales, labelChain, toLocale } from '../../model/locale.js'
import { parsePointer, toPointer } from '../../model/pointer.js'
import { quote } from '../issue.js'
import { createNotebook, type Notebook, type Notes } from './conversion.js'
import { HOMELESS, isAbsent, MENU_HOMES, OWN_MEMBER, OWN_READING, restOf } from './fields.js'
import { toMenuValue } from './import.js'
import { toItemValue } from './import-items.js'

/** A block of the bundle's JSON, and what the bundle will not see of the menu; pointers are those of the menu. */
export interface Export extends Notes {
  readonly block: {
    readonly menu: JsonMap
    readonly items: readonly JsonMap[]
    readonly [OWN_MEMBER]?: JsonMap
  }
}

const WINDOW: readonly string[] = ['visibleFrom', 'visibleUntil']

/** How an export is made. */
type Exporting = Locales & { readonly notebook: Notebook }

/**
 * The block of a valid menu for the importer of the Symfony bundle (see `fields.ts`); several make `{"menus": […]}`. Nothing is
 * lost: what the bundle has no place for is in members named `menuscript`, which the bundle ignores, and which our import reads.
 * There are: hidden items and items with a time window, which the bundle would show, with what is below them; ids; attributes but
 * a target of `_blank`; the label and the `x-` keys of `display`; parameters beside a url; what is ignored on dividers. A label
 * without a text in the default locale gets the one that visitors read there.
 */
export function exportMenu(value: JsonMap, locales: Locales): Export {
  const notebook = createNotebook()
  const exporting = { ...locales, notebook }
  const display = own(value, 'display')
  const homes = Object.values(MENU_HOMES).map((home) => home.split('/')[2])
  if (isMap(display)) reportLost(display, '/display', notebook, (key) => homes.includes(key))
  reportLost(value, '', notebook, (key) => !WINDOW.includes(key))
  const menu = { ...pick(value, MENU_HOMES), ...otherKeys(value, HOMELESS.menu) }
  const { rows: items, unseen } = toRows(own(value, 'items'), '/items', exporting)
  const { items: _, ...rest } = value
  const others = { ...restOf(rest, toMenuValue(menu)), ...(unseen.length > 0 && { items: unseen }) }
  return { block: { menu, items, ...(hasKeys(others) && { [OWN_MEMBER]: others }) }, ...notebook.all() }
}

/** The values in a map that have content, by the names of their fields; `homes` has their pointers. */
function pick(map: JsonMap, homes: Readonly<Record<string, string>>): JsonMap {
  const entries = Object.entries(homes).map(
    ([field, home]) => [field, valueAt(map, parsePointer(home) ?? []) ?? null] as const,
  )
  return Object.fromEntries(entries.filter(([field, value]) => !isAbsent(value, field)))
}

/** The keys that begin with `x-`, those of the bundle's own fields without it. */
function otherKeys(map: JsonMap, fields: readonly string[]): JsonMap {
  const entries = Object.entries(map).filter(([key]) => key.startsWith('x-'))
  return Object.fromEntries(
    entries.map(([key, value]) => {
      const field = key.slice(2)
      return [fields.includes(field) && !isAbsent(value, field) ? field : key, value]
    }),
  )
}

/** Reports the keys of a map that the JSON has no place for. */
function reportLost(map: JsonMap, at: string, notebook: Notebook, isKept: (key: string) => boolean): void {
  for (const key of Object.keys(map).filter((each) => !isKept(each)))
    notebook.add(
      'dropped',
      at + toPointer([key]),
      `${quote(key)} is not in the fields of the bundle: it is kept in ${quote(OWN_MEMBER)}.`,
    )
}

/** The rows of a list that the bundle is to show, and those that it is not. Each has its position in the whole list. */
function toRows(
  items: Json | undefined,
  at: string,
  exporting: Exporting,
): { readonly rows: readonly JsonMap[]; readonly unseen: readonly JsonMap[] } {
  const rows: JsonMap[] = []
  const unseen: JsonMap[] = []
  for (const [position, item] of (isList(items) ? items : []).entries()) {
    if (!isMap(item)) continue
    const pointer = `${at}/${position}`
    const why =
      own(item, 'hidden') === true ? 'show a hidden item' : isTimed(item) ? 'show it at all times' : null
    const what = `The item and everything below it is kept in ${quote(OWN_MEMBER)}, because the bundle would ${why}.`
    if (why !== null) exporting.notebook.add('dropped', pointer, what)
    const notebook = why === null ? exporting.notebook : createNotebook()
    const row = { ...toRow(item, pointer, { ...exporting, notebook }), position }
    const list = why === null ? rows : unseen
    list.push(row)
  }
  return { rows, unseen }
}

function isTimed(item: JsonMap): boolean {
  return WINDOW.some((key) => own(item, key) !== undefined)
}

function toRow(item: JsonMap, at: string, exporting: Exporting): JsonMap {
  const type = own(item, 'type') ?? 'link'
  const isService = type === 'section' && own(item, 'x-itemType') === 'service'
  const { 'x-itemType': _, ...unmarked } = item
  const isRouted = own(item, 'routeName') !== undefined
  const hasNoUse = isRouted ? ['id'] : ['id', 'routeParams']
  reportLost(item, at, exporting.notebook, (key) => !hasNoUse.includes(key))
  const target = fromAttributes(own(item, 'attributes'), `${at}/attributes`, exporting)
  const { rows: children, unseen } = toRows(own(item, 'children'), `${at}/children`, exporting)
  const row = {
    ...(type !== 'divider' && { ...fromLabel(own(item, 'label'), exporting), ...fromLink(item, isRouted) }),
    itemType: isService ? 'service' : type,
    ...pick(item, { permissionKeys: '/permissions' }),
    ...(own(item, 'permissionMode') === 'any' && { isUnanimous: false }),
    ...target,
    ...otherKeys(isService ? unmarked : item, HOMELESS.item),
  }
  const { children: given, ...rest } = item
  const others = {
    ...restOf(
      isList(given) && given.length > 0 ? rest : item,
      toItemValue({ ...row, ...OWN_READING }, exporting),
    ),
    ...(unseen.length > 0 && { children: unseen }),
  }
  const isPlain = !hasKeys(others) && isEqual(toItemValue(row, exporting), rest)
  return {
    ...row,
    ...(children.length > 0 && { children }),
    ...(!isPlain && { [OWN_MEMBER]: others }),
  }
}

function hasKeys(map: JsonMap): boolean {
  return Object.keys(map).length > 0
}

/** The base label is the text for the default locale, which the bundle shows where there is no translation. */
function fromLabel(label: Json | undefined, locales: Locales): JsonMap {
  if (!isMap(label)) return { label: label ?? '' }
  const texts = Object.entries(label).filter(([, text]) => typeof text === 'string' && text.trim() !== '')
  const translations = Object.fromEntries(texts.map(([tag, text]) => [toLocale(tag) ?? tag, text]))
  return { label: toLabelText(translations, labelChain(locales.defaultLocale, locales)).text, translations }
}

function fromLink(item: JsonMap, isRouted: boolean): JsonMap {
  const fields = isRouted ? { routeName: '/routeName', routeParams: '/routeParams' } : { externalUrl: '/url' }
  const destination = pick(item, { ...fields, icon: '/icon' })
  const isExternal = Object.hasOwn(destination, 'externalUrl')
  return { ...((isRouted || isExternal) && { linkType: isRouted ? 'route' : 'external' }), ...destination }
}

/** A new tab; other attributes are left out. `_blank` means `noopener` on both sides. */
function fromAttributes(attributes: Json | undefined, at: string, { notebook }: Exporting): JsonMap {
  if (!isMap(attributes)) return {}
  const isNewTab = own(attributes, 'target') === '_blank'
  const isKept = (key: string): boolean =>
    key === 'target' || (key === 'rel' && attributes[key] === 'noopener')
  reportLost(attributes, at, notebook, (key) => isNewTab && isKept(key))
  return isNewTab ? { targetBlank: true } : {}
}
