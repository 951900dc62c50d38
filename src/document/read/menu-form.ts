import type { Steps } from '../../model/pointer.js'
import type { Issue } from '../issue.js'
import { rawItems } from '../rules/raw-items.js'
import { countedIssues, type WrittenAs } from './schema.js'
import { validateMenu } from './validators.js'

/** Further issues are counted and not reported. */
const MANY = 500
/** The smallest menu: each item is judged in it alone. */
const SHELL = { version: 1, code: 'a', name: 'a' }

/** What is wrong with the form of a menu, and how many more issues it has. */
export interface FormIssues {
  readonly issues: readonly Issue[]
  readonly more: number
}

/**
 * What is wrong with the form of a menu. The schema judges the frame and then one item after the other, because the
 * validator copies all errors so far at each item: a menu of 10,000 wrong items would take a minute.
 */
export function menuFormIssues(value: Readonly<Record<string, unknown>>, writtenAs: WrittenAs): FormIssues {
  const { items } = value
  if (!Array.isArray(items)) return countedIssues(validateMenu, value, writtenAs, MANY)
  const frame = countedIssues(validateMenu, { ...value, items: [] }, writtenAs, MANY)
  const issues = [...frame.issues]
  let { more } = frame
  for (const { entry, item, pointer } of rawItems(items, ['items'], 1)) {
    const alone = Array.isArray(item['children']) ? { ...item, children: [] } : entry
    const toPlace = ([, , ...rest]: Steps): Steps => [...pointer, ...rest]
    const written: WrittenAs = (inner) => writtenAs(toPlace(inner))
    const room = Math.max(0, MANY - issues.length)
    const found = countedIssues(validateMenu, { ...SHELL, items: [alone] }, written, room)
    for (const issue of found.issues) issues.push({ ...issue, pointer: toPlace(issue.pointer) })
    more += found.more
  }
  return { issues, more }
}
