import { isDeepStrictEqual } from 'node:util'
import type { Json, JsonMap } from '../../src/model/json.js'

/** Reads menus for what judges a merge, so that nothing of the merge judges itself. */

export interface ModelItem {
  readonly item: JsonMap
  /** The item without what is below it. */
  readonly own: JsonMap
  readonly pointer: string
  /** The item above it; null at the top. */
  readonly parent: ModelItem | null
}

/** Every item of a menu, parents before children. */
export function itemsIn(menu: Json): readonly ModelItem[] {
  const found: ModelItem[] = []
  const enter = (list: Json | undefined, at: string, parent: ModelItem | null): void => {
    for (const [place, item] of ((list ?? []) as readonly JsonMap[]).entries()) {
      const own: Record<string, Json> = { ...item }
      if (Array.isArray(own['children'])) delete own['children']
      const entry = { item, own, pointer: `${at}/${place}`, parent }
      found.push(entry)
      enter(item['children'], `${entry.pointer}/children`, entry)
    }
  }
  enter((menu as JsonMap)['items'], '/items', null)
  return found
}

/** The value at a pointer that exists. */
export function readAt(menu: Json, pointer: string): Json | undefined {
  const steps = pointer.split('/').slice(1)
  const names = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  return names.reduce<Json | undefined>((value, name) => (value as JsonMap)[name], menu)
}

export function isAlike(a: Json | undefined, b: Json | undefined): boolean {
  return isDeepStrictEqual(a, b)
}

/** What cannot have stayed when numbers were put in another order: what is in none of the longest rows that ascend. */
export function surelyMoved(numbers: readonly number[]): ReadonlySet<number> {
  const rows: (readonly number[])[] = [[]]
  for (const number of numbers) {
    rows.push(...rows.filter((row) => (row.at(-1) ?? -1) < number).map((row) => [...row, number]))
  }
  const longest = Math.max(...rows.map(({ length }) => length))
  const staying = new Set(rows.filter(({ length }) => length === longest).flat())
  return new Set(numbers.filter((number) => !staying.has(number)))
}

/** What two changes of a value give together; what both changed in different ways has to be a map or a list of keys. */
export function together(
  base: Json | undefined,
  mine: Json | undefined,
  theirs: Json | undefined,
): Json | undefined {
  if (isAlike(mine, base)) return theirs
  if (isAlike(theirs, base) || isAlike(mine, theirs)) return mine
  if (Array.isArray(mine) && Array.isArray(theirs)) {
    const [old, here, there] = [(base ?? []) as readonly Json[], new Set(mine), new Set(theirs)]
    return [...new Set([...mine, ...theirs])].filter((key) =>
      old.includes(key) ? here.has(key) && there.has(key) : true,
    )
  }
  if (!isPlainMap(mine) || !isPlainMap(theirs)) throw new Error('both changed it, and nobody was asked')
  const old = isPlainMap(base) ? base : {}
  const entries = Object.keys({ ...old, ...mine, ...theirs }).map(
    (key) => [key, together(old[key], mine[key], theirs[key])] as const,
  )
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as JsonMap
}

function isPlainMap(value: Json | undefined): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
