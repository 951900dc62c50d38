import type { Json } from '../../model/json.js'
import { type Items, readItems } from '../items.js'
import { differences, type ItemDifference, type MenuDifference } from './differences.js'
import { type ItemFate, toFates } from './item-fates.js'
import { matchItems } from './match.js'

/** One of the versions that meet in a merge, compared with the merge. */
interface Side {
  readonly before: Items
  readonly difference: MenuDifference
  /** The items that are in both and differ, by their pointers. */
  readonly changes: ReadonlyMap<string, ItemDifference>
  readonly fates: ReadonlyMap<string, ItemFate>
}

/**
 * What a merge did by itself: fields of items and keys of the menu that are so on none of its sides, items that only the
 * merge has or lacks, and places where none of them has the item.
 */
export function ownOfMerge(
  befores: readonly Json[],
  value: Json,
  locales: readonly string[],
): MenuDifference {
  const after = readItems(value)
  const sides = befores.map((each): Side => {
    const match = matchItems(readItems(each), after)
    const difference = differences(match, locales)
    const changes = difference.items.flatMap((item) =>
      item.after === null ? [] : [[item.after.pointer, item] as const],
    )
    return { before: match.before, difference, changes: new Map(changes), fates: toFates(match) }
  })
  const [first, ...others] = sides
  const isEverywhere = ({ key, part }: MenuDifference['fields'][number]): boolean =>
    others.every(({ difference }) => difference.fields.some((each) => each.key === key && each.part === part))
  return {
    fields: (first?.difference.fields ?? []).filter(isEverywhere),
    items: [
      ...after.all.flatMap(({ pointer }) => ownChange(pointer, sides) ?? []),
      ...(first === undefined ? [] : removedByAll(first, others)),
    ],
  }
}

function ownChange(pointer: string, sides: readonly Side[]): ItemDifference | null {
  const known = sides.filter(({ fates }) => fates.get(pointer)?.before != null)
  const [first = sides[0]] = known
  const changes = (known.length === 0 ? sides : known).map((side) => side.changes.get(pointer))
  const change = first?.changes.get(pointer)
  if (change === undefined || changes.includes(undefined)) return null
  if (known.length === 0) return change
  const fates = known.map(({ fates }) => fates.get(pointer))
  const own = new Set(
    (fates[0]?.edited ?? []).filter((field) => fates.every((fate) => fate?.edited.includes(field))),
  )
  const isOwn = ({ key, part }: ItemDifference['fields'][number]): boolean =>
    part === null ? [...own].some((field) => field.split('.')[0] === key) : own.has(`${key}.${part}`)
  const fields = change.fields.filter(isOwn)
  const moved = fates.every((fate) => fate?.move === 'moved')
  if (fields.length === 0 && !moved) return null
  const widens = changes.every((each) => each?.widens === true)
  const narrows = changes.every((each) => each?.narrows === true)
  return { ...change, fields, moved, widens, narrows, exposes: false }
}

function removedByAll(first: Side, others: readonly Side[]): readonly ItemDifference[] {
  const removedBy = ({ difference }: Side): readonly ItemDifference[] =>
    difference.items.filter(({ kind }) => kind === 'removed')
  return others.reduce((removed, other) => {
    if (removed.length === 0) return removed
    const pointers = new Set(removedBy(other).map(({ before }) => before?.pointer))
    const { toAfter } = matchItems(first.before, other.before)
    return removed.filter(({ before }) => pointers.has(toAfter.get(before?.pointer ?? '')))
  }, removedBy(first))
}
