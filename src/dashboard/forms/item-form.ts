import { isList, isMap, type Json, type JsonMap } from '../../model/json.js'
import type { Locales } from '../../model/locale.js'
import type { Label } from '../../model/menu.js'
import { isRequired, LOCALE_PARAM, paramsOf, type Routes } from '../../model/route.js'
import type { Fields } from '../page.js'
import { isForAll, type LabelField, readLabel, toLabelFields } from './label-fields.js'
import {
  fromLines,
  fromTyped,
  isUntouched,
  listed,
  toDefined,
  toLines,
  toMap,
  toOptional,
  toTyped,
} from './typed-text.js'

/** What the form of an item shows. All values are texts, as they are in its fields. */
export interface ItemForm {
  readonly type: 'link' | 'section' | 'divider'
  readonly labels: readonly LabelField[]
  /** Whether one text is for all languages; null where there is only one. */
  readonly isSameText: boolean | null
  /** Where it leads. */
  readonly to: 'url' | 'route' | 'nowhere'
  /** The parameters of a known route. */
  readonly params: readonly { readonly name: string; readonly text: string; readonly isRequired: boolean }[]
  /** The permissions that can be ticked, those of the item first. */
  readonly permissions: readonly { readonly key: string; readonly says: Label; readonly isOn: boolean }[]
  readonly isForEveryone: boolean
  /** The other fields by their names. */
  readonly texts: Readonly<Record<TextName, string>>
  readonly isAny: boolean
  readonly isNewTab: boolean
  readonly isHidden: boolean
}

type TextName =
  | ('url' | 'route' | 'more' | 'icon' | 'permissions' | 'class' | 'title' | 'attributes' | 'id')
  | ('visibleFrom' | 'visibleUntil')
/** Keys that some types cannot have. */
const FITTING: readonly string[] = ['label', 'icon', 'routeName', 'routeParams', 'url']
/** Keys that the form decides about; all others stay. */
const DECIDED: readonly string[] = [
  ...FITTING,
  ...['type', 'permissions', 'permissionMode', 'attributes', 'hidden', 'id', 'children'],
  ...['visibleFrom', 'visibleUntil'],
]

/** What a deployment knows, which forms offer. */
export interface FormContext {
  readonly locales: Locales
  readonly routes: Routes | null
  /** What each declared permission allows; null when none are declared. */
  readonly permissions: ReadonlyMap<string, Label> | null
}

/** Permissions beyond this many are typed, not ticked. */
const MOST_TICKED = 100

/**
 * An item with what its type cannot hold, taken from the item that it was in the base of the draft. A form writes only what
 * fits the type; so a link that was made a section, and becomes a link again before the publish, has its address back, and
 * no file ever has hidden leftovers. (A draft with values that do not fit would need them taken out by all who read it.)
 */
export function withHiddenValues(item: JsonMap, before: JsonMap | null): JsonMap {
  if (before === null || typeOf(item) === 'link') return item
  const kept = Object.entries(before).filter(([key]) => FITTING.includes(key) && !Object.hasOwn(item, key))
  return { ...Object.fromEntries(kept), ...item }
}

/** The form of an item; `route` is the name that was typed, where another one was. */
export function toItemForm(item: JsonMap, context: FormContext, route?: string): ItemForm {
  const { locales, routes, permissions: declared } = context
  const { routeName, url } = item
  const name = route ?? toText(routeName)
  const pattern = routes?.get(name)
  const params = toMap(item['routeParams'])
  // The language of the visitor fills its place, unless the item has its own.
  const isShown = (param: string): boolean => param !== LOCALE_PARAM || Object.hasOwn(params, param)
  const known = pattern === undefined ? [] : [...new Set(paramsOf(pattern))].filter(isShown)
  const { class: className, title, target, rel, ...attributes } = toMap(item['attributes'])
  const isNewTab = target === '_blank'
  const others = {
    ...(target !== undefined && !isNewTab && { target }),
    ...(rel !== undefined && !(isNewTab && rel === 'noopener') && { rel }),
    ...attributes,
  }
  const permissions = (isList(item['permissions']) ? item['permissions'] : []).map(toText)
  const ticked = declared === null || declared.size > MOST_TICKED ? [] : [...declared]
  return {
    type: typeOf(item),
    labels: toLabelFields(item['label'], locales),
    isSameText: locales.locales.length > 1 ? isForAll(item['label'], locales.locales) : null,
    to:
      routeName !== undefined ? 'route' : url !== undefined || typeOf(item) !== 'section' ? 'url' : 'nowhere',
    params: known.map((each) => ({
      name: each,
      text: toTyped(Object.hasOwn(params, each) ? params[each] : undefined),
      isRequired: pattern !== undefined && isRequired(pattern, each),
    })),
    permissions: ticked
      .map(([key, says]) => ({ key, says, isOn: permissions.includes(key) }))
      .sort((one, other) => Number(other.isOn) - Number(one.isOn)),
    isForEveryone: permissions.length === 0,
    texts: {
      url: toText(url),
      route: name,
      more: toLines(Object.fromEntries(Object.entries(params).filter(([key]) => !known.includes(key)))),
      icon: toText(item['icon']),
      permissions: permissions.filter((key) => !ticked.some(([each]) => each === key)).join('\n'),
      class: toText(className),
      title: toText(title),
      attributes: toLines(others),
      id: toText(item['id']),
      visibleFrom: toText(item['visibleFrom']),
      visibleUntil: toText(item['visibleUntil']),
    },
    isAny: item['permissionMode'] === 'any',
    isNewTab,
    isHidden: item['hidden'] === true,
  }
}

