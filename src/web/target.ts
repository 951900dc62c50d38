/** The parts of a request target. */
export interface Target {
  /** Only for the absolute form; null otherwise. */
  readonly host: string | null
  readonly path: string
  /** Without its `?`. */
  readonly query: string
}

/** Takes a request target apart, in origin form or absolute form (RFC 9112, section 3.2). */
export function splitTarget(target: string): Target {
  const [start = '', host = null] = target.startsWith('/')
    ? []
    : (/^https?:\/\/([^/?#]*)/i.exec(target) ?? [])
  const rest = target.slice(start.length)
  const mark = rest.indexOf('?')
  const [path, query] = mark === -1 ? [rest, ''] : [rest.slice(0, mark), rest.slice(mark + 1)]
  return { host, path: path || '/', query }
}
