import type { AnyMenuTypes, ContextLike } from '../model/menu-types.js'
import type { TreeNode } from '../model/tree.js'
import { fileOf, toKey } from './manifest.js'

export type { AnyMenuTypes, TreeNode }

/** What a call asks for. What the client is given is the default of each call. */
export interface MenuQuery<Types extends AnyMenuTypes = AnyMenuTypes> {
  /** Default: what the browser prefers, else the default locale. */
  readonly locale?: Types['locale'] | null
  /** The accepted variants, the preferred one first. Default: the menu without a context. */
  readonly contextSets?: readonly (ContextLike<Types['context']> | null)[] | null
  /** Ends the wait of this call; equal calls continue. */
  readonly signal?: AbortSignal
  /** Called before a call returns the last answer because there is no new one. Default: nothing. */
  readonly onStale?: (reason: unknown) => void
}

/** What `createMenuClient` takes besides the address. */
export interface MenuClientOptions<Types extends AnyMenuTypes = AnyMenuTypes> extends MenuQuery<Types> {
  /** Where answers outlive the page, such as `() => localStorage`, which may throw. Default: nowhere. */
  readonly storage?: () => { getItem(key: string): string | null; setItem(key: string, value: string): void }
  /** Sends the requests. Default: the global `fetch`. */
  readonly fetch?: typeof fetch
}

/** What `createMenuClient` returns. */
export interface MenuClient<Types extends AnyMenuTypes = AnyMenuTypes> {
  /** The tree of a menu; empty if no menu matches. Equal calls get the same value, so do not edit it. */
  tree(code: Types['code'], query?: MenuQuery<Types>): Promise<readonly TreeNode<Types>[]>
}

/** The response was no menu: `message` has the detail of the problem, and the address. */
export class MenuError extends Error {
  override readonly name = 'MenuError'
  /** The status of the response. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** A body with the ETag of its response. */
type Answer = readonly [body: unknown, tag: string | null]
/** A body, with the reason if it is not a new one. */
type Outcome = readonly [body: unknown, reason?: unknown]
/** A request that several calls wait for. */
type Flight = AbortController & { waiting: number; outcome?: Promise<Outcome> }

/** A client keeps at most this many answers, the last ones that were wanted. */
const MAX_KEPT = 100

/** Browsers have a cache of their own, and languages that their users prefer. */
const browser = globalThis as unknown as { location?: object; navigator: { languages: readonly string[] } }

/**
 * Creates a client of a service (`https://example.org/api/menu`) or of an export (`https://example.org/menus/menus.json`).
 * `Types` are the names that `menuscript types` writes, for programs that want wrong ones to be type errors.
 *
 * @example
 * const menus = createMenuClient('https://example.org/api/menu', { locale: 'es' })
 * const tree = await menus.tree('sidebar', { contextSets: [{ partnerId: 3 }, null] })
 */
export function createMenuClient<Types extends AnyMenuTypes = AnyMenuTypes>(
  url: string | URL,
  options: MenuClientOptions<Types> = {},
): MenuClient<Types> {
  const base = `${url}`.replace(/[/?]$/, '')
  const flights = new Map<string, Flight>()
  let kept = new Map<string, Answer>()
  // A storage may be missing, forbidden or full, and hold anything.
  try {
    kept = new Map(JSON.parse(options.storage?.().getItem(base) as string))
  } catch {}

  const load = async (address: string, signal: AbortSignal, isHashed: boolean): Promise<Outcome> => {
    const known = kept.get(address)
    let answer = known
    try {
      if (!known || !isHashed) {
        const tag = known?.[1]
        // For If-None-Match, a browser would first ask another origin for permission; its cache sends it anyway.
        const conditions = browser.location
          ? !isHashed && ({ cache: 'no-cache' } as const)
          : tag && { headers: { 'If-None-Match': tag } }
        const response = await (options.fetch ?? fetch)(address, { signal, ...conditions })
        const { ok, status } = response
        if (status !== 304) {
          const json = response.json() as Promise<{ readonly detail?: string } | null>
          const body = await (ok ? json : json.catch(() => null))
          if (!ok) throw new MenuError(status, `${body?.detail ?? status} ${address}`)
          const newTag = response.headers.get('etag')
          if (!tag || tag !== newTag) answer = [body, newTag]
        }
      }
    } catch (reason) {
      if (!known || (reason as MenuError).status < 500) throw reason
      return [known[0], reason]
    }
    kept.delete(address)
    kept.set(address, answer as Answer)
    for (const oldest of kept.keys()) if (kept.size > MAX_KEPT) kept.delete(oldest)
    try {
      if (answer !== known) options.storage?.().setItem(base, JSON.stringify([...kept]))
    } catch {}
    return [answer?.[0]]
  }

  const end = (address: string, flight: Flight): void => {
    if (flights.get(address) === flight) flights.delete(address)
    // It also takes the listeners away.
    flight.abort()
  }

  /** Joins the calls that wait for an address. When the last of them leaves, the request is cancelled. */
  const share = (address: string, signal: AbortSignal | undefined, isHashed: boolean): Promise<Outcome> =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const flight: Flight = flights.get(address) ?? Object.assign(new AbortController(), { waiting: 0 })
      flights.set(address, flight)
      flight.waiting++
      flight.outcome ??= load(address, flight.signal, isHashed).finally(() => end(address, flight))
      flight.outcome.then(resolve, reject)
      const leave = (): void => {
        reject(signal?.reason)
        if (!--flight.waiting) end(address, flight)
      }
      signal?.addEventListener('abort', leave, { signal: flight.signal })
    })

  return {
    async tree(code, query) {
      const { locale, contextSets, signal, onStale } = { ...options, ...query }
      const candidates = (contextSets || []).map(toKey)
      const get = async <Body>(address: string, isHashed = false): Promise<Body> => {
        const [body, reason] = await share(address, signal, isHashed)
        if (reason) onStale?.(reason)
        return body as Body
      }
      if (base.endsWith('.json')) {
        const preferred = browser.location ? browser.navigator.languages : []
        const sets = candidates.length ? candidates : ['{}']
        const file = fileOf(await get(base), code, sets, locale ? [locale] : preferred)
        return file ? get(`${base}/../${file}`, true) : []
      }
      const parameters = new URLSearchParams({
        ...(locale && { _locale: locale }),
        ...(candidates.length && { _context_sets: `[${candidates}]` }),
      })
      return get(`${base}/${encodeURIComponent(code)}?${parameters}`.replace(/[/?]$/, ''))
    },
  }
}