/** All fields of the item that was typed into the form of another one. What was not touched is as it was, to the byte. */
export function readItemForm(form: Fields, item: JsonMap, context: FormContext): JsonMap {
  const shown = toItemForm(item, context, form.get('route'))
  const typed = (name: keyof ItemForm['texts']): string => (form.get(name) ?? shown.texts[name]).trim()
  const isSame = (...names: readonly (keyof ItemForm['texts'])[]): boolean =>
    names.every((name) => isUntouched(shown.texts[name], form.get(name) ?? shown.texts[name]))
  const chosen = form.get('type')
  const type = chosen === 'section' || chosen === 'divider' ? chosen : 'link'
  const to = form.get('to') ?? shown.to
  const text = (key: string, name: keyof ItemForm['texts']): Json | undefined =>
    item[key] !== undefined && isUntouched(toText(item[key]), typed(name))
      ? item[key]
      : typed(name) === ''
        ? undefined
        : typed(name)

  const paramTexts = shown.params.map(
    ({ name, text: was }) => [name, was, form.get(`param:${name}`) ?? was] as const,
  )
  const areParamsSame = isSame('more') && paramTexts.every(([, was, now]) => isUntouched(was, now))
  const params = {
    ...Object.fromEntries(
      paramTexts
        .filter(([, , now]) => now.trim() !== '')
        .map(([name, , now]) => [name, fromTyped(now.trim())]),
    ),
    ...fromLines(form.get('more') ?? shown.texts.more),
  }
  const isNewTab = form.has('newTab')
  const areAttributesSame = isNewTab === shown.isNewTab && isSame('class', 'title', 'attributes')
  const attributes = {
    ...(typed('class') !== '' && { class: typed('class') }),
    ...(typed('title') !== '' && { title: typed('title') }),
    ...(isNewTab && { target: '_blank', rel: 'noopener' }),
    ...fromLines(form.get('attributes') ?? shown.texts.attributes),
  }
  const isAny = (form.get('mode') ?? (shown.isAny ? 'any' : 'all')) === 'any'
  const isEveryone = form.get('who') === 'everyone'
  const isSameMode = isEveryone ? shown.isForEveryone : isAny === shown.isAny
  const isOn = (key: string): boolean => form.has(`permission:${key}`)
  const arePermissionsSame =
    isSame('permissions') && shown.permissions.every((each) => each.isOn === isOn(each.key))
  const keys = [...shown.permissions.map(({ key }) => key).filter(isOn), ...listed(typed('permissions'))]
  const before = isList(item['permissions']) ? item['permissions'].map(toText) : []
  // Those that stay keep their order.
  const wanted = new Set([...before.filter((key) => keys.includes(key)), ...keys])
  const permissions =
    (isEveryone && shown.isForEveryone) || (!isEveryone && arePermissionsSame)
      ? item['permissions']
      : isEveryone
        ? undefined
        : toOptional([...wanted])
  const isSameText = shown.isSameText === null ? null : form.has('sameText')
  const leadsToRoute = type !== 'divider' && to === 'route'
  const leadsToUrl = type === 'link' && to !== 'route'
  const fields: Readonly<Record<string, Json | undefined>> = {
    type: type === typeOf(item) ? item['type'] : type === 'link' ? undefined : type,
    id: text('id', 'id'),
    label: type === 'divider' ? undefined : readLabel(form, item['label'], context.locales, isSameText),
    routeName: leadsToRoute ? text('routeName', 'route') : undefined,
    routeParams: leadsToRoute ? (areParamsSame ? item['routeParams'] : toOptional(params)) : undefined,
    url: leadsToUrl ? text('url', 'url') : undefined,
    icon: type === 'divider' ? undefined : text('icon', 'icon'),
    permissions,
    permissionMode: isSameMode ? item['permissionMode'] : isAny && !isEveryone ? 'any' : undefined,
    attributes: areAttributesSame ? item['attributes'] : toOptional(attributes),
    hidden: form.has('hidden') === shown.isHidden ? item['hidden'] : form.has('hidden') ? true : undefined,
    visibleFrom: text('visibleFrom', 'visibleFrom'),
    visibleUntil: text('visibleUntil', 'visibleUntil'),
  }
  const others = Object.entries(item).filter(([key]) => !DECIDED.includes(key))
  return { ...toDefined(fields), ...Object.fromEntries(others) }
}

function toText(value: Json | undefined): string {
  return value === undefined || value === null
    ? ''
    : typeof value === 'string'
      ? value
      : JSON.stringify(value)
}

/** The type of an item, whatever its value says. */
export function typeOf(item: Json): ItemForm['type'] {
  const type = isMap(item) ? item['type'] : null
  return type === 'section' || type === 'divider' ? type : 'link'
}
