import type { Limits } from '../../model/limits.js'
import type { Issue } from '../issue.js'
import type { RawItem } from './raw-items.js'

/** Whether a menu is over its limits; if it is, nothing else of it is looked at. */
export function sizeIssues(items: readonly RawItem[], limits: Limits): Issue[] {
  const issues: Issue[] = []
  const surplus = items[limits.items]
  const what = `The menu has ${items.length} items, and ${limits.items} are allowed.`
  if (surplus !== undefined) issues.push({ code: 'too-many-items', pointer: surplus.pointer, what })
  const deep = items.find(({ level }) => level > limits.levels)
  if (deep !== undefined) {
    const levels = `The menu has more than ${limits.levels} levels here.`
    issues.push({ code: 'too-many-levels', pointer: deep.pointer, what: levels })
  }
  return issues
}
