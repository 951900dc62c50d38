import type { Issue } from './issue.js'
import { rawItems } from './rules.js'
import { schemaIssues, type WrittenAs } from './schema.js'
import { validateMenu } from './validators.js'
import type { Pointer } from './value.js'

/** Beyond so many, issues are counted more than read. */
const MANY = 500
/** The least menu there is: each item is judged in it alone. */
const SHELL = { version: 1, code: 'a', name: 'a' }

/**
 * What is wrong with the form of a menu. The schema judges the frame and then one item after the other, because the
 * validator copies all errors so far at each item that it comes to: a menu of 10,000 wrong items would take a minute.
 */
export function menuFormIssues(value: Readonly<Record<string, unknown>>, writtenAs: WrittenAs): Issue[] {
  const { items } = value
  if (!Array.isArray(items)) return schemaIssues(validateMenu, value, writtenAs)
  const issues = [schemaIssues(validateMenu, { ...value, items: [] }, writtenAs)]
  let count = 0
  for (const { entry, item, pointer } of rawItems(items, ['items'], 1)) {
    const alone = Array.isArray(item['children']) ? { ...item, children: [] } : entry
    const toPlace = ([, , ...rest]: Pointer): Pointer => [...pointer, ...rest]
    const written: WrittenAs = (inner) => writtenAs(toPlace(inner))
    const found = schemaIssues(validateMenu, { ...SHELL, items: [alone] }, written, count < MANY)
    count += found.length
    issues.push(found.map((issue) => ({ ...issue, pointer: toPlace(issue.pointer) })))
  }
  return issues.flat()
}
