import { isMap, type RawMap } from '../../model/json.js'
import type { Steps } from '../../model/pointer.js'
import type { Issue } from '../issue.js'

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
