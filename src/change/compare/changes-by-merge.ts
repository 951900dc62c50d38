import type { Json } from '../../model/json.js'
import { readItems } from '../items.js'
import { differences, type ItemDifference, type MenuDifference } from './differences.js'
import type { FieldChange } from './field-changes.js'
import { type ItemFate, toFates } from './item-fates.js'
import { type Match, matchItems, toPointers } from './match.js'

/** One of the versions that meet in a merge, compared with the merge. */
interface Parent extends MenuDifference {
  readonly match: Match
  /** The items that are in both and differ, and those that only the merge has, by their pointers. */
  readonly changes: ReadonlyMap<string | undefined, ItemDifference>
  readonly fates: ReadonlyMap<string, ItemFate>
}

/**
 * The changes of the merge itself: fields of items and keys of the menu that are so on none of its parents, items that only the
 * merge has or lacks, and places where none of them has the item.
 */
export function changesByMerge(
  befores: readonly Json[],
  value: Json,
  locales: readonly string[],
): MenuDifference {
  const after = readItems(value)
  const parents = befores.map((before): Parent => {
    const match = matchItems(readItems(before), after)
    const difference = differences(match, locales)
    const changes = new Map(difference.items.map((item) => [item.after?.pointer, item]))
    return { ...difference, match, changes, fates: toFates(match) }
  })
  const [first, ...others] = parents
  const isEverywhere = ({ key, part }: FieldChange): boolean =>
    others.every(({ fields }) => fields.some((each) => each.key === key && each.part === part))
  return {
    fields: first?.fields.filter(isEverywhere) ?? [],
    items: [
      ...after.all.flatMap(({ pointer }) => ownChange(pointer, parents) ?? []),
      ...(first === undefined ? [] : removedByAll(first, others)),
    ],
  }
}

function ownChange(pointer: string, parents: readonly Parent[]): ItemDifference | null {
  const known = parents.filter(({ fates }) => fates.get(pointer)?.before != null)
  const changes = (known.length === 0 ? parents : known).map((parent) => parent.changes.get(pointer))
  const [change] = changes
  if (change === undefined) return null
  if (known.length === 0) return change
  const fates = known.map(({ fates }) => fates.get(pointer))
  const own = fates[0]?.edited.filter((field) => fates.every((fate) => fate?.edited.includes(field))) ?? []
  const isOwn = ({ key, part }: FieldChange): boolean =>
    part === null ? own.some((field) => field.split('.')[0] === key) : own.includes(`${key}.${part}`)
  const fields = change.fields.filter(isOwn)
  const moved = fates.every((fate) => fate?.move === 'moved')
  if (fields.length === 0 && !moved) return null
  const widens = changes.every((each) => each?.widens === true)
  const narrows = changes.every((each) => each?.narrows === true)
  return { ...change, fields, moved, widens, narrows, exposes: false }
}

function removedByAll(first: Parent, others: readonly Parent[]): readonly ItemDifference[] {
  let removed = first.items.filter(({ kind }) => kind === 'removed')
  for (const { items, match } of others) {
    if (removed.length === 0) break
    const gone = new Set(items.flatMap(({ kind, before }) => (kind === 'removed' ? [before?.pointer] : [])))
    const twins = toPointers(matchItems(first.match.before, match.before).toAfter)
    removed = removed.filter(({ before }) => gone.has(twins.get(before?.pointer ?? '')))
  }
  return removed
}
