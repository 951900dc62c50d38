/** Path and query of a request target, in origin form or absolute form (RFC 9112, section 3.2). */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const origin = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '')
  const mark = origin.indexOf('?')
  return mark === -1
    ? { path: origin || '/', query: '' }
    : { path: origin.slice(0, mark) || '/', query: origin.slice(mark + 1) }
}
