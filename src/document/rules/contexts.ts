import { isScalar, toContextKey } from '../../model/context.js'
import { isMap, type RawMap } from '../../model/json.js'
import type { Limits } from '../../model/limits.js'
import type { Context } from '../../model/menu.js'
import type { Issue } from '../issue.js'
import { numbersIn } from './raw-items.js'

/** What is wrong with the context of a menu. */
export function* contextIssues(menu: RawMap, limits: Limits): Generator<Issue> {
  const context = menu['context']
  const pointer = ['context']
  const keys = isMap(context) ? Object.keys(context) : []
  if (context === null || (isMap(context) && keys.length === 0))
    yield { code: 'unused-context', pointer, part: 'key', what: 'The context is empty.' }
  if (!isMap(context)) return
  yield* numbersIn(menu, 'context')
  if (keys.length > limits.context_keys) {
    const what = `The context has ${keys.length} keys, and ${limits.context_keys} are allowed.`
    yield { code: 'context-limit', pointer, what }
  } else if (Object.values(context).every(isScalar) && queryLength(context as Context) > limits.query_bytes) {
    const what = `The context fills a query of more than ${limits.query_bytes} bytes.`
    yield { code: 'context-limit', pointer, what }
  }
}

function queryLength(context: Context): number {
  return '_context_sets='.length + encodeURIComponent(`[{${toContextKey(context)}}]`).length
}
