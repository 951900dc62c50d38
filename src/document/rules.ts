import { isScalar, queryLength } from '../model/context.js'
import { isMap, type RawMap } from '../model/json.js'
import type { Limits } from '../model/limits.js'
import type { Context } from '../model/menu.js'
import type { Issue } from './issue.js'
import { duplicateIds, itemIssues, neverVisible } from './rules/item-issues.js'
import { navigationLabelIssues } from './rules/labels.js'
import { below, numbersIn, type RawItem, rawItems } from './rules/raw-items.js'
import { withoutPaths } from './rules/routes.js'
import type { Vocabulary } from './rules/vocabulary.js'

/**
 * What the schema cannot check, judged on the plain value of a file of any form: nothing here relies on the schema, so that
 * all problems are reported at once. Rules that are off are left out.
 */
export function ruleIssues(value: unknown, vocabulary: Vocabulary, limits: Limits): Issue[] {
  if (!isMap(value)) return []
  const items = rawItems(value['items'], ['items'], 1)
  const tooMuch = [...sizeIssues(items, limits)]
  if (tooMuch.length > 0) return tooMuch
  const issues = [
    ...contextIssues(value, limits),
    ...below(['display'], navigationLabelIssues(value['display'], vocabulary)),
    ...duplicateIds(items, value['display']),
    ...withoutPaths(items, vocabulary),
    ...neverVisible(value['items'], ['items']),
    ...items.flatMap(({ item, pointer }) => below(pointer, itemIssues(item, vocabulary))),
  ]
  return vocabulary.off.size === 0 ? issues : issues.filter(({ code }) => !vocabulary.off.has(code))
}

/** Whether a menu is over its limits; if so, nothing else in it is judged. */
function* sizeIssues(items: readonly RawItem[], limits: Limits): Generator<Issue> {
  const surplus = items[limits.items]
  const what = `The menu has ${items.length} items, and ${limits.items} are allowed.`
  if (surplus !== undefined) yield { code: 'too-many-items', pointer: surplus.pointer, what }
  const deep = items.find(({ level }) => level > limits.levels)
  const levels = `The menu has more than ${limits.levels} levels here.`
  if (deep !== undefined) yield { code: 'too-many-levels', pointer: deep.pointer, what: levels }
}

/** What is wrong with the context of a menu. */
function* contextIssues(menu: RawMap, limits: Limits): Generator<Issue> {
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
  } else if (
    Object.values(context).every(isScalar) &&
    queryLength([context as Context]) > limits.query_bytes
  ) {
    const what = `The context needs a query string of more than ${limits.query_bytes} bytes.`
    yield { code: 'context-limit', pointer, what }
  }
}
