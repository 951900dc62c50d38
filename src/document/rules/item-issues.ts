import { iconLibrary } from '../../model/icon.js'
import { isMap, type RawMap } from '../../model/json.js'
import type { Steps } from '../../model/pointer.js'
import { type Issue, quote } from '../issue.js'
import { toNearest } from '../nearest.js'
import { labelIssues } from './labels.js'
import { numbersIn, type RawItem } from './raw-items.js'
import { routeIssues } from './routes.js'
import { urlIssues } from './urls.js'
import type { Vocabulary } from './vocabulary.js'

const IGNORED_ON_DIVIDERS = ['label', 'icon', 'routeName', 'routeParams', 'url']

/** What is wrong with one item, without those below it; pointers begin at the item. */
export function itemIssues(item: RawMap, vocabulary: Vocabulary): Issue[] {
  if (item['type'] === 'divider') return [...ignoredIssues(item), ...permissionIssues(item, vocabulary)]
  return [
    ...labelIssues(item, vocabulary),
    ...urlIssues(item, vocabulary),
    ...routeIssues(item, vocabulary),
    ...iconIssues(item, vocabulary),
    ...permissionIssues(item, vocabulary),
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
