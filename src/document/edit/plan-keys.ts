import type { JsonMap } from '../../model/json.js'
import { MENU_KEYS } from '../menu-keys.js'

const DESTINATIONS = ['url', 'routeName']

/**
 * Plans the keys of a map, each with the place that it had, or null: existing keys keep their order, and new ones go where
 * they are customary in items, else where they are in the map; `isNew`: the map has no line yet.
 */
export function planKeys(
  before: readonly string[],
  after: JsonMap,
  isCustomary: boolean,
  isNew: boolean,
): readonly (readonly [key: string, place: number | null])[] {
  const plan: { key: string | null; readonly old: string | null }[] = before.map((old) => {
    return { key: Object.hasOwn(after, old) ? old : null, old }
  })
  const order = Object.keys(after)
  const added = order.filter((key) => !before.includes(key))
  const gone = plan.find(({ key, old }) => key === null && DESTINATIONS.includes(old ?? ''))
  const come = added.findIndex((key) => DESTINATIONS.includes(key))
  // A link with another destination keeps it in the same line.
  if (isCustomary && gone !== undefined && come >= 0) gone.key = added.splice(come, 1)[0] ?? null
  for (const key of added) {
    const nearest = order.slice(0, order.indexOf(key)).findLast((each) => before.includes(each))
    const isAbove = (each: string): boolean => (isCustomary ? isCustomaryAbove(each, key) : each === nearest)
    let at = plan.findLastIndex(({ old }) => old !== null && isAbove(old))
    // Where lines exist already, one more line is all that changes.
    if (at === -1 && isCustomary && !isNew) at = plan.findIndex(({ old }) => old !== null)
    while (plan[at + 1]?.old === null) at++
    plan.splice(at + 1, 0, { key, old: null })
  }
  return plan.flatMap(({ key, old }) => {
    return key === null ? [] : [[key, old === null ? null : before.indexOf(old)] as const]
  })
}

/** Whether a key is usually above another; an unknown key is above what may be long. */
function isCustomaryAbove(each: string, key: string): boolean {
  const [rank, other] = [MENU_KEYS.indexOf(key), MENU_KEYS.indexOf(each)]
  return rank < 0 ? each !== 'children' && each !== 'items' : other >= 0 && other < rank
}
