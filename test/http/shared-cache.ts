/** What a visitor asks and what comes back, as a cache sees it. */
export interface Asked {
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export type Origin = (asked: Asked) => Promise<Answered>

/** What a cache did: how often the origin was not asked, or only whether an answer was still good. */
export interface CacheCounts {
  hits: number
  stale: number
  revalidated: number
  passed: number
}

export interface SharedCacheOptions {
  /** Seconds on the clock of the cache. */
  readonly now: () => number
  /** A cache that does not heed Vary, to see whether a test would notice. */
  readonly ignoresVary?: boolean
}

interface Stored {
  readonly asked: Asked
  readonly answer: Answered
  readonly since: number
}

/**
 * A shared cache that keeps and reuses all that RFC 9111 (and RFC 5861, section 3) lets it: it is as greedy as it may
 * be, so that an answer that says too little about its audience reaches another.
 */
export function createSharedCache(
  origin: Origin,
  { now, ignoresVary = false }: SharedCacheOptions,
): { readonly ask: Origin; readonly counts: CacheCounts } {
  const stored = new Map<string, Stored[]>()
  const counts: CacheCounts = { hits: 0, stale: 0, revalidated: 0, passed: 0 }

  const isFor = (asked: Asked, { asked: before, answer }: Stored): boolean => {
    const names = list(answer.headers['vary'])
    if (names.includes('*')) return false
    return ignoresVary || names.every((name) => normal(asked.headers[name]) === normal(before.headers[name]))
  }

  const keep = (asked: Asked, answer: Answered): void => {
    const others = (stored.get(asked.path) ?? []).filter((each) => !isFor(asked, each))
    if (mayKeep(asked, answer)) stored.set(asked.path, [{ asked, answer, since: now() }, ...others])
  }

  const revalidate = async (asked: Asked, found: Stored): Promise<Answered> => {
    const tag = found.answer.headers['etag'] ?? ''
    const fresh = await origin({ ...asked, headers: { ...asked.headers, 'if-none-match': tag } })
    if (fresh.status !== 304) {
      keep(asked, fresh)
      return fresh
    }
    counts.revalidated++
    // RFC 9111, section 4.3.4: the headers of the 304 take the place of those stored.
    const answer = { ...found.answer, headers: { ...found.answer.headers, ...fresh.headers } }
    keep(asked, answer)
    return answer
  }

  const ask = async (asked: Asked): Promise<Answered> => {
    const found = (stored.get(asked.path) ?? []).find((each) => isFor(asked, each))
    if (found === undefined) {
      counts.passed++
      const answer = await origin(asked)
      keep(asked, answer)
      return answer
    }
    const control = directives(found.answer)
    const age = now() - found.since
    const fresh = Number(control.get('s-maxage') ?? control.get('max-age') ?? 0)
    if (!control.has('no-cache') && age < fresh) {
      counts.hits++
      return found.answer
    }
    if (!control.has('no-cache') && age < fresh + Number(control.get('stale-while-revalidate') ?? 0)) {
      counts.stale++
      await revalidate(asked, found)
      return found.answer
    }
    return revalidate(asked, found)
  }
  return { ask, counts }
}

/** RFC 9111, sections 3 and 3.5: what a shared cache may keep at all. */
function mayKeep({ headers }: Asked, answer: Answered): boolean {
  const control = directives(answer)
  if (answer.status !== 200 || control.has('private') || control.has('no-store')) return false
  const isAllowed = ['public', 's-maxage', 'must-revalidate'].some((name) => control.has(name))
  return headers['authorization'] === undefined || isAllowed
}

function directives({ headers }: Answered): ReadonlyMap<string, string> {
  return new Map(
    list(headers['cache-control']).map((each) => {
      const [name = '', value = ''] = each.split('=')
      return [name, value]
    }),
  )
}

function list(value: string | undefined): string[] {
  return (value ?? '')
    .toLowerCase()
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

/** RFC 9111, section 4.1: blanks aside. */
function normal(value: string | undefined): string | undefined {
  return value?.replace(/\s*,\s*/g, ',').trim()
}
