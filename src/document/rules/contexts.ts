import { isScalar, toContextKey } from '../../model/context.js'
import { isMap } from '../../model/json.js'
import type { Limits } from '../../model/limits.js'
import type { Context } from '../../model/menu.js'
import type { Issue } from '../issue.js'
import { numbersIn } from './numbers.js'

/** What is wrong with the context of a menu. */
export function contextIssues(context: unknown, limits: Limits): Issue[] {
  if (context === undefined) return []
  const pointer = ['context']
  if (!isMap(context)) {
    const what = 'The context is empty.'
    return context === null ? [{ code: 'unused-context', pointer, part: 'key', what }] : []
  }
  const keys = Object.keys(context)
  if (keys.length === 0) {
    return [{ code: 'unused-context', pointer, part: 'key', what: 'The context is empty.' }]
  }
  const issues = numbersIn(context, pointer)
  if (keys.length > limits.context_keys) {
    const what = `The context has ${keys.length} keys, and ${limits.context_keys} are allowed.`
    issues.push({ code: 'context-limit', pointer, what })
  } else if (
    keys.every((key) => isScalar(context[key])) &&
    queryLength(context as Context) > limits.query_bytes
  ) {
    const what = `The context fills a query of more than ${limits.query_bytes} bytes.`
    issues.push({ code: 'context-limit', pointer, what })
  }
  return issues
}

function queryLength(context: Context): number {
  return '_context_sets='.length + encodeURIComponent(`[{${toContextKey(context)}}]`).length
}
