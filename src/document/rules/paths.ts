import { derived } from '../../model/derived.js'
import { type Locale, toLocale } from '../../model/locale.js'
import { LOCALE_PARAM, paramsOf, type Routes, type Segment } from '../../model/route.js'
import { type Issue, quote } from '../issue.js'
import { toNearest } from '../nearest.js'
import type { Vocabulary } from './vocabulary.js'

/** Whether a `url` is a path of the site that no route makes. */
export function pathIssue(url: string, { routes, locales, off }: Vocabulary): Omit<Issue, 'pointer'> | null {
  const path = /^\/[^?#]*/.exec(url)?.[0]
  if (routes === null || off.has('unknown-path') || path === undefined || path.startsWith('//')) return null
  const [root, fixed] = knownOf(routes)
  if (isKnown(root, path.slice(1).replace(/\/$/, '').split('/').map(toPlain), locales)) return null
  const what = `No route has the path ${quote(path)}.`
  return { code: 'unknown-path', what, suggest: () => toNearest(path, fixed) }
}

type Param = Segment & { readonly kind: 'param' }

/** The patterns of all routes by their segments, so that a look-up does not depend on the number of routes. */
interface PathNode {
  readonly literals: Map<string, PathNode>
  readonly params: Map<string, { readonly segment: Param; readonly next: PathNode }>
  ends: boolean
  takesRest: boolean
}

/** Those patterns, and the paths of routes that have no parameters. */
const knownOf = derived((routes: Routes): readonly [root: PathNode, fixed: readonly string[]] => {
  const root = toPathNode()
  for (const { segments } of routes.values()) enter(root, segments)
  const fixed = [...routes.values()].filter((route) => paramsOf(route).length === 0)
  return [root, fixed.map(({ pattern }) => pattern)]
})

function toPathNode(): PathNode {
  return { literals: new Map(), params: new Map(), ends: false, takesRest: false }
}

function enter(place: PathNode, [segment, ...rest]: readonly Segment[]): void {
  if (segment === undefined) {
    place.ends = true
  } else if (segment.kind === 'rest') {
    place.takesRest = true
  } else if (segment.kind === 'literal') {
    const text = toPlain(segment.text)
    const next = place.literals.get(text) ?? toPathNode()
    place.literals.set(text, next)
    enter(next, rest)
  } else {
    if (segment.optional) enter(place, rest)
    const key = `${segment.name === LOCALE_PARAM ? LOCALE_PARAM : ''} ${segment.suffix}`
    const { next } = place.params.get(key) ?? { next: toPathNode() }
    place.params.set(key, { segment, next })
    enter(next, rest)
  }
}

function isKnown(place: PathNode, [text, ...rest]: readonly string[], locales: readonly Locale[]): boolean {
  if (place.takesRest) return true
  if (text === undefined) return place.ends
  // `/` is one segment without a text, and so is its route.
  if (text === '' && rest.length === 0 && place.ends) return true
  const next = place.literals.get(text)
  if (next !== undefined && isKnown(next, rest, locales)) return true
  for (const { segment, next } of place.params.values()) {
    if (fills(segment, text, locales) && isKnown(next, rest, locales)) return true
  }
  return false
}

function fills({ name, suffix }: Param, text: string, locales: readonly Locale[]): boolean {
  if (!text.endsWith(suffix) || text.length === suffix.length) return false
  if (name !== LOCALE_PARAM) return true
  const locale = toLocale(text.slice(0, text.length - suffix.length))
  return locale !== null && locales.includes(locale)
}

/** A segment as it is meant, whichever of its characters are percent-encoded. */
function toPlain(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
