import type { ToldChange } from '../../change/compare/words.js'
import { count } from '../count.js'
import { toCounts, toItemCounts } from './counts.js'
import { code, fenced, fitted, fittedNames } from './markdown-data.js'
import type { CalledOut, DiffReport, Mark, MenuReport, ToldItem } from './report.js'
import { foldRows, toRows } from './rows.js'
import { STATES, toTreeLine } from './text.js'
import { countBelow, EXPOSED, fileOf, tellItems, tellMenu, titleOf } from './told.js'

/** GitHub takes comments of 65,536 characters; a heading of somebody's own must fit in, too. */
const MAX_LENGTH = 60_000
/** What each part may take of what the names of all menus leave. */
const SHARE_OF_WIDENED = 0.2
const SHARE_OF_NARROWED = 0.1
const SHARE_OF_PROBLEMS = 0.13
/** What is left for the lists of changes; the trees get what those leave. */
const MAX_CHANGES = 25_000
/** Of one menu, so that the others are told, too. */
const MAX_OF_MENU = 8_000
/** For titles, counts, the foot, and sentences on what was left out. */
const ROOM_OF_REST = 2_000

const NOT_WIDER = 'No item that was there before, and no guarded destination, is seen by more viewers.'

/** More than the title of a menu and its file take. */
const ROOM_OF_TITLE = 700

const TITLES: Readonly<Record<MenuReport['status'], string>> = {
  added: 'Added',
  removed: 'Removed',
  changed: 'Changed',
  moved: 'Moved',
  broken: '✗ Broken',
  mended: 'Mended',
}

/** GitHub colours the lines of a `diff` by their first character: green, red, orange. */
const SIGNS: Readonly<Record<Mark, string>> = { gone: '-', new: '+', moved: '!', changed: '!', same: ' ' }

/**
 * A report for a comment on a pull request, under 60,000 characters: the same report gives the same text. Every menu is
 * named, those whose changes have no room in one list, which comes before all other needs.
 */
export function toDiffMarkdown(report: DiffReport): string {
  const { menus, unchanged } = report
  const names = menus.map((menu) => code(titleOf(menu)))
  const lengthOf = (texts: readonly string[]): number =>
    texts.reduce((sum, { length }) => sum + length + 2, 0)
  const spare = Math.max(0, MAX_LENGTH - ROOM_OF_REST - lengthOf(names))
  const same = unchanged === 0 ? '' : ` ${count(unchanged, 'menu')} unchanged.`
  const foot = `From ${code(report.base)} to ${code(report.head)}.${same}`
  const items = toItemCounts(report.counts)
  const head = [
    `## Menus: ${toCounts(report)}`,
    ...(items === '' ? [] : [`Items: ${items}.`]),
    ...toWidened(report, spare * SHARE_OF_WIDENED),
    ...toNarrowed(report, spare * SHARE_OF_NARROWED),
  ]
  const problems = toProblems(report, spare * SHARE_OF_PROBLEMS)
  const lists: string[] = []
  let room = Math.min(
    MAX_CHANGES,
    MAX_LENGTH - ROOM_OF_REST - lengthOf([...head, ...problems, foot, ...names]),
  )
  for (const [place, menu] of menus.entries()) {
    const list = toMenu(menu, Math.min(room, MAX_OF_MENU))
    // Its name needs not be listed when its changes are.
    const needed = list.length - (names[place]?.length ?? 0)
    if (needed > room) break
    lists.push(list)
    room -= needed
  }
  const others = toOthers(
    names.slice(lists.length),
    MAX_LENGTH - ROOM_OF_REST / 2 - lengthOf([...head, ...lists, ...problems, foot]),
  )
  let left = MAX_LENGTH - lengthOf([...head, ...lists, ...others, ...problems, foot])
  const body = lists.flatMap((list, place) => {
    const tree = toTree(menus[place] as MenuReport, report)
    if (tree === '') return [list]
    const note = 'The tree is too long for a comment.'
    const shown = tree.length + 2 <= left ? tree : note.length + 2 <= left ? note : ''
    left -= shown.length + 2
    return shown === '' ? [list] : [list, shown]
  })
  return [...head, ...body, ...others, ...problems, foot].join('\n\n')
}

