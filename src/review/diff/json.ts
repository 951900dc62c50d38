import type { ItemPlace } from '../../change/compare/differences.js'
import { describeGate } from '../../change/compare/gate.js'
import { toSummary } from '../../change/compare/words.js'
import type { CalledOut, DiffReport, MenuReport, MenuSide } from './report.js'

/** A report for programs: everything, with the file and line of each item on both sides. */
export function toDiffJson(report: DiffReport): unknown {
  const { base, head, baseCommit, headCommit, menus, unchanged, counts, widened, narrowed, problems } = report
  return {
    version: 1,
    base: { title: base, commit: baseCommit },
    head: { title: head, commit: headCommit },
    unchanged,
    counts,
    widened: widened.length,
    narrowed: narrowed.length,
    seenByMore: widened.map(toCalled),
    seenByFewer: narrowed.map(toCalled),
    menus: menus.map(toMenu),
    problems: problems.map(({ problem, file }) => ({ ...problem, path: file })),
  }
}

function toCalled({ menu, item, change, below }: CalledOut): unknown {
  const { name, path, place } = item
  const { code, context } = menu
  const { from, to, isFact } = change
  return { code, context, name, path, place, ...(isFact ? { exposes: to } : { from, to }), below }
}

function toMenu(menu: MenuReport): unknown {
  const { status, code, name, context, files, difference, counts, faults, before, after } = menu
  return {
    status,
    code,
    name,
    context,
    files,
    summary: status === 'changed' ? toSummary(difference) : status,
    counts,
    fields: difference.fields,
    items: difference.items.map((item) => ({
      ...item,
      before: toPlace(item.before, before),
      after: toPlace(item.after, after),
    })),
    faults: faults.map(({ problem, file }) => ({ ...problem, path: file })),
  }
}

function toPlace(place: ItemPlace | null, side: MenuSide | null): unknown {
  if (place === null || side === null) return null
  return { ...place, seenBy: describeGate(place.viewers), file: side.file, line: side.lineOf(place.pointer) }
}
