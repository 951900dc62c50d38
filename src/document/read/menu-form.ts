import type { Steps } from '../../model/pointer.js'
import type { Issue } from '../issue.js'
import { rawItems } from '../rules/raw-items.js'
import { countedIssues, type WrittenAs } from './schema.js'
import { validateMenu } from './validators.js'

/** Further issues are counted and not reported. */
const MANY = 500
/** The smallest menu: items are judged in it. */
const SHELL = { version: 1, code: 'a', name: 'a' }

/** This many items are judged at a time; where something is wrong in them, each alone. */
const TOGETHER = 20

/** What is wrong with the form of a menu, and how many more issues it has. */
export interface FormIssues {
  readonly issues: readonly Issue[]
  readonly more: number
}

/**
 * What is wrong with the form of a menu. The schema judges the frame and then the items, a few at a time, because
 * the validator copies all errors so far at each item: a menu of 10,000 wrong items would take a minute.
 */
export function menuFormIssues(value: Readonly<Record<string, unknown>>, writtenAs: WrittenAs): FormIssues {
  const { items } = value
  if (!Array.isArray(items)) return countedIssues(validateMenu, value, writtenAs, MANY)
  const frame = countedIssues(validateMenu, { ...value, items: [] }, writtenAs, MANY)
  const issues = [...frame.issues]
  let { more } = frame
  const entries = rawItems(items, ['items'], 1).map(({ entry, item, pointer }) => {
    return { alone: Array.isArray(item['children']) ? { ...item, children: [] } : entry, pointer }
  })
  for (let from = 0; from < entries.length; from += TOGETHER) {
    const some = entries.slice(from, from + TOGETHER)
    if (validateMenu({ ...SHELL, items: some.map(({ alone }) => alone) })) continue
    for (const { alone, pointer } of some) {
      const toPlace = ([, , ...rest]: Steps): Steps => [...pointer, ...rest]
      const written: WrittenAs = (inner) => writtenAs(toPlace(inner))
      const room = Math.max(0, MANY - issues.length)
      const found = countedIssues(validateMenu, { ...SHELL, items: [alone] }, written, room)
      for (const issue of found.issues) issues.push({ ...issue, pointer: toPlace(issue.pointer) })
      more += found.more
    }
  }
  return { issues, more }
}
