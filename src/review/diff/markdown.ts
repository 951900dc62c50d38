import type { DescribedChange } from '../../change/compare/field-words.js'
import { count } from '../count.js'
import { code, fenced, fitted, fittedNames } from './markdown-data.js'
import type { CalledOut, DiffReport, MenuReport, ShownItem, View } from './report.js'
import { MARKS, STATES, STATUSES, toCalledWords, toCounts, toItemCounts } from './report-words.js'
import { foldRows, toRows } from './rows.js'
import { toTreeLine } from './text.js'

/** GitHub accepts comments of 65,536 characters; a custom heading must fit in, too. */
const MAX_LENGTH = 60_000
/** The share of each part in the room that the names of all menus leave. */
const SHARES = { more: 0.2, fewer: 0.1, problems: 0.13 }
/** The room for the lists of changes; the trees get the rest. */
const MAX_CHANGES = 25_000
/** Of one menu, so that the others are listed, too. */
const MAX_OF_MENU = 8_000
/** For titles, counts, the footer, and sentences about omissions. */
const ROOM_OF_REST = 2_000
/** More than the title and file of a menu take. */
const ROOM_OF_TITLE = 700

const NOT_WIDER = 'No existing item and no guarded destination is seen by more viewers.'

/**
 * A report for a comment on a pull request, under 60,000 characters: the same report gives the same text. Every menu is
 * named; those whose changes have no room are named in a list, which has priority.
 */
export function toDiffMarkdown(report: DiffReport): string {
  const { base, head: state, menus, unchanged, seenByMore, seenByFewer, shown } = report
  const names = menus.map((menu) => code(menu.shown.title))
  const spare = Math.max(0, MAX_LENGTH - ROOM_OF_REST - lengthOf(names))
  const same = unchanged === 0 ? '' : ` ${count(unchanged, 'menu')} unchanged.`
  const foot = `From ${code(base.title)} to ${code(state.title)}.${same}`
  const items = toItemCounts(report.counts)
  const isNotWider = seenByMore.length === 0 && menus.some(({ status }) => status === 'changed')
  const head = [
    `## Menus: ${toCounts(report)}`,
    ...(items === '' ? [] : [`Items: ${items}.`]),
    ...(isNotWider ? [NOT_WIDER] : toViewers('⚠ Seen by more viewers', seenByMore, spare * SHARES.more)),
    ...toViewers('Seen by fewer viewers', seenByFewer, spare * SHARES.fewer),
  ]
  const problems = toProblems(report, spare * SHARES.problems)
  const lists: string[] = []
  const fixed = lengthOf([...head, ...problems, foot])
  let room = Math.min(MAX_CHANGES, MAX_LENGTH - ROOM_OF_REST - fixed - lengthOf(names))
  for (const [place, menu] of menus.entries()) {
    const list = toMenu(menu, Math.min(room, MAX_OF_MENU))
    // Its name need not be listed when its changes are.
    const needed = list.length - (names[place]?.length ?? 0)
    if (needed > room) break
    lists.push(list)
    room -= needed
  }
  const roomOfNames = MAX_LENGTH - ROOM_OF_REST / 2 - fixed - lengthOf(lists)
  const others = toOthers(names.slice(lists.length), roomOfNames)
  let left = MAX_LENGTH - fixed - lengthOf([...lists, ...others])
  const body = lists.flatMap((list, place) => {
    const tree = toTree(menus[place] as MenuReport, shown)
    const note = 'The tree is too long for a comment.'
    const fits = tree === '' ? undefined : [tree, note].find(({ length }) => length + 2 <= left)
    left -= fits === undefined ? 0 : fits.length + 2
    return fits === undefined ? [list] : [list, fits]
  })
  return [...head, ...body, ...others, ...problems, foot].join('\n\n')
}

/** The room for texts with the blank lines between them. */
function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length + 2, 0)
}

/** The menus whose changes have no room. */
function toOthers(names: readonly string[], room: number): readonly string[] {
  if (names.length === 0) return []
  const title = `### ${count(names.length, 'more menu')} changed`
  return [
    title,
    `${fittedNames(names, room)}. Their changes do not fit here; \`menuscript diff\` prints them.`,
  ]
}

function toViewers(title: string, called: readonly CalledOut[], room: number): readonly string[] {
  if (called.length === 0) return []
  const rows = called.map((each) => {
    const who = `${code(each.shown.title)} ${toName(each)}`
    return `- ${who}: ${toCalledWords(each, code)} (${code(each.place)})`
  })
  return [`### ${title}: ${count(called.length, 'item')}`, fitted(rows, room, 'items')]
}

function toMenu({ status, name, counts, shown }: MenuReport, room: number): string {
  const { title, file, changes, items } = shown
  const words = toItemCounts(counts)
  const state = STATES[status]
  const lines = [...changes.map((change) => `- ${toWords(change)}`), ...items.map(toItem)]
  const called = name === '' ? code(file) : `${code(name)}, ${code(file)}`
  return [
    `### ${STATUSES[status].title}: ${code(title)}`,
    `${called}${words === '' ? '' : `: ${words}`}${state === undefined ? '' : `. ${state}`}`,
    ...(lines.length === 0 ? [] : [fitted(lines, room - ROOM_OF_TITLE, 'changes')]),
  ].join('\n\n')
}

function toItem(item: ShownItem): string {
  const verb = item.mark === 'new' || item.mark === 'gone' ? `**${MARKS[item.mark].word}** ` : ''
  const changes = item.changes.map(toWords).join('; ')
  return `- ${item.widens ? '⚠ ' : ''}${verb}${toName(item)}${changes === '' ? '' : `: ${changes}`} (${code(item.place)})`
}

function toTree({ shown }: MenuReport, { locale, viewer }: View): string {
  const rows = foldRows(toRows(shown.trees))
  if (rows.length === 0) return ''
  const lines = rows.map((row) => `${'omitted' in row ? ' ' : MARKS[row.mark].diff} ${toTreeLine(row)}`)
  // A summary is HTML: the only data in it may be the locale, a canonical tag.
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
    (problem) =>
      `- **${problem.severity}** ${problem.code}: ${code(problem.what)} (${code(`${problem.path}:${problem.line}`)})`,
  )
  return [`### New problems: ${problems.length}`, fitted(lines, room, 'problems')]
}

function toName({ path, name }: Pick<ShownItem, 'path' | 'name'>): string {
  return [...path.map(code), `**${code(name)}**`].join(' › ')
}

function toWords(change: DescribedChange): string {
  const { what, from, to, isFact } = change
  const toData = (text: string | null): string => (text === null ? 'none' : code(text))
  // The name of a custom key, of an attribute or a locale is data, too.
  const shown = /^[a-z ]+(\([\w-]+\))?$/i.test(what) ? what : code(what)
  return isFact ? `${shown} ${toData(to)}` : `${shown} ${toData(from)} → ${toData(to)}`
}
