import type { Mark, TreeItem, Trees } from './trees.js'

/** A line of the two trees in one. */
export interface TreeRow {
  readonly level: number
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
  const olds = new Map<string, TreeItem>()
  const collect = (item: TreeItem): void => {
    olds.set(item.pointer, item)
    item.children.forEach(collect)
  }
  trees.before?.forEach(collect)

  const leave = (item: TreeItem, level: number): void => {
    if (item.mark === 'gone') {
      const note = item.partner === undefined ? '' : 'this viewer sees it no more'
      rows.push({ level, mark: 'gone', item, note })
      merge(item.children, [], level + 1)
    } else if (item.left !== '') rows.push({ level, mark: 'gone', item, note: `moved to ${item.left}` })
  }

  const merge = (before: readonly TreeItem[], after: readonly TreeItem[], level: number): void => {
    let open = 0
    const leaveUpTo = (place: number): void => {
      for (const old of before.slice(open, place)) leave(old, level)
      open = Math.max(open, place)
    }
    const places = after.map(({ mark, partner }) =>
      mark === 'moved' ? -1 : before.findIndex(({ pointer }) => pointer === partner),
    )
    const nextPlaces = [...places]
    for (let at = places.length - 1; at >= 0; at--)
      if (places[at] === -1) nextPlaces[at] = nextPlaces[at + 1] ?? before.length
    for (const [at, item] of after.entries()) {
      // Removed items come before their replacements.
      leaveUpTo(nextPlaces[at] ?? before.length)
      if (places[at] !== -1) open++
      const { mark, partner } = item
      const note = mark !== 'new' ? item.note : partner === undefined ? '' : 'this viewer did not see it'
      rows.push({ level, mark, item, note })
      merge(mark === 'new' ? [] : (olds.get(partner ?? '')?.children ?? []), item.children, level + 1)
    }
    leaveUpTo(before.length)
  }

  merge(trees.before ?? [], trees.after ?? [], 0)
  return rows.some(({ mark, note }) => mark !== 'same' || note !== '') ? rows : []
}

/** Leaves out lines far from any change: keeps changed lines, the lines above them and the nearest neighbours. */
export function foldRows(rows: readonly TreeRow[]): readonly ShownRow[] {
  const above = placesAbove(rows)
  const kept = new Set<number>()
  for (const [place, { mark, note }] of rows.entries()) {
    if (mark === 'same' && note === '') continue
    for (const near of [place - 1, place, place + 1]) {
      for (let at = near; rows[at] !== undefined && !kept.has(at); at = above[at] ?? -1) kept.add(at)
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

/** For each line, the line of the parent item; -1 for none. */
function placesAbove(rows: readonly TreeRow[]): readonly number[] {
  const open: number[] = []
  return rows.map(({ level }, place) => {
    const above = level === 0 ? -1 : (open[level - 1] ?? -1)
    open[level] = place
    return above
  })
}
