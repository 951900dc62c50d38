import { type Json, type JsonMap, toKey } from '../../model/json.js'
import type { Locales } from '../../model/locale.js'
import type { Fields } from '../page.js'
import { readContext, type YesNo } from './context-fields.js'
import { type LabelField, readLabel, toLabelFields } from './label-fields.js'
import { fromTyped, isUntouched, toDefined, toMap, toOptional, toTyped } from './typed-text.js'

/** The keys of a menu that its form decides about. */
export const MENU_KEYS = ['code', 'name', 'context', 'display', 'visibleFrom', 'visibleUntil'] as const
type TextName = Exclude<(typeof MENU_KEYS)[number], 'display' | 'context'> | 'htmlId' | 'icon' | 'depthLimit'
/** The parts of a rendered menu that have CSS classes. */
const PARTS = ['menu', 'item', 'link', 'children', 'section', 'divider', 'current', 'branch'] as const
const SWITCHES = { collapsible: false, collapsibleExpanded: true, nestedCollapsible: false } as const
type Switch = keyof typeof SWITCHES

/** What the form of a menu shows. */
export interface MenuForm {
  readonly texts: Readonly<Record<TextName, string>>
  readonly labels: readonly LabelField[]
  readonly classes: readonly {
    readonly part: (typeof PARTS)[number]
    readonly name: string
    readonly text: string
  }[]
  readonly switches: Readonly<Record<Switch, boolean>>
}

export function toMenuForm(menu: JsonMap, locales: Locales): MenuForm {
  const display = toMap(menu['display'])
  const classes = toMap(display['classes'])
  const toText = (value: Json | undefined): string => (value === null ? '' : toTyped(value))
  const isOn = (key: Switch): boolean => (display[key] ?? SWITCHES[key]) === true
  return {
    texts: {
      code: String(menu['code'] ?? ''),
      name: String(menu['name'] ?? ''),
      visibleFrom: toText(menu['visibleFrom']),
      visibleUntil: toText(menu['visibleUntil']),
      htmlId: toText(display['htmlId']),
      icon: toText(display['icon']),
      depthLimit: toText(display['depthLimit']),
    },
    labels: toLabelFields(display['label'], locales),
    classes: PARTS.map((part) => ({ part, name: `class:${part}`, text: toText(classes[part]) })),
    switches: {
      collapsible: isOn('collapsible'),
      collapsibleExpanded: isOn('collapsibleExpanded'),
      nestedCollapsible: isOn('nestedCollapsible'),
    },
  }
}

/** The keys of the menu that was typed into its form. What was not touched is as it was. */
export function readMenuForm(form: Fields, menu: JsonMap, locales: Locales, yesNo: YesNo): JsonMap {
  const shown = toMenuForm(menu, locales)
  const display = toMap(menu['display'])
  const text = (name: keyof MenuForm['texts'], present: Json | undefined, read: (typed: string) => Json) => {
    const typed = (form.get(name) ?? shown.texts[name]).trim()
    if (isUntouched(shown.texts[name], typed)) return present
    return typed === '' ? undefined : read(typed)
  }
  const classes = {
    ...toMap(display['classes']),
    ...Object.fromEntries(
      shown.classes
        .filter(({ name, text: was }) => !isUntouched(was, form.get(name) ?? was))
        .map(({ part, name }) => [part, form.get(name)?.trim() || undefined]),
    ),
  }
  const switches = (Object.keys(SWITCHES) as Switch[]).map((key) => {
    const isOn = form.has(key)
    return [
      key,
      isOn === shown.switches[key] ? display[key] : isOn === SWITCHES[key] ? undefined : isOn,
    ] as const
  })
  const kept = toDefined({
    ...display,
    ...Object.fromEntries(switches),
    label: readLabel(form, display['label'], locales),
    htmlId: text('htmlId', display['htmlId'], String),
    icon: text('icon', display['icon'], String),
    depthLimit: text('depthLimit', display['depthLimit'], fromTyped),
    classes: toOptional(toDefined(classes)),
  })
  return toDefined({
    code: text('code', menu['code'], String),
    name: text('name', menu['name'], String),
    context: contextIn(form, menu['context'], yesNo),
    display: toOptional(kept),
    visibleFrom: text('visibleFrom', menu['visibleFrom'], String),
    visibleUntil: text('visibleUntil', menu['visibleUntil'], String),
  })
}

/** The context of the form's pairs; the present one where no pair was changed, or none was shown. */
function contextIn(form: Fields, present: Json | undefined, yesNo: YesNo): Json | undefined {
  const { context } = readContext(form, yesNo, toMap(present))
  return !form.has('key1') || toKey(context) === toKey(toMap(present)) ? present : toOptional(context)
}
