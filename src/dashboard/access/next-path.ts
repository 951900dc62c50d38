/** A host that no address has (RFC 2606). */
const BASE = 'http://next.invalid'
const MAX_LENGTH = 2_000

/**
 * Where a browser may be sent after signing in: a path under the prefix of the dashboard, as browsers read it; the prefix
 * itself for anything else, such as `//evil.example`.
 */
export function toNextPath(next: unknown, prefix: string): string {
  if (typeof next !== 'string' || next.length > MAX_LENGTH || !URL.canParse(next, BASE)) return prefix
  const { origin, pathname, search, hash } = new URL(next, BASE)
  const isOurs = origin === BASE && next.startsWith('/') && `${pathname}/`.startsWith(`${prefix}/`)
  return isOurs ? `${pathname}${search}${hash}` : prefix
}
