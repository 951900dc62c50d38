import type { ToldChange } from '../../change/compare/words.js'
import { toVisible } from '../../document/source.js'
import { count } from '../count.js'
import type { Paint } from '../ink.js'
import { toProblemText } from '../problem-text.js'
import { toCounts, toItemCounts, toStatusWords } from './counts.js'
import type { CalledOut, DiffReport, Mark, MenuReport, ToldItem } from './report.js'
import { foldRows, type ShownRow, toRows } from './rows.js'
import { countBelow, EXPOSED, fileOf, tellItems, tellMenu, titleOf } from './told.js'

const SIGNS: Readonly<Record<Mark, string>> = { gone: '-', new: '+', moved: '→', changed: '~', same: ' ' }

/** What a status means where that is not plain. */
export const STATES: Readonly<Partial<Record<MenuReport['status'], string>>> = {
  moved: 'The file lies elsewhere; the menu is the same.',
  broken: 'The file has errors, told below, and cannot be served.',
  mended: 'The file had errors and could not be served; there is nothing to compare it with.',
}

/** A report for a terminal. */
export function toDiffText(report: DiffReport, paint: Paint): string {
  const blocks = [toHead(report, paint), ...toViewers(report, paint)]
  for (const menu of report.menus) blocks.push(toMenu(menu, report, paint))
  if (report.problems.length > 0) {
    const problems = report.problems.map(({ problem, file }) =>
      toProblemText(problem, `${file}:${problem.line}:${problem.column}`, paint),
    )
    blocks.push([paint.bold('New problems'), ...problems].join('\n\n'))
  }
  return blocks.join('\n\n')
}

function toHead(report: DiffReport, paint: Paint): string {
  const { base, head, unchanged } = report
  const same = unchanged === 0 ? '' : `, ${unchanged} unchanged`
  const items = toItemCounts(report.counts)
  return [
    paint.bold(toVisible(`${base} → ${head}`)),
    `menus: ${toCounts(report)}${same}`,
    ...(items === '' ? [] : [`items: ${items}`]),
  ].join('\n')
}

/** Who sees more, and who sees less. */
function toViewers({ widened, narrowed }: DiffReport, paint: Paint): readonly string[] {
  const title = (words: string, called: readonly CalledOut[]): string =>
    paint.bold(`${words}: ${count(called.length, 'item')}`)
  const blocks = [
    { head: paint.yellow(title('⚠ seen by more viewers', widened)), called: widened },
    { head: title('seen by fewer viewers', narrowed), called: narrowed },
  ]
  return blocks
    .filter(({ called }) => called.length > 0)
    .map(({ head, called }) => [head, ...called.map((each) => toCalled(each, paint))].join('\n'))
}

function toCalled({ menu, item, change, below }: CalledOut, paint: Paint): string {
  const { from, to, isFact } = change
  const who = isFact ? `: leads to ${to}, ${EXPOSED}` : `: ${from} → ${to}`
  return `  ${toVisible(`${titleOf(menu)}  ${toName(item)}${who}${countBelow(below)}`)}  ${paint.dim(toVisible(item.place))}`
}

function toMenu(menu: MenuReport, report: DiffReport, paint: Paint): string {
  const signs: Record<MenuReport['status'], string> = {
    added: paint.green('+'),
    removed: paint.red('-'),
    changed: paint.yellow('~'),
    moved: paint.cyan('→'),
    broken: paint.red('✗'),
    mended: paint.green('✓'),
  }
  const title = toVisible(titleOf(menu))
  const name = menu.name === '' ? '' : `  ${toVisible(menu.name)}`
  const rows = [
    `${signs[menu.status]} ${paint.bold(title)}${name}  ${toStatusWords(menu)}  ${paint.dim(toVisible(fileOf(menu)))}`,
  ]
  for (const change of tellMenu(menu)) rows.push(`    ${toVisible(toWords(change))}`)
  for (const item of tellItems(menu)) rows.push(toItem(item, paint))
  const state = STATES[menu.status]
  if (state !== undefined) rows.push(`    ${state}`)
  const tree = toTree(menu, report, paint)
  if (tree.length > 0)
    rows.push('', `    ${paint.dim(treeTitle(report))}`, ...tree.map((row) => `    ${row}`))
  return rows.join('\n')
}

/** `tree in en`, `tree in en for a viewer with reports.view`. */
export function treeTitle({ locale, viewer }: DiffReport): string {
  if (viewer === null) return `tree in ${locale}`
  return `tree in ${locale} for a viewer with ${viewer.length === 0 ? 'no permissions' : toVisible(viewer.join(', '))}`
}

function toItem(item: ToldItem, paint: Paint): string {
  const sign = painted(item.mark, paint)(SIGNS[item.mark])
  const warning = item.widens ? `${paint.yellow('⚠')} ` : ''
  const verb = item.mark === 'new' ? ' added' : item.mark === 'gone' ? ' removed' : ''
  const changes = item.changes.map((change) => `\n        ${toVisible(toWords(change))}`)
  return `  ${sign} ${warning}${toVisible(toName(item))}${verb}  ${paint.dim(toVisible(item.place))}${changes.join('')}`
}

function toTree(menu: MenuReport, report: DiffReport, paint: Paint): readonly string[] {
  return foldRows(toRows(menu, report)).map((row) => {
    if ('omitted' in row) return paint.dim(toTreeLine(row))
    return painted(row.mark, paint)(`${SIGNS[row.mark]} ${toTreeLine(row)}`)
  })
}

/** A line of a tree without its sign. */
export function toTreeLine(row: ShownRow): string {
  const margin = '  '.repeat(row.level)
  if ('omitted' in row) return `  ${margin}… ${row.omitted} more`
  const { item, note, widens } = row
  const name = item.type === 'divider' ? '─────' : item.label
  const target = item.target === '' ? '' : `  ${item.target}`
  const guard = item.guard === '' ? '' : `  [${item.guard}]`
  return toVisible(
    `${margin}${widens ? '⚠ ' : ''}${name}${target}${guard}${note === '' ? '' : `  (${note})`}`,
  )
}

export function toName({ path, name }: Pick<ToldItem, 'path' | 'name'>): string {
  return [...path, name].join(' › ')
}

/** What is said with its value in one breath: `leads to /sale`. */
const VERBS = ['leads to', 'led to', 'seen by']

export function toWords({ what, from, to, isFact }: ToldChange): string {
  if (isFact) return `${what}${VERBS.includes(what) ? '' : ':'} ${to}`
  return `${what}: ${from ?? 'none'} → ${to ?? 'none'}`
}

function painted(mark: Mark, paint: Paint): (text: string) => string {
  return {
    gone: paint.red,
    new: paint.green,
    moved: paint.cyan,
    changed: paint.yellow,
    same: (text: string) => text,
  }[mark]
}
