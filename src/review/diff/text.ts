import type { DescribedChange } from '../../change/compare/field-words.js'
import { toVisible } from '../../document/source.js'
import { count } from '../count.js'
import type { Paint } from '../ink.js'
import { toProblemText } from '../problem-text.js'
import type { CalledOut, DiffReport, MenuReport, ShownItem, View } from './report.js'
import {
  MARKS,
  STATES,
  STATUSES,
  toCalledWords,
  toCounts,
  toItemCounts,
  toStatusWords,
  toTreeTitle,
} from './report-words.js'
import { foldRows, type ShownRow, toRows } from './rows.js'

/** A report for a terminal. */
export function toDiffText(report: DiffReport, paint: Paint): string {
  const { menus, problems, seenByMore, seenByFewer, shown } = report
  const news = [paint.bold('New problems'), ...problems.map((problem) => toProblemText(problem, paint))]
  return [
    toHead(report, paint),
    ...toViewers(paint.yellow, '⚠ seen by more viewers', seenByMore, paint),
    ...toViewers(String, 'seen by fewer viewers', seenByFewer, paint),
    ...menus.map((menu) => toMenu(menu, shown, paint)),
    ...(problems.length > 0 ? [news.join('\n\n')] : []),
  ].join('\n\n')
}

function toHead(report: DiffReport, paint: Paint): string {
  const { base, head, unchanged } = report
  const same = unchanged === 0 ? '' : `, ${unchanged} unchanged`
  const items = toItemCounts(report.counts)
  return [
    paint.bold(toVisible(`${base.title} → ${head.title}`)),
    `menus: ${toCounts(report)}${same}`,
    ...(items === '' ? [] : [`items: ${items}`]),
  ].join('\n')
}

function toViewers(
  colour: (text: string) => string,
  words: string,
  called: readonly CalledOut[],
  paint: Paint,
): readonly string[] {
  if (called.length === 0) return []
  const rows = called.map((each) => {
    const line = `${each.shown.title}  ${toName(each)}: ${toCalledWords(each, String)}`
    return `  ${toVisible(line)}  ${paint.dim(toVisible(each.place))}`
  })
  return [[colour(paint.bold(`${words}: ${count(called.length, 'item')}`)), ...rows].join('\n')]
}

function toMenu(menu: MenuReport, view: View, paint: Paint): string {
  const { title, file, changes, items, trees } = menu.shown
  const { mark, sign } = STATUSES[menu.status]
  const name = menu.name === '' ? '' : `  ${toVisible(menu.name)}`
  const head = `${paint[MARKS[mark].colour](sign)} ${paint.bold(toVisible(title))}${name}`
  const state = STATES[menu.status]
  const tree = foldRows(toRows(trees)).map((row) => `    ${toTreeRow(row, paint)}`)
  return [
    `${head}  ${toStatusWords(menu)}  ${paint.dim(toVisible(file))}`,
    ...changes.map((change) => `    ${toVisible(toWords(change))}`),
    ...items.map((item) => toItem(item, paint)),
    ...(state === undefined ? [] : [`    ${state}`]),
    ...(tree.length > 0 ? ['', `    ${paint.dim(toVisible(toTreeTitle(view)))}`, ...tree] : []),
  ].join('\n')
}

function toItem(item: ShownItem, paint: Paint): string {
  const { colour, sign, word } = MARKS[item.mark]
  const warning = item.widens ? `${paint.yellow('⚠')} ` : ''
  const verb = item.mark === 'new' || item.mark === 'gone' ? ` ${word}` : ''
  const changes = item.changes.map((change) => `\n        ${toVisible(toWords(change))}`)
  return `  ${paint[colour](sign)} ${warning}${toVisible(toName(item))}${verb}  ${paint.dim(toVisible(item.place))}${changes.join('')}`
}

function toTreeRow(row: ShownRow, paint: Paint): string {
  if ('omitted' in row) return paint.dim(toTreeLine(row))
  const { colour, sign } = MARKS[row.mark]
  return paint[colour](`${sign} ${toTreeLine(row)}`)
}

/** A line of a tree without its sign. */
export function toTreeLine(row: ShownRow): string {
  const margin = '  '.repeat(row.level)
  if ('omitted' in row) return `  ${margin}… ${row.omitted} more`
  const { item, note } = row
  const name = item.type === 'divider' ? '─────' : item.label
  const target = item.target === '' ? '' : `  ${item.target}`
  const guard = item.guard === '' ? '' : `  [${item.guard}]`
  const warning = item.widens ? '⚠ ' : ''
  return toVisible(`${margin}${warning}${name}${target}${guard}${note === '' ? '' : `  (${note})`}`)
}

function toName({ path, name }: Pick<ShownItem, 'path' | 'name'>): string {
  return [...path, name].join(' › ')
}

/** A change worded together with its value: `leads to /sale`. */
const VERBS = ['leads to', 'led to', 'seen by']

function toWords({ what, from, to, isFact }: DescribedChange): string {
  if (isFact) return `${what}${VERBS.includes(what) ? '' : ':'} ${to}`
  return `${what}: ${from ?? 'none'} → ${to ?? 'none'}`
}
