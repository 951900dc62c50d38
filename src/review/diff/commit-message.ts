import { isOwnChange } from '../../change/compare/differences.js'
import { toVisible } from '../../document/source.js'
import type { Occasion } from '../../store/publish/queue.js'
import { count } from '../count.js'
import { shorten } from '../table.js'
import { changesOf, removalsOf } from './change-sentences.js'
import { changesIn, type MenuReport } from './report.js'

/** Characters of a subject, and of a line below it. */
const [MAX_SUBJECT, MAX_LINE] = [72, 200]
const MAX_LINES = 20

interface MenuInBrief {
  /** As a review counts them: several sentences may be about one. */
  readonly number: number
  readonly changes: readonly string[]
  readonly names: readonly string[]
  readonly hasRemovals: boolean
}

/**
 * The message of a commit of changed menus: `Menu sidebar: renames Sales to Revenue`, or how many changes there are, with a
 * line for each below. `file` names a commit in which no menu says anything else than before.
 */
export function toCommitMessage(menus: readonly MenuReport[], file: string, occasion: Occasion): string {
  const [menu, ...others] = menus.map((each) => ({
    ...{
      title: each.shown.title,
      number: changesIn(each),
      changes: changesOf(each),
      names: namesIn(each),
      hasRemovals: hasRemovals(each),
    },
  }))
  if (menu !== undefined && others.length > 0) {
    const verb = { edit: 'Changes', import: 'Imports', merge: 'Merges', restore: 'Restores' }[occasion.kind]
    return toMessage(`${verb} ${count(menus.length, 'menu')}`, [menu, ...others].map(toMenuLine))
  }
  if (menu === undefined) {
    const formatting = { number: 1, changes: ['changes only the formatting'], names: [], hasRemovals: false }
    return toMessage(`${file}: ${inBrief(formatting, occasion)}`, [])
  }
  const what = { edit: 'Menu', import: 'Import of menu', merge: 'Merge of menu', restore: 'Menu' }[
    occasion.kind
  ]
  const subject = `${what} ${menu.title}: ${inBrief(menu, occasion)}`
  const isComplete = occasion.kind !== 'restore' && menu.changes.length === 1 && isShort(subject)
  return toMessage(subject, isComplete ? [] : menu.changes)
}

/** The subjects above: of one menu, and of several. */
const OF_ONE = /^(Menu|Import of menu|Merge of menu) [\w./-]+(?: \{[^}]*\})?: /
const OF_SEVERAL = /^(?:Changes|Imports|Merges|Restores) \d+ menus$/

/** The subject of a commit for a page about one menu, which says whose it is already. One of these messages is English. */
export function readSubject(subject: string): { readonly text: string; readonly isEnglish: boolean } {
  const [start = '', kind] = OF_ONE.exec(subject) ?? []
  return {
    text: kind === 'Menu' ? subject.slice(start.length) : subject,
    isEnglish: start !== '' || OF_SEVERAL.test(subject),
  }
}

function toMenuLine(menu: MenuInBrief & { readonly title: string }): string {
  return `${menu.title}: ${inBrief(menu, { kind: 'edit' })}`
}

/** The names of the items that changed themselves, in reading order. */
function namesIn({ items, status }: MenuReport): readonly string[] {
  return status === 'changed'
    ? items.filter(isOwnChange).map((each) => (each.after ?? each.before)?.name ?? '')
    : []
}

function hasRemovals({ items, status }: MenuReport): boolean {
  return status === 'changed' && removalsOf(items).length > 0
}

/** Removals are named before all else: nothing is graver. */
function inBrief({ number, changes, names, hasRemovals }: MenuInBrief, occasion: Occasion): string {
  const [first, second, ...others] = names
  if (occasion.kind === 'restore') {
    const item = occasion.isItem === true ? `${first ?? 'an item'} from ` : ''
    return `restores ${item}the version of ${occasion.version}`
  }
  if (changes.length === 1) return `${changes[0]}`
  if (number === 1) return `changes ${first ?? 'the settings'}`
  if (hasRemovals) return `${changes[0]} and ${count(number - 1, 'more change')}`
  const more = others.length > 0 ? `, ${second} and ${others.length} more` : second ? ` and ${second}` : ''
  return count(number, 'change') + (first === undefined ? '' : ` in ${first}${more}`)
}

function isShort(subject: string): boolean {
  return shorten(toVisible(subject), MAX_SUBJECT) === toVisible(subject)
}

function toMessage(subject: string, changes: readonly string[]): string {
  const lines = changes.slice(0, MAX_LINES).map((change) => `- ${shorten(toVisible(change), MAX_LINE)}`)
  const more = changes.length > MAX_LINES ? [`and ${changes.length - MAX_LINES} more`] : []
  const body = changes.length === 0 ? [] : ['', ...lines, ...more]
  return [shorten(toVisible(subject), MAX_SUBJECT), ...body].join('\n')
}
