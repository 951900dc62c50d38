import type { Mark, TreeItem, Trees } from './trees.js'

/** A line of the two trees in one. */
export interface TreeRow {
  readonly level: number
  /** The place of the line of the item above; -1 for none. */
  readonly above: number
  readonly mark: Mark
  readonly item: TreeItem
  /** The change, in words that hold data. */
  readonly note: string
}

/** A line of a tree, or the number of unchanged lines left out. */
export type ShownRow = TreeRow | { readonly level: number; readonly omitted: number }

/** The tree before and the tree after as one: removed items are where they were. Empty when no line changed. */
export function toRows(trees: Trees): readonly TreeRow[] {
  const rows: TreeRow[] = []

  const levelBelow = (above: number): number => (rows[above]?.level ?? -1) + 1

  const leave = (item: TreeItem, above: number): void => {
    const isGone = item.mark === 'gone'
    if (!isGone && item.left === '') return
    const goneNote = item.isInBoth ? 'this viewer no longer sees it' : ''
    const note = isGone ? goneNote : `moved to ${item.left}`
    rows.push({ level: levelBelow(above), above, mark: 'gone', item, note })
    if (isGone) merge(item.children, [], rows.length - 1)
  }

  const merge = (before: readonly TreeItem[], after: readonly TreeItem[], above: number): void => {
    let open = 0
    const leaveUpTo = (place: number): void => {
      for (const old of before.slice(open, place)) leave(old, above)
      open = Math.max(open, place)
    }
    const places = after.map(({ mark, was }) => (mark === 'moved' || was === null ? -1 : before.indexOf(was)))
    const nextPlaces = [...places]
    for (let at = places.length - 1; at >= 0; at--)
      if (places[at] === -1) nextPlaces[at] = nextPlaces[at + 1] ?? before.length
    for (const [at, item] of after.entries()) {
      // Removed items come before their replacements.
      leaveUpTo(nextPlaces[at] ?? before.length)
      if (places[at] !== -1) open++
      const { mark, was, isInBoth } = item
      const note = mark !== 'new' ? item.note : isInBoth ? 'this viewer did not see it' : ''
      rows.push({ level: levelBelow(above), above, mark, item, note })
      merge(was?.children ?? [], item.children, rows.length - 1)
    }
    leaveUpTo(before.length)
  }

  merge(trees.before ?? [], trees.after ?? [], -1)
  return rows.some(({ mark, note }) => mark !== 'same' || note !== '') ? rows : []
}

/** Leaves out lines far from any change: keeps changed lines, the lines above them and the nearest neighbours. */
export function foldRows(rows: readonly TreeRow[]): readonly ShownRow[] {
  const kept = new Set<number>()
  for (const [place, { mark, note }] of rows.entries()) {
    if (mark === 'same' && note === '') continue
    for (const near of [place - 1, place, place + 1]) {
      for (let at = near; rows[at] !== undefined && !kept.has(at); at = rows[at]?.above ?? -1) kept.add(at)
    }
  }
  const shown: ShownRow[] = []
  for (const [place, row] of rows.entries()) {
    const last = shown.at(-1)
    if (kept.has(place)) shown.push(row)
    else if (last !== undefined && 'omitted' in last) {
      shown[shown.length - 1] = { level: Math.min(last.level, row.level), omitted: last.omitted + 1 }
    } else shown.push({ level: row.level, omitted: 1 })
  }
  return shown
}
