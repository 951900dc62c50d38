import { iconLibrary } from '../../model/icon.js'
import { isMap, type RawMap } from '../../model/json.js'
import { type Issue, quote } from '../issue.js'
import { toNearest } from '../nearest.js'
import type { Pointer } from '../value.js'
import { labelIssues } from './labels.js'
import { numbersIn } from './numbers.js'
import type { RawItem } from './raw-items.js'
import { routeIssues } from './routes.js'
import { urlIssues } from './urls.js'
import type { Vocabulary } from './vocabulary.js'

const IGNORED_ON_DIVIDERS = ['label', 'icon', 'routeName', 'routeParams', 'url']

/** What is wrong with one item, without those below it. */
export function itemIssues({ item, pointer }: RawItem, vocabulary: Vocabulary): Issue[] {
  const permissions = permissionIssues(item['permissions'], [...pointer, 'permissions'], vocabulary)
  if (item['type'] === 'divider') return [...ignoredOnDivider(item, pointer), ...permissions]
  return [
    ...labelIssues(item, [...pointer, 'label'], vocabulary),
    ...urlIssues(item, [...pointer, 'url'], vocabulary),
    ...routeIssues(item, pointer, vocabulary),
    ...iconIssues(item['icon'], [...pointer, 'icon'], vocabulary),
    ...permissions,
    ...numbersIn(item['attributes'], [...pointer, 'attributes']),
  ]
}

/** Items with the id of an earlier one, or that of the list at the top. */
export function duplicateIds(items: readonly RawItem[], display: unknown): Issue[] {
  const htmlId = isMap(display) ? display['htmlId'] : null
  const seen = new Set<string>()
  const issues: Issue[] = []
  for (const { item, pointer } of items) {
    const id = item['id']
    if (typeof id !== 'string') continue
    const other = id === htmlId ? 'The list at the top, display.htmlId,' : 'Another item'
    const what = `${other} has the id ${quote(id)} already.`
    if (id === htmlId || seen.has(id))
      issues.push({ code: 'duplicate-id', pointer: [...pointer, 'id'], what })
    seen.add(id)
  }
  return issues
}

function ignoredOnDivider(item: RawMap, pointer: Pointer): Issue[] {
  return IGNORED_ON_DIVIDERS.filter((key) => Object.hasOwn(item, key)).map((key) => ({
    code: 'ignored-on-divider',
    pointer: [...pointer, key],
    part: 'key',
    what: `${quote(key)} is ignored on a divider.`,
  }))
}

function iconIssues(icon: unknown, pointer: Pointer, { iconLibraries }: Vocabulary): Issue[] {
  const library = typeof icon === 'string' ? iconLibrary(icon) : null
  if (library === null || iconLibraries === null || iconLibraries.has(library)) return []
  const what = `The icon library ${quote(library)} has no prefix.`
  return [{ code: 'unknown-icon-library', pointer, what, suggest: () => toNearest(library, iconLibraries) }]
}

function permissionIssues(keys: unknown, pointer: Pointer, { permissions }: Vocabulary): Issue[] {
  if (permissions === null || !Array.isArray(keys)) return []
  return keys.flatMap((key, place) => {
    if (typeof key !== 'string' || permissions.has(key)) return []
    const what = `Nobody declared the permission ${quote(key)}.`
    const suggest = (): string | null => toNearest(key, permissions)
    return [{ code: 'unknown-permission', pointer: [...pointer, place], what, suggest }]
  })
}
