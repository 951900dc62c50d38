import { iconLibrary } from '../../model/icon.js'
import { isMap, type RawMap } from '../../model/json.js'
import type { Steps } from '../../model/pointer.js'
import { type Issue, quote } from '../issue.js'
import { toNearest } from '../nearest.js'
import { labelIssues } from './labels.js'
import { numbersIn, type RawItem } from './raw-items.js'
import { routeIssues } from './routes.js'
import { urlIssue } from './urls.js'
import type { Vocabulary } from './vocabulary.js'

const IGNORED_ON_DIVIDERS = ['label', 'icon', 'routeName', 'routeParams', 'url']

/** What is wrong with one item, without those below it; pointers begin at the item. */
export function* itemIssues(item: RawMap, vocabulary: Vocabulary): Generator<Issue> {
  if (item['type'] === 'divider') {
    for (const key of IGNORED_ON_DIVIDERS) {
      const what = `${quote(key)} is ignored on a divider.`
      if (Object.hasOwn(item, key)) yield { code: 'ignored-on-divider', pointer: [key], part: 'key', what }
    }
    return yield* permissionIssues(item, vocabulary)
  }
  const url = urlIssue(item, vocabulary)
  yield* labelIssues(item, vocabulary)
  if (url !== null) yield { ...url, pointer: ['url'] }
  yield* routeIssues(item, vocabulary)
  yield* iconIssues(item, vocabulary)
  yield* permissionIssues(item, vocabulary)
  yield* numbersIn(item, 'attributes')
}

/** Items with the id of an earlier one, or that of the list at the top. */
export function* duplicateIds(items: readonly RawItem[], display: unknown): Generator<Issue> {
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

function* iconIssues({ icon }: RawMap, { iconLibraries }: Vocabulary): Generator<Issue> {
  const library = typeof icon === 'string' ? iconLibrary(icon) : null
  if (library === null || iconLibraries === null || iconLibraries.has(library)) return
  const what = `The icon library ${quote(library)} has no prefix.`
  const suggest = (): string | null => toNearest(library, iconLibraries)
  yield { code: 'unknown-icon-library', pointer: ['icon'], what, suggest }
}

function* permissionIssues(item: RawMap, { permissions }: Vocabulary): Generator<Issue> {
  const keys = item['permissions']
  if (permissions === null || !Array.isArray(keys)) return
  for (const [place, key] of keys.entries()) {
    if (typeof key !== 'string' || permissions.has(key)) continue
    const what = `Nobody declared the permission ${quote(key)}.`
    const suggest = (): string | null => toNearest(key, permissions)
    yield { code: 'unknown-permission', pointer: ['permissions', place], what, suggest }
  }
}

/**
 * The sections that no viewer ever gets: everything in them is hidden, a divider, or a section of that kind. Of nested ones
 * the outermost is reported. What is hidden is so on purpose, with all below it.
 */
export function neverVisible(items: unknown, pointer: Steps): Issue[] {
  if (!Array.isArray(items)) return []
  return items.flatMap((entry, place) => {
    if (!isMap(entry) || entry['hidden'] === true) return []
    const at = [...pointer, place]
    if (!isEmptied(entry)) return neverVisible(entry['children'], [...at, 'children'])
    const what = 'This section is never shown: all that it holds is hidden, or a divider.'
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
