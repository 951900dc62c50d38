import { isScalar, queryLength } from '../model/context.js'
import { iconLibrary } from '../model/icon.js'
import { isMap, type RawMap } from '../model/json.js'
import type { Limits } from '../model/limits.js'
import type { Context } from '../model/menu.js'
import type { Steps } from '../model/pointer.js'
import { toNearest } from './did-you-mean.js'
import { type Issue, quote } from './issue.js'
import { labelIssues, navigationLabelIssues } from './rules/labels.js'
import { below, numbersIn, type RawItem, rawItems } from './rules/raw-items.js'
import { routeIssues, withoutPaths } from './rules/routes.js'
import { urlIssues } from './rules/urls.js'
import type { Vocabulary } from './rules/vocabulary.js'
import { windowIssues } from './rules/windows.js'

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
    ...windowIssues(value, vocabulary.now),
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

const IGNORED_ON_DIVIDERS = ['label', 'icon', 'routeName', 'routeParams', 'url']

/** What is wrong with one item, without those below it; pointers begin at the item. */
function itemIssues(item: RawMap, vocabulary: Vocabulary): Issue[] {
  const always = [...permissionIssues(item, vocabulary), ...windowIssues(item, vocabulary.now)]
  if (item['type'] === 'divider') return [...ignoredIssues(item), ...always]
  return [
    ...labelIssues(item, vocabulary),
    ...urlIssues(item, vocabulary),
    ...routeIssues(item, vocabulary),
    ...iconIssues(item, vocabulary),
    ...always,
    ...numbersIn(item, 'attributes'),
  ]
}

function ignoredIssues(divider: RawMap): Issue[] {
  const keys = IGNORED_ON_DIVIDERS.filter((key) => Object.hasOwn(divider, key))
  return keys.map((key) => {
    const what = `${quote(key)} is ignored on a divider.`
    return { code: 'ignored-on-divider', pointer: [key], part: 'key', what }
  })
}

/** Items with the id of an earlier one, or that of the list at the top. */
function* duplicateIds(items: readonly RawItem[], display: unknown): Generator<Issue> {
  const htmlId = isMap(display) ? display['htmlId'] : null
  const seen = new Set<string>()
  for (const { item, pointer } of items) {
    const id = item['id']
    if (typeof id !== 'string') continue
    const other = id === htmlId ? 'The list at the top, display.htmlId,' : 'Another item'
    const what = `${other} has the id ${quote(id)} already.`
    if (id === htmlId || seen.has(id)) yield { code: 'duplicate-id', pointer: [...pointer, 'id'], what }
    seen.add(id)
  }
}

function iconIssues({ icon }: RawMap, { iconLibraries }: Vocabulary): Issue[] {
  const library = typeof icon === 'string' ? iconLibrary(icon) : null
  if (library === null || iconLibraries === null || iconLibraries.has(library)) return []
  const what = `The icon library ${quote(library)} has no prefix.`
  const suggest = (): string | null => toNearest(library, iconLibraries)
  return [{ code: 'unknown-icon-library', pointer: ['icon'], what, suggest }]
}

function permissionIssues(item: RawMap, { permissions }: Vocabulary): Issue[] {
  const keys = item['permissions']
  if (permissions === null || !Array.isArray(keys)) return []
  return keys.flatMap((key, place): Issue[] => {
    if (typeof key !== 'string' || permissions.has(key)) return []
    const what = `Nobody declared the permission ${quote(key)}.`
    const suggest = (): string | null => toNearest(key, permissions)
    return [{ code: 'unknown-permission', pointer: ['permissions', place], what, suggest }]
  })
}

/**
 * The sections that no viewer ever gets: everything in them is hidden, a divider, or a section of that kind. Of nested ones
 * the outermost is reported. What is hidden is so on purpose, with all below it.
 */
export function neverVisible(items: unknown, pointer: Steps): Issue[] {
  if (!Array.isArray(items)) return []
  return items.flatMap((entry, place) => {
    if (!isMap(entry) || entry['hidden'] === true || !Array.isArray(entry['children'])) return []
    const at = [...pointer, place]
    if (!isEmptied(entry)) return neverVisible(entry['children'], [...at, 'children'])
    const what = 'This section is never shown: everything in it is hidden or a divider.'
    return [{ code: 'never-visible', pointer: [...at, 'children'], part: 'key', what }]
  })
}

/** Whether a section had children but has only dividers left, for every viewer. */
function isEmptied(item: RawMap): boolean {
  const children = item['children']
  if (item['type'] !== 'section' || !Array.isArray(children) || children.length === 0) return false
  return children.every(
    (child) => isMap(child) && (child['hidden'] === true || child['type'] === 'divider' || isEmptied(child)),
  )
}
