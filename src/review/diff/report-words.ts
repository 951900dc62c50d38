import { type DescribedChange, describeField, describeMove } from '../../change/compare/field-words.js'
import { factsOf } from '../../change/compare/item-facts.js'
import { describeContext } from '../../model/context.js'
import { count } from '../count.js'
import type {
  CalledOut,
  DiffReport,
  ItemCounts,
  ItemReport,
  MenuReport,
  MenuStatus,
  View,
  Viewing,
} from './report.js'
import type { Mark } from './trees.js'

type Signs = Readonly<Record<'sign' | 'page' | 'diff' | 'word', string>>
type Colour = 'red' | 'green' | 'cyan' | 'yellow' | 'reset'

/** How a line is marked: in a terminal, on a page, and in a `diff` of GitHub, which colours by the first character. */
export const MARKS: Readonly<Record<Mark, Signs & { readonly colour: Colour }>> = {
  gone: { sign: '-', colour: 'red', page: '−', diff: '-', word: 'removed' },
  new: { sign: '+', colour: 'green', page: '+', diff: '+', word: 'added' },
  moved: { sign: '→', colour: 'cyan', page: '→', diff: '!', word: 'moved' },
  changed: { sign: '~', colour: 'yellow', page: '~', diff: '!', word: 'changed' },
  same: { sign: ' ', colour: 'reset', page: '', diff: ' ', word: '' },
}

type StatusMark = { readonly mark: Mark } & Readonly<Record<'sign' | 'title', string>>

/** How each status is marked and titled, in the order in which menus are counted. */
export const STATUSES: Readonly<Record<MenuStatus, StatusMark>> = {
  changed: { mark: 'changed', sign: '~', title: 'Changed' },
  added: { mark: 'new', sign: '+', title: 'Added' },
  removed: { mark: 'gone', sign: '-', title: 'Removed' },
  moved: { mark: 'moved', sign: '→', title: 'Moved' },
  broken: { mark: 'gone', sign: '✗', title: '✗ Broken' },
  fixed: { mark: 'new', sign: '✓', title: 'Fixed' },
}

/** The meaning of a status where it is not obvious. */
export const STATES: Readonly<Partial<Record<MenuStatus, string>>> = {
  moved: 'The file has moved; the menu is the same.',
  broken: 'The file has errors, reported below, and cannot be served.',
  fixed: 'The file had errors and could not be served; there is nothing to compare it with.',
}

/** The code, with the context of a variant; the file of a menu that has none. */
export function toTitle({ code, context }: Pick<MenuReport, 'code' | 'context'>, file: string): string {
  if (code === '') return file
  return Object.keys(context).length > 0 ? `${code} ${describeContext(context)}` : code
}

/** What changed of the menu itself, its file included; for a new one, what its title does not show. */
export function toMenuChanges({
  fields,
  files,
  status,
}: Omit<MenuReport, 'shown'>): readonly DescribedChange[] {
  const { before, after } = files
  const isMoved = before !== null && after !== null && before !== after
  const file: readonly DescribedChange[] = isMoved ? [{ what: 'file', from: before, to: after }] : []
  if (status === 'broken' || status === 'fixed' || status === 'removed') return file
  const changes = fields.map((field) => describeField(field))
  if (status !== 'added') return [...file, ...changes]
  const isInTitle = ['version', 'code', 'name', 'context']
  return changes.filter(({ what }) => !isInTitle.includes(what)).map((each) => ({ ...each, isFact: true }))
}

/** What changed of an item; for one that is new or gone, its facts. */
export function toItemChanges(item: ItemReport, isCalledOut: boolean): readonly DescribedChange[] {
  const { before, after, moved, fields } = item
  if (before === null || after === null) return factsOf(item)
  return [
    ...(moved ? [describeMove(before, after)] : []),
    ...fields.map((field) => describeField(field)),
    ...(isCalledOut ? [{ what: 'seen by', from: before.seenBy, to: after.seenBy }] : []),
  ]
}

/** Who could see a called-out item, and who can; else its destination. */
export function toViewing({ before, after, widens, narrows }: ItemReport): Viewing {
  if ((!widens && !narrows) || before === null || after === null) return { exposes: after?.target ?? '' }
  const { seenBy } = after
  return { from: before.seenBy, to: after.viewers === null ? `${seenBy} (hidden)` : seenBy }
}

/** Why an item is called out, and how many follow from it; `data` formats the menu's texts. */
export function toCalledWords(
  called: CalledOut,
  data: (text: string) => string,
  arrow: string = ' → ',
): string {
  const { below } = called
  const why =
    'exposes' in called
      ? `leads to ${data(called.exposes)}, which fewer viewers could reach before`
      : data(called.from) + arrow + data(called.to)
  return below === 0 ? why : `${why}, with ${count(below, 'item')} below it`
}

/** `1 added, 1 moved`; `''` where no item changed. */
export function toItemCounts(counts: ItemCounts): string {
  const kinds = (['added', 'removed', 'moved', 'edited'] as const).filter((kind) => counts[kind] > 0)
  return kinds.map((kind) => `${counts[kind]} ${kind}`).join(', ')
}

/** `changed: 1 added, 2 edited`, `added with 3 items`: a status with its counts of items. */
export function toStatusWords({ status, counts, files, faults }: MenuReport): string {
  const words = toItemCounts(counts)
  if (status === 'changed') return words === '' ? status : `${status}: ${words}`
  if ((status !== 'added' && status !== 'removed') || faults.length > 0) return status
  return `${status} with ${count(files.after === null ? counts.removed : counts.added, 'item')}`
}

/** How many menus have each status, in words: `2 changed, 1 added`. */
export function toCounts({ menus }: DiffReport): string {
  const parts = Object.keys(STATUSES).flatMap((status) => {
    const number = menus.filter((menu) => menu.status === status).length
    return number === 0 ? [] : [`${number} ${status}`]
  })
  return parts.length === 0 ? 'nothing changed' : parts.join(', ')
}

/** `tree in en`, `tree in en for a viewer with reports.view`. */
export function toTreeTitle({ locale, viewer }: View): string {
  if (viewer === null) return `tree in ${locale}`
  return `tree in ${locale} for a viewer with ${viewer.length === 0 ? 'no permissions' : viewer.join(', ')}`
}
