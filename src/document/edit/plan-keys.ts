import type { JsonMap } from '../../model/json.js'
import { MENU_KEYS } from '../menu-keys.js'

/** A key of a map as it will be, and the place that it had; null for a new one. */
export interface KeyStep {
  readonly key: string
  readonly place: number | null
}

const DESTINATIONS = ['url', 'routeName']

/**
 * Plans the keys of a map: existing keys keep their order, and new ones go where they are customary in items, else where
 * they are in the map; `isNew`: the map has no line yet.
 */
export function planKeys(
  before: readonly string[],
  after: JsonMap,
  isCustomary: boolean,
  isNew = false,
): readonly KeyStep[] {
  const plan = before.map((old, place) => ({
    old,
    key: Object.hasOwn(after, old) ? old : null,
    isNew: false,
    place,
  }))
  const order = Object.keys(after)
  const added = order.filter((key) => !before.includes(key))
  const old = plan.find((step) => step.key === null && DESTINATIONS.includes(step.old))
  const now = added.find((key) => DESTINATIONS.includes(key))
  // A link with another destination keeps it in the same line.
  if (isCustomary && old !== undefined && now !== undefined)
    old.key = added.splice(added.indexOf(now), 1)[0] ?? now
  for (const key of added) {
    const nearest = order.slice(0, order.indexOf(key)).findLast((each) => before.includes(each))
    const isAbove = (each: string): boolean => (isCustomary ? isCustomaryAbove(each, key) : each === nearest)
    let at = plan.findLastIndex((step) => !step.isNew && isAbove(step.old))
    // Where lines exist already, one more line is all that changes.
    if (at === -1 && isCustomary && !isNew && before.length > 0) at = plan.findIndex((step) => !step.isNew)
    while (plan[at + 1]?.isNew === true) at++
    plan.splice(at + 1, 0, { old: key, key, isNew: true, place: -1 })
  }
  return plan.flatMap(({ key, isNew: isAdded, place }) =>
    key === null ? [] : [{ key, place: isAdded ? null : place }],
  )
}

/** Whether a key is usually above another; an unknown key is above what may be long. */
function isCustomaryAbove(each: string, key: string): boolean {
  const [rank, other] = [MENU_KEYS.indexOf(key), MENU_KEYS.indexOf(each)]
  return rank < 0 ? each !== 'children' && each !== 'items' : other >= 0 && other < rank
}
