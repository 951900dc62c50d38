import { type Locale, toLocale } from '../../model/locale.js'
import { LOCALE_PARAM, type Routes, type Segment } from '../../model/route.js'
import { type Issue, quote } from '../issue.js'
import { toNearest } from '../nearest.js'
import type { Pointer } from '../value.js'
import type { Vocabulary } from './vocabulary.js'

/** Whether a `url` is a path of the site that no route makes. */
export function pathIssues(url: unknown, pointer: Pointer, vocabulary: Vocabulary): Issue[] {
  const { routes, locales, off } = vocabulary
  if (routes === null || off.has('unknown-path') || typeof url !== 'string') return []
  const path = /^\/[^?#]*/.exec(url)?.[0]
  if (path === undefined || path.startsWith('//')) return []
  const { root, fixed } = toKnown(routes)
  if (isKnown(root, path.slice(1).replace(/\/$/, '').split('/').map(toPlain), locales)) return []
  const what = `No route has the path ${quote(path)}.`
  return [{ code: 'unknown-path', pointer, what, suggest: () => toNearest(path, fixed) }]
}

/** The patterns of all routes by their segments, so that a look-up does not depend on the number of routes. */
interface PathNode {
  readonly literals: Map<string, PathNode>
  readonly params: Map<string, { readonly segment: Segment & { kind: 'param' }; readonly next: PathNode }>
  ends: boolean
  takesRest: boolean
}

interface Known {
  readonly root: PathNode
  /** The paths of routes that have no parameters. */
  readonly fixed: readonly string[]
}

const knownOf = new WeakMap<Routes, Known>()

function toKnown(routes: Routes): Known {
  const before = knownOf.get(routes)
  if (before !== undefined) return before
  const root = toPathNode()
  for (const { segments } of routes.values()) enter(root, segments)
  const fixed = [...routes.values()].filter(({ segments }) =>
    segments.every(({ kind }) => kind === 'literal'),
  )
  const known = { root, fixed: fixed.map(({ pattern }) => pattern) }
  knownOf.set(routes, known)
  return known
}

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

function fills(
  { name, suffix }: Segment & { kind: 'param' },
  text: string,
  locales: readonly Locale[],
): boolean {
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
