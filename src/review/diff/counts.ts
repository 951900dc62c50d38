import { isOwnChange, type MenuDifference } from '../../change/compare/differences.js'
import { count } from '../count.js'
import type { DiffReport, ItemCounts, MenuReport, MenuStatus } from './report.js'

/** What became of the items of some menus together. */
export function countItems(differences: readonly MenuDifference[]): ItemCounts {
  const counts = { added: 0, removed: 0, moved: 0, edited: 0 }
  for (const { items } of differences)
    for (const { kind, moved } of items.filter(isOwnChange))
      counts[kind !== 'changed' ? kind : moved ? 'moved' : 'edited']++
  return counts
}

/** `1 added, 1 moved`; `''` where no item changed. */
export function toItemCounts(counts: ItemCounts): string {
  const parts = (['added', 'removed', 'moved', 'edited'] as const).map(
    (each) => [counts[each], each] as const,
  )
  return parts.flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`])).join(', ')
}

/** `changed: 1 added, 2 edited`, `added with 3 items`: a status with what became of the items. */
export function toStatusWords({ status, counts, after, before }: MenuReport): string {
  const words = toItemCounts(counts)
  if (status === 'changed') return words === '' ? status : `${status}: ${words}`
  const number = status === 'added' && after !== null ? counts.added : counts.removed
  if ((status !== 'added' && status !== 'removed') || (after ?? before) === null) return status
  return `${status} with ${count(number, 'item')}`
}

/** How many menus have each status, in words: `2 changed, 1 added`. */
export function toCounts({ menus }: DiffReport): string {
  const order: readonly MenuStatus[] = ['changed', 'added', 'removed', 'moved', 'broken', 'mended']
  const parts = order.flatMap((status) => {
    const number = menus.filter((menu) => menu.status === status).length
    return number === 0 ? [] : [`${number} ${status}`]
  })
  return parts.length === 0 ? 'nothing changed' : parts.join(', ')
}
