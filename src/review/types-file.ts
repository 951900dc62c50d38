import { toContextKey } from '../model/context.js'
import { type Context, everyItem, type Menu } from '../model/menu.js'
import type { AnyMenuTypes } from '../model/menu-types.js'
import { toPlainJson } from '../model/plain-json.js'
import { compareText } from '../model/problem.js'
import type { Settings } from '../service/settings.js'

/** How each file of types begins. */
export const TYPES_HEAD = '// Written by `menuscript types`. Do not edit.\n'

/**
 * The names that menus and their configuration use, as TypeScript: the same for the same names, whatever the order of files
 * and items. Whatever is in a name, it ends neither its string nor its line.
 */
export function toTypesFile(menus: readonly Menu[], { locales, routes, permissions }: Settings): string {
  const items = menus.flatMap((menu) => [...everyItem(menu.items)])
  const routeNames = items.flatMap((item) => (item.type === 'divider' ? [] : (item.routeName ?? [])))
  const contexts = menus.map(({ context }) => context).filter((context) => Object.keys(context).length > 0)
  const unions: Readonly<Record<keyof AnyMenuTypes, readonly string[]>> = {
    code: menus.map(({ code }) => toLiteral(code)),
    context: sortedBy(contexts, toContextKey).map(toContextType),
    locale: locales.locales.map(toLiteral),
    routeName: [...(routes?.keys() ?? []), ...routeNames].map(toLiteral),
    permission: [...(permissions?.keys() ?? []), ...items.flatMap((item) => item.permissions)].map(toLiteral),
  }
  const members = Object.entries(unions).map(([name, types]) => {
    const lines = sortedBy(types, (type) => type).map((type) => `\n    | ${type}`)
    return `  readonly ${name}:${lines.join('') || ' never'}\n`
  })
  return `${TYPES_HEAD}
/** The names that the menus and the configuration of this project use. */
export interface MenuTypes {
${members.join('')}}
`
}

/** The values with different keys, in the order of their keys. */
function sortedBy<Value>(values: readonly Value[], keyOf: (value: Value) => string): readonly Value[] {
  const byKey = new Map(values.map((value) => [keyOf(value), value]))
  return [...byKey].sort(([a], [b]) => compareText(a, b)).map(([, value]) => value)
}

function toContextType(context: Context): string {
  const entries = sortedBy(Object.entries(context), ([key]) => key)
  return `{ ${entries.map(([key, value]) => `readonly ${toLiteral(key)}: ${toLiteral(value)}`).join('; ')} }`
}

/** A scalar as a literal: JSON is one, with escapes for what must not be in a line, or would not be seen there. */
function toLiteral(value: Context[string]): string {
  return toPlainJson(value)
}
