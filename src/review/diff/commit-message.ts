import type { DescribedChange } from '../../change/compare/words.js'
import { toVisible } from '../../document/source.js'
import { count } from '../count.js'
import { shorten } from '../table.js'
import type { MenuReport, ShownItem } from './report.js'

/** What led to the changes of a commit. */
export type Occasion =
  | { readonly kind: 'edit' | 'import' }
  /** `version` is what was restored, in words such as `2026-03-01`. */
  | { readonly kind: 'restore'; readonly version: string }

/** Characters of a subject, and of a line below it. */
const [MAX_SUBJECT, MAX_LINE] = [72, 200]
const MAX_LINES = 20

/**
 * The message of a commit of changed menus: `Menu sidebar: renames Sales to Revenue`, or how many changes there are, with a
 * line for each below. `file` names a commit in which no menu says anything else than before.
 */
export function toCommitMessage(menus: readonly MenuReport[], file: string, occasion: Occasion): string {
  const [menu, ...others] = menus.map((each) => ({ title: each.shown.title, changes: changesOf(each) }))
  if (others.length > 0) {
    const verb = { edit: 'Changes', import: 'Imports', restore: 'Restores' }[occasion.kind]
    return toMessage(`${verb} ${count(menus.length, 'menu')}`, menus.map(toMenuLine))
  }
  if (menu === undefined) return toMessage(`${file}: ${inBrief(['changes only its form'], occasion)}`, [])
  const subject = `Menu ${menu.title}: ${inBrief(menu.changes, occasion)}`
  const isComplete = occasion.kind === 'edit' && menu.changes.length === 1 && isShort(subject)
  return toMessage(subject, isComplete ? [] : menu.changes)
}

function toMenuLine(menu: MenuReport): string {
  return `${menu.shown.title}: ${inBrief(changesOf(menu), { kind: 'edit' })}`
}

function inBrief(changes: readonly string[], occasion: Occasion): string {
  if (occasion.kind === 'restore') return `restores the version of ${occasion.version}`
  return changes.length === 1 ? `${changes[0]}` : count(changes.length, 'change')
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

/** Each change of a menu in words, in the present tense: `renames Sales to Revenue`. */
export function changesOf({ status, counts, shown }: MenuReport): readonly string[] {
  if (status === 'added') return [`adds the menu with ${count(counts.added, 'item')}`]
  if (status === 'removed') return ['removes the menu']
  if (status === 'broken') return ['breaks the file']
  if (status === 'fixed') return ['fixes the file']
  return [
    ...shown.changes.map((change) => toChange(change, 'the menu')),
    ...shown.items.flatMap(toItemChanges),
  ]
}

function toItemChanges({ mark, name, changes }: ShownItem): readonly string[] {
  if (mark === 'new') return [`adds ${name}`]
  if (mark === 'gone') return [`removes ${name}`]
  // Who sees an item follows from what changed.
  return changes.filter(({ what }) => what !== 'seen by').map((change) => toChange(change, name))
}

/** `hides Sales`, `moves Sales to Shop, place 2`, `changes icon of Sales to lucide:tag`. */
function toChange({ what, from, to }: DescribedChange, owner: string): string {
  const [, locale = ''] = /^label( \(.*\))?$/s.exec(what) ?? []
  const isLabel = what.startsWith('label')
  if (what === 'hidden') return `${to === 'yes' ? 'hides' : 'shows'} ${owner}`
  if (what === 'moved') return `moves ${owner} to ${to}`
  if (what === 'file') return `moves the file to ${to}`
  if (isLabel && from !== null && to !== null) return `renames ${from} to ${to}${locale}`
  if (from === null) return `adds ${what} ${to ?? ''} to ${owner}`
  if (to === null) return `removes ${what} of ${owner}`
  return `changes ${what} of ${owner} to ${to}`
}
