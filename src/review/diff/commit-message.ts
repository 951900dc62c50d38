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

/**
 * The message of a commit of changed menus: `Menu sidebar: renames Sales to Revenue`, or how many changes there are, with a
 * line for each below. `file` names a commit in which no menu says anything else than before.
 */
export function toCommitMessage(menus: readonly MenuReport[], file: string, occasion: Occasion): string {
  const [menu, second] = menus
  if (menu === undefined) return toMessage(`${file}: ${inBrief(null, occasion)}`, [])
  if (second !== undefined) {
    const verb = { edit: 'Changes', import: 'Imports', merge: 'Merges', restore: 'Restores' }[occasion.kind]
    const lines = menus.map((each) => `${each.shown.title}: ${inBrief(each, { kind: 'edit' })}`)
    return toMessage(`${verb} ${count(menus.length, 'menu')}`, lines)
  }
  const what = { edit: 'Menu', import: 'Import of menu', merge: 'Merge of menu', restore: 'Menu' }[
    occasion.kind
  ]
  const subject = `${what} ${menu.shown.title}: ${inBrief(menu, occasion)}`
  const changes = changesOf(menu)
  const isComplete = occasion.kind !== 'restore' && changes.length === 1 && isShort(subject)
  return toMessage(subject, isComplete ? [] : changes)
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

/** The names of the items that changed themselves, in reading order. */
function namesIn({ items, status }: MenuReport): readonly string[] {
  return status === 'changed'
    ? items.filter(isOwnChange).map((each) => (each.after ?? each.before)?.name ?? '')
    : []
}

/** A change in a few words; null is one of the formatting alone. Removals are named before all else: nothing is graver. */
function inBrief(menu: MenuReport | null, occasion: Occasion): string {
  const [first, second, ...others] = menu === null ? [] : namesIn(menu)
  if (occasion.kind === 'restore') {
    const item = occasion.isItem === true ? `${first ?? 'an item'} from ` : ''
    return `restores ${item}the version of ${occasion.version}`
  }
  if (menu === null) return 'changes only the formatting'
  const [change = '', ...more] = changesOf(menu)
  if (more.length === 0) return change
  // As a review counts them: several sentences may be about one.
  const number = changesIn(menu)
  if (number === 1) return `changes ${first ?? 'the settings'}`
  const hasRemovals = menu.status === 'changed' && removalsOf(menu.items).length > 0
  if (hasRemovals) return `${change} and ${count(number - 1, 'more change')}`
  const rest = others.length > 0 ? `, ${second} and ${others.length} more` : second ? ` and ${second}` : ''
  return count(number, 'change') + (first === undefined ? '' : ` in ${first}${rest}`)
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
