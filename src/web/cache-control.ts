/** Directives that only forbid (RFC 9111, section 5.2.2), in the order in which they are written. */
const RESTRICTIONS = [
  'no-store',
  'private',
  'no-cache',
  'must-revalidate',
  'proxy-revalidate',
  'no-transform',
]

/** Values by name in lower case; a restriction to some fields, such as `private="x"`, counts as one of the whole answer. */
type Directives = ReadonlyMap<string, string>

/**
 * What two Cache-Control headers allow in common: what either forbids is forbidden, what only one allows is not
 * allowed, and the shorter time counts. What lets caches keep a response for longer, and what is not known, is left out.
 *
 *     toStricter('public, max-age=0, s-maxage=60', 'private') // 'private, max-age=0'
 */
export function toStricter(one: string, other: string): string {
  const sides = [parseDirectives(one), parseDirectives(other)]
  const either = (name: string): boolean => sides.some((side) => side.has(name))
  const both = (name: string): boolean => sides.every((side) => side.has(name))
  const withShortest = (name: string, substitute = name): string =>
    `${name}=${Math.min(...sides.map((side) => toSeconds(side.get(name) ?? side.get(substitute))))}`

  const isKept = !either('no-store') && !either('no-cache')
  const isShared = isKept && !either('private')
  const written = RESTRICTIONS.filter(either)
  if (isShared && both('public')) written.unshift('public')
  if (isKept && either('max-age')) written.push(withShortest('max-age'))
  if (isShared && either('s-maxage')) written.push(withShortest('s-maxage', 'max-age'))
  return written.join(', ')
}

/** Whether visitors may share what a cache keeps of a response. */
export function isShared(cacheControl: string): boolean {
  const directives = parseDirectives(cacheControl)
  return !directives.has('private') && !directives.has('no-store')
}

function parseDirectives(header: string): Directives {
  const found = new Map<string, string>()
  for (const [, name = '', value = ''] of header.matchAll(/([^\s,=]+)(?:\s*=\s*("[^"]*"|[^,\s]*))?/g)) {
    const key = name.toLowerCase()
    if (!found.has(key) || toSeconds(value) < toSeconds(found.get(key))) found.set(key, value)
  }
  return found
}

/** The seconds of a directive: 0 where they are not a number, infinite where it is not there. */
function toSeconds(value: string | undefined): number {
  if (value === undefined) return Number.POSITIVE_INFINITY
  return /^"?\d{1,10}"?$/.test(value) ? Number(value.replaceAll('"', '')) : 0
}
