import type { DiffReport, Mark, MenuReport } from './report.js'
import { type TreeItem, type TreeRow, toMarks, toTrees } from './tree.js'

/** A line of a tree, or how many were left out because nothing changed in them. */
export type ShownRow = TreeRow | { readonly level: number; readonly omitted: number }

/** The tree before and the tree after as one: what is gone stands where it stood. Empty when no line of it changed. */
export function toRows(menu: MenuReport, report: DiffReport): readonly TreeRow[] {
  if (menu.status === 'broken') return []
  const trees = toTrees(menu, report)
  const marks = toMarks(menu, trees)
  const rows: TreeRow[] = []
  const olds = byPointer(trees.before ?? [])
  const partnerOf = (now: TreeItem): TreeItem | undefined => {
    const pointer = menu.match.toBefore.get(now.pointer)
    return pointer === undefined ? undefined : olds.get(pointer)
  }
  const enter = (level: number, mark: Mark, item: TreeItem, note = '', widens = false): void => {
    rows.push({ level, mark, item, note, widens })
  }

  const leave = (old: TreeItem, level: number, home: TreeItem | undefined): void => {
    const mark = marks.before(old)
    const difference = marks.ofBefore(old)
    if (mark === 'gone') {
      enter(level, 'gone', old, menu.match.toAfter.has(old.pointer) ? 'this viewer sees it no more' : '')
      merge(old.children, [], level + 1)
    } else if (mark === 'moved' && difference?.after != null && difference.before != null) {
      // Within one list it is enough to see where it stands now.
      const { after } = difference
      const to = menu.match.toBefore.get(after.pointer.slice(0, after.pointer.lastIndexOf('/children')))
      const stays = home === undefined ? !after.pointer.includes('/children') : to === home.pointer
      const where = after.path.length === 0 ? 'the top level' : after.path.join(' › ')
      if (!stays) enter(level, 'gone', old, `moved to ${where}`)
    }
  }

  const merge = (
    before: readonly TreeItem[],
    after: readonly TreeItem[],
    level: number,
    home?: TreeItem,
  ): void => {
    let open = 0
    const leaveUpTo = (place: number): void => {
      for (; open < place; open++) {
        const old = before[open]
        if (old !== undefined) leave(old, level, home)
      }
    }
    const placeOf = (now: TreeItem): number => {
      const old = marks.after(now) === 'moved' ? undefined : partnerOf(now)
      return old === undefined ? -1 : before.indexOf(old)
    }
    const places = after.map(placeOf)
    const nextPlaces = [...places]
    for (let at = places.length - 1; at >= 0; at--)
      if (places[at] === -1) nextPlaces[at] = nextPlaces[at + 1] ?? before.length
    for (const [at, now] of after.entries()) {
      // What is gone stands before what came in its place.
      leaveUpTo(nextPlaces[at] ?? before.length)
      if (places[at] !== -1) open++
      const [mark, old] = [marks.after(now), partnerOf(now)]
      const isKnown = menu.match.toBefore.has(now.pointer)
      const note = mark !== 'new' ? marks.noteOf(now, old) : isKnown ? 'this viewer did not see it' : ''
      enter(level, mark, now, note, marks.widens(now))
      merge(mark === 'new' ? [] : (old?.children ?? []), now.children, level + 1, old)
    }
    leaveUpTo(before.length)
  }

  merge(trees.before ?? [], trees.after ?? [], 0)
  return rows.some(({ mark, note }) => mark !== 'same' || note !== '') ? rows : []
}

/** Leaves out what is far from any change: kept are changed lines, the lines above them and the nearest neighbours. */
export function foldRows(rows: readonly TreeRow[], neighbours = 1): readonly ShownRow[] {
  const above = placesAbove(rows)
  const kept = new Set<number>()
  for (const [place, { mark, note }] of rows.entries()) {
    if (mark === 'same' && note === '') continue
    for (let near = place - neighbours; near <= place + neighbours; near++) {
      for (let at = near; rows[at] !== undefined && !kept.has(at); at = above[at] ?? -1) kept.add(at)
    }
  }
  const shown: ShownRow[] = []
  for (const [place, row] of rows.entries()) {
    if (kept.has(place)) {
      shown.push(row)
      continue
    }
    const last = shown.at(-1)
    if (last !== undefined && 'omitted' in last) {
      shown[shown.length - 1] = { level: Math.min(last.level, row.level), omitted: last.omitted + 1 }
    } else shown.push({ level: row.level, omitted: 1 })
  }
  return shown
}

/** For each line that of the item above it; -1 for none. */
function placesAbove(rows: readonly TreeRow[]): readonly number[] {
  const open: number[] = []
  return rows.map(({ level }, place) => {
    const above = level === 0 ? -1 : (open[level - 1] ?? -1)
    open[level] = place
    return above
  })
}

function byPointer(items: readonly TreeItem[]): ReadonlyMap<string, TreeItem> {
  const found = new Map<string, TreeItem>()
  const walk = (list: readonly TreeItem[]): void => {
    for (const item of list) {
      found.set(item.pointer, item)
      walk(item.children)
    }
  }
  walk(items)
  return found
}