/** The menus whose changes have no room. */
function toOthers(names: readonly string[], room: number): readonly string[] {
  if (names.length === 0) return []
  const title = `### ${count(names.length, 'more menu')} changed`
  return [
    title,
    `${fittedNames(names, room)}. Their changes have no room here; \`menuscript diff\` prints them.`,
  ]
}

function toWidened({ menus, widened }: DiffReport, room: number): readonly string[] {
  if (widened.length === 0) return menus.some(({ status }) => status === 'changed') ? [NOT_WIDER] : []
  const title = `### ⚠ Seen by more viewers: ${count(widened.length, 'item')}`
  return [title, fitted(widened.map(toCalled), room, 'items').join('\n')]
}

function toNarrowed({ narrowed }: DiffReport, room: number): readonly string[] {
  if (narrowed.length === 0) return []
  const title = `### Seen by fewer viewers: ${count(narrowed.length, 'item')}`
  return [title, fitted(narrowed.map(toCalled), room, 'items').join('\n')]
}

function toCalled({ menu, item, change, below }: CalledOut): string {
  const { from, to, isFact } = change
  const who = isFact
    ? `: leads to ${code(to ?? '')}, ${EXPOSED}`
    : `: ${code(from ?? '')} → ${code(to ?? '')}`
  return `- ${code(titleOf(menu))} ${toName(item)}${who}${countBelow(below)} (${code(item.place)})`
}

function toMenu(menu: MenuReport, room: number): string {
  const file = code(fileOf(menu))
  const name = menu.name === '' ? '' : `${code(menu.name)}, `
  const items = toItemCounts(menu.counts)
  const state = STATES[menu.status]
  const lines = [...tellMenu(menu).map((change) => `- ${toWords(change)}`), ...tellItems(menu).map(toItem)]
  return [
    `### ${TITLES[menu.status]}: ${code(titleOf(menu))}`,
    `${name}${file}${items === '' ? '' : `: ${items}`}${state === undefined ? '' : `. ${state}`}`,
    ...(lines.length === 0 ? [] : [fitted(lines, room - ROOM_OF_TITLE, 'changes').join('\n')]),
  ].join('\n\n')
}

function toItem(item: ToldItem): string {
  const verb = { new: '**added** ', gone: '**removed** ', moved: '', changed: '', same: '' }[item.mark]
  const changes = item.changes.map(toWords).join('; ')
  return `- ${item.widens ? '⚠ ' : ''}${verb}${toName(item)}${changes === '' ? '' : `: ${changes}`} (${code(item.place)})`
}

function toTree(menu: MenuReport, report: DiffReport): string {
  const rows = foldRows(toRows(menu, report))
  if (rows.length === 0) return ''
  const lines = rows.map((row) => `${'omitted' in row ? ' ' : SIGNS[row.mark]} ${toTreeLine(row)}`)
  const { locale, viewer } = report
  // A summary is HTML: of the data only the locale, a canonical tag, may stand in it.
  const title = `The tree in ${locale}${viewer === null ? '' : ' for one viewer'}`
  const who =
    viewer === null
      ? ''
      : `The viewer has ${viewer.length === 0 ? 'no permissions' : code(viewer.join(', '))}.\n\n`
  return `<details><summary>${title}</summary>\n\n${who}${fenced(lines, 'diff')}\n\n</details>`
}

function toProblems({ problems }: DiffReport, room: number): readonly string[] {
  if (problems.length === 0) return []
  const lines = problems.map(
    ({ problem, file }) =>
      `- **${problem.severity}** ${problem.code}: ${code(problem.what)} (${code(`${file}:${problem.line}`)})`,
  )
  return [`### New problems: ${problems.length}`, fitted(lines, room, 'problems').join('\n')]
}

function toName({ path, name }: ToldItem): string {
  return [...path.map(code), `**${code(name)}**`].join(' › ')
}

function toWords(change: ToldChange): string {
  const { what, from, to, isFact } = change
  const tell = (text: string | null): string => (text === null ? 'none' : code(text))
  // The name of a key of one's own, of an attribute or a locale is data, too.
  const shown = /^[a-z ]+(\([\w-]+\))?$/i.test(what) ? what : code(what)
  return isFact ? `${shown} ${tell(to)}` : `${shown} ${tell(from)} → ${tell(to)}`
}
