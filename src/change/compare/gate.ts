import { isList, type JsonMap } from '../../model/json.js'
import type { Items, PlacedItem } from '../items.js'

/** A viewer with at least one key of each clause may see what is behind them. */
type Clauses = readonly (readonly string[])[]

/** Who may see an item, as far as the file decides it: no clause is everybody, null is nobody: it or one above it is hidden. */
export type Gate = Clauses | null

export const EVERYBODY: Gate = []

/** Who may see an item among those who may see the item above it. */
export function narrowBy(gate: Gate, item: JsonMap): Gate {
  if (gate === null || item['hidden'] === true) return null
  const clauses = clausesOf(item)
  return clauses.length === 0 ? gate : shortest([...gate, ...clauses])
}

/** What an item itself requires of its viewer, regardless of the items above it. */
function clausesOf({ permissions, permissionMode }: JsonMap): Clauses {
  const given = isList(permissions) ? permissions.filter((key) => typeof key === 'string') : []
  const keys = [...new Set(given)].sort()
  return permissionMode === 'any' && keys.length > 0 ? [keys] : keys.map((key) => [key])
}

/** Who may see each item, and the menu itself. */
export function gatesOf({ menu, all }: Items): ReadonlyMap<PlacedItem, Gate> {
  const gates = new Map<PlacedItem | null, Gate>([[menu, EVERYBODY]])
  for (const each of all) gates.set(each, narrowBy(gates.get(each.parent) ?? null, each.item))
  return gates as Map<PlacedItem, Gate>
}

/** With more ways than this to fail several gates, a change counts as wider: people have to judge it. */
const MAX_WAYS = 10_000

/** Whether some viewer, a set of keys, may see what is behind the last gate, but nothing behind the first ones. */
export function isWider(befores: readonly Gate[], after: Gate): boolean {
  if (after === null) return false
  const gates: Clauses[] = []
  let ways = 1
  for (const gate of new Set(befores)) {
    if (gate === null || ways * gate.length > MAX_WAYS) continue
    gates.push(gate)
    ways *= gate.length
  }
  // A viewer who fails all of them fails one clause of each; the viewer who lacks only these keys has the most.
  const isFound = (place: number, lost: readonly string[]): boolean => {
    if (after.some((clause) => includesAll(lost, clause))) return false
    const gate = gates[place]
    return gate === undefined || gate.some((clause) => isFound(place + 1, [...lost, ...clause]))
  }
  return isFound(0, [])
}

/** A gate in words: `everybody`, `nobody`, or the viewers it admits, such as `viewers with a, and with b or c`. */
export function describeGate(gate: Gate): string {
  if (gate === null) return 'nobody'
  if (gate.length === 0) return 'everybody'
  const all = gate.filter((clause) => clause.length === 1).flat()
  const any = gate.filter((clause) => clause.length > 1).map((clause) => clause.join(' or '))
  return `viewers with ${[...(all.length === 0 ? [] : [toSeries(all)]), ...any].join(', and with ')}`
}

/** Words in a row: `a, b and c`. */
export function toSeries(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

/** Without the clauses that others imply. */
function shortest(clauses: Clauses): Gate {
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
