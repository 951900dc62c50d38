import type { ToldChange } from '../../change/words.js'
import { count } from '../count.js'
import { code, fenced, fitted } from './markdown-data.js'
import { type DiffReport, type MenuReport, toCounts, wideningsIn } from './report.js'
import { foldRows, toRows } from './rows.js'
import { isOfNew, STATES, toTreeLine } from './text.js'
import {
  countWidened,
  EXPOSED,
  fileOf,
  type ToldItem,
  tellItem,
  tellItems,
  tellMenu,
  tellWidening,
  titleOf,
} from './told.js'
import type { Mark } from './tree.js'

/** GitHub takes comments of 65,536 characters; a heading of somebody's own must fit in, too. */
const MAX_LENGTH = 60_000
const MAX_WIDENINGS = 12_000
const MAX_PROBLEMS = 8_000
/** What is left for the lists of changes; the trees get what those leave. */
const MAX_CHANGES = 25_000
/** Of one menu, so that the others are told, too. */
const MAX_OF_MENU = 8_000

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

/** A report for a comment on a pull request, under 60,000 characters: the same report gives the same text. */
export function toDiffMarkdown(report: DiffReport): string {
  const { menus, unchanged } = report
  const same = unchanged === 0 ? '' : ` ${count(unchanged, 'menu')} unchanged.`
  const foot = `From ${code(report.base)} to ${code(report.head)}.${same}`
  const head = [`## Menus: ${toCounts(report)}`, ...toWidenings(report)]
  const problems = toProblems(report)
  const lists: string[] = []
  let room = MAX_CHANGES
  for (const [place, menu] of menus.entries()) {
    const list = toMenu(menu, Math.min(room, MAX_OF_MENU))
    if (list.length > room) {
      lists.push(`… ${menus.length - place} more menus changed. \`menuscript diff\` tells all of them.`)
      break
    }
    lists.push(list)
    room -= list.length
  }
  const length = (blocks: readonly string[]): number =>
    blocks.reduce((sum, block) => sum + block.length + 2, 0)
  let left = MAX_LENGTH - length([...head, ...lists, ...problems, foot])
  const body = lists.flatMap((list, place) => {
    const menu = menus[place]
    if (menu === undefined || place >= menus.length) return [list]
    const tree = toTree(menu, report)
    if (tree === '') return [list]
    const note = 'The tree is too long for a comment.'
    const shown = tree.length + 2 <= left ? tree : note.length + 2 <= left ? note : ''
    left -= shown.length + 2
    return shown === '' ? [list] : [list, shown]
  })
  return [...head, ...body, ...problems, foot].join('\n\n')
}

function toWidenings(report: DiffReport): readonly string[] {
  const { menus } = report
  const widenings = wideningsIn(report)
  if (widenings.length === 0) return menus.some(({ status }) => status === 'changed') ? [NOT_WIDER] : []
  const lines = widenings.map(({ menu, item, below }) => {
    const told = tellItem(menu, item)
    const { from, to } = tellWidening(item)
    const who =
      from === null ? `: leads to ${code(to ?? '')}, ${EXPOSED}` : `: ${code(from)} → ${code(to ?? '')}`
    return `- ${code(titleOf(menu))} ${toName(told)}${who}${countWidened(below)} (${code(told.place)})`
  })
  const title = `### ⚠ Seen by more viewers: ${count(widenings.length, 'item')}`
  return [title, fitted(lines, MAX_WIDENINGS, 'items').join('\n')]
}

function toMenu(menu: MenuReport, room: number): string {
  const file = code(fileOf(menu))
  const name = menu.name === '' ? '' : `${code(menu.name)}, `
  const state = STATES[menu.status]
  const lines = [...tellMenu(menu).map((change) => `- ${toWords(change)}`), ...tellItems(menu).map(toItem)]
  return [
    `### ${TITLES[menu.status]}: ${menu.code === '' ? file : code(titleOf(menu))}`,
    `${name}${file}${state === undefined ? '' : `. ${state}`}`,
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

function toProblems({ problems }: DiffReport): readonly string[] {
  if (problems.length === 0) return []
  const lines = problems.map(
    ({ problem, file }) =>
      `- **${problem.severity}** ${problem.code}: ${code(problem.what)} (${code(`${file}:${problem.line}`)})`,
  )
  return [`### New problems: ${problems.length}`, fitted(lines, MAX_PROBLEMS, 'problems').join('\n')]
}

function toName({ path, name }: ToldItem): string {
  return [...path.map(code), `**${code(name)}**`].join(' › ')
}

function toWords(change: ToldChange): string {
  const { what, from, to } = change
  const tell = (text: string | null): string => (text === null ? 'none' : code(text))
  if (isOfNew(change)) return `${what} ${tell(to)}`
  // The name of a key of one's own, of an attribute or a locale is data, too.
  return `${/^[a-z ]+(\([\w-]+\))?$/i.test(what) ? what : code(what)} ${tell(from)} → ${tell(to)}`
}
