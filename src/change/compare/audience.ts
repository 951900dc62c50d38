import { isList, type JsonMap } from '../../model/json.js'
import type { Items, PlacedItem } from '../items.js'

/** A viewer with at least one key of each clause may see what is behind them. */
type Clauses = readonly (readonly string[])[]

/** Who may see an item, as far as the file decides: no clause is everyone; null is no one, as it or one above is hidden. */
export type Audience = Clauses | null

export const EVERYBODY: Audience = []

/** Who may see an item among those who may see the item above it. */
export function narrowBy(audience: Audience, item: JsonMap): Audience {
  if (audience === null || item['hidden'] === true) return null
  const clauses = clausesOf(item)
  return clauses.length === 0 ? audience : shortest([...audience, ...clauses])
}

/** What an item itself requires of its viewer, regardless of the items above it. */
function clausesOf({ permissions, permissionMode }: JsonMap): Clauses {
  const given = isList(permissions) ? permissions.filter((key) => typeof key === 'string') : []
  const keys = [...new Set(given)].sort()
  return permissionMode === 'any' && keys.length > 0 ? [keys] : keys.map((key) => [key])
}

/** Who may see each item, and the menu itself. */
export function audiencesOf({ menu, all }: Items): ReadonlyMap<PlacedItem, Audience> {
  const audiences = new Map<PlacedItem | null, Audience>([[menu, EVERYBODY]])
  for (const each of all) audiences.set(each, narrowBy(audiences.get(each.parent) ?? null, each.item))
  return audiences as Map<PlacedItem, Audience>
}

/** With more ways than this to fail several audiences, a change counts as wider: people have to judge it. */
const MAX_WAYS = 10_000

/** Whether some viewer, a set of keys, is in the last audience and in none of the first ones. */
export function isWider(befores: readonly Audience[], after: Audience): boolean {
  if (after === null) return false
  const audiences: Clauses[] = []
  let ways = 1
  for (const audience of new Set(befores)) {
    if (audience === null || ways * audience.length > MAX_WAYS) continue
    audiences.push(audience)
    ways *= audience.length
  }
  // A viewer who fails all of them fails one clause of each; the viewer who lacks only these keys has the most.
  const isFound = (place: number, lost: readonly string[]): boolean => {
    if (after.some((clause) => includesAll(lost, clause))) return false
    const audience = audiences[place]
    return audience === undefined || audience.some((clause) => isFound(place + 1, [...lost, ...clause]))
  }
  return isFound(0, [])
}

/** An audience in words: `everybody`, `nobody`, or the viewers it admits, such as `viewers with a, and with b or c`. */
export function describeAudience(audience: Audience): string {
  if (audience === null) return 'nobody'
  if (audience.length === 0) return 'everybody'
  const all = audience.filter((clause) => clause.length === 1).flat()
  const any = audience.filter((clause) => clause.length > 1).map((clause) => clause.join(' or '))
  return `viewers with ${[...(all.length === 0 ? [] : [toSeries(all)]), ...any].join(', and with ')}`
}

/** Words in a row: `a, b and c`. */
export function toSeries(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

/** Without the clauses that others imply. */
function shortest(clauses: Clauses): Audience {
  return clauses.filter(
    (clause, place) =>
      !clauses.some(
        (other, otherPlace) =>
          includesAll(clause, other) && (other.length < clause.length || otherPlace < place),
      ),
  )
}

function includesAll(keys: readonly string[], others: readonly string[]): boolean {
  return others.length <= keys.length && others.every((key) => keys.includes(key))
}
