import type { Note } from '../../../src/document/exchange/conversion.js'
import { type Import, type ImportedMenu, importMenus } from '../../../src/document/exchange/import.js'
import type { Limits } from '../../../src/model/limits.js'
import type { MenuItem } from '../../../src/model/menu.js'
import { toOptions } from '../parsing.js'

const LOCALES = ['en', 'es', 'pt-BR']

/** Imports a JSON text, or a value as JSON, into a deployment that speaks three languages. */
export function imported(given: unknown, limits: Partial<Limits> = {}): Import {
  const bytes =
    given instanceof Uint8Array
      ? given
      : Buffer.from(typeof given === 'string' ? given : JSON.stringify(given))
  const work = importMenus(bytes, toOptions({ locales: LOCALES, limits }), 'en')
  let step = work.next()
  while (step.done !== true) step = work.next()
  return step.value
}

/** Imports the items of one menu. */
export function importedItems(...items: readonly unknown[]): Import {
  return imported({ menu: { code: 'main', name: 'Main' }, items })
}

/** Imports a menu without items. */
export function importedMenu(menu: object): Import {
  return imported({ menu: { code: 'main', name: 'Main', ...menu }, items: [] })
}

/** The only menu of an import that has to have exactly one, and no refusals. */
export function onlyMenu({ menus, notes, refusals }: Import): ImportedMenu {
  const [menu, ...more] = menus
  if (menu === undefined || more.length > 0 || refusals > 0)
    throw new Error(`not one menu: ${toLines(notes).join('\n')}`)
  return menu
}

/** The items of the only menu, as their file has them. */
export function itemsOf(found: Import): readonly Readonly<Record<string, unknown>>[] {
  return onlyMenu(found).value['items'] as never
}

/** The items of the only menu, as they are served. */
export function servedItems(found: Import): readonly MenuItem[] {
  return onlyMenu(found).menu.items
}

/** Notes in short: `kind pointer`. */
export function toLines(notes: readonly Note[]): string[] {
  return notes.map(({ kind, pointer }) => `${kind} ${pointer}`)
}
