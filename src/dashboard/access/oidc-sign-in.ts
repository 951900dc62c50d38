import type { IncomingMessage } from 'node:http'
import type { OidcOptions } from '../../config/options.js'
import { isIdentity } from '../../service/hook-calls.js'
import { ROLES, type Role } from '../../service/hooks.js'
import { createTally } from '../../store/audit-tally.js'
import { contentHash } from '../../store/hash.js'
import { isValidAt } from '../../store/lifetime.js'
import { toUserKey } from '../../store/user-names.js'
import { toNetwork } from '../../web/network.js'
import { Refusal } from '../refusal.js'
import { createAttempts } from './attempts.js'
import { toNextPath } from './next-path.js'
import type { Claimed, Provider } from './oidc.js'
import { type SignInDeps, tooManyAttempts } from './sign-in.js'
import { createSign, createSignedCookie, toEndedCookie } from './signed-cookies.js'

/** Where a browser goes on, with the Set-Cookie headers of the response. */
export interface Onward {
  readonly location: string
  readonly cookies: readonly string[]
}

/** Sign-in through an OpenID Connect provider; throws a Refusal for what cannot be. */
export interface OidcSignIn {
  /** The way to the provider. A cookie keeps what its response must match, and `next`. */
  readonly begin: (request: IncomingMessage, next: string) => Promise<Onward>
  /** Begins a session for the user whom the provider sent back with this query, if one of their groups has a role. */
  readonly complete: (request: IncomingMessage, query: ReadonlyMap<string, string>) => Promise<Onward>
}

/** The page that leads to the provider, below the prefix of the dashboard, and the one to which the provider leads. */
export const OIDC_PATH = '/sign-in/oidc'
export const CALLBACK_PATH = '/sign-in/oidc/callback'

/** Why nobody is signed in, with the status of the page that says so. */
const FAULTS = { away: 503, denied: 403, expired: 401, failed: 401, barred: 403 } as const

/** Minutes for signing in at the provider. */
const MINUTES = 15
/** The browser comes back from another site, for which a strict cookie would be withheld. */
const COOKIE = { name: '-oidc', use: 'oidc', seconds: MINUTES * 60, sameSite: 'Lax' } as const
const ENDED = toEndedCookie(COOKIE)
/** Characters of a name that a user has at the provider; an identity has up to 200. */
const MAX_NAME = 180
/** Characters of the hash behind it. */
const HASH = 8

/** Sessions are valid while the configuration that gave them their role is the same. */
export function toOidcEpoch({ label, client_secret_file, ...rest }: OidcOptions): number | null {
  return rest.issuer === null ? null : Number.parseInt(contentHash(JSON.stringify(rest)).slice(0, 12), 16)
}

export interface OidcDeps extends SignInDeps {
  readonly options: OidcOptions
  readonly provider: Provider
  /** `server.public_url`. */
  readonly publicUrl: string
  /** The prefix of the dashboard. */
  readonly home: string
}

export function createOidcSignIn(deps: OidcDeps): OidcSignIn {
  const { options, provider, publicUrl, home, hostOf, sessions, secret, proxies, now, log, audit } = deps
  const cookie = createSignedCookie(createSign(secret), COOKIE)
  const attempts = createAttempts(() => performance.now())
  const tally = createTally(audit)
  const redirectUri = new URL(`${home}${CALLBACK_PATH}`, publicUrl).href
  const epoch = toOidcEpoch(options) ?? 0
  const via = 'oidc'
  const refuse = (
    kind: keyof typeof FAULTS,
    reason: string,
    { address, next }: { readonly address: string; readonly next: string },
    user: string | null = null,
  ): Refusal => {
    const key = { account: null, network: `${kind} ${toNetwork(address)}`, device: null }
    // Anyone can send these without end.
    const isNoted = attempts.take(key) === 0
    if (isNoted && kind === 'away') log.error('oidc_unavailable', { issuer: options.issuer, reason })
    if (isNoted && kind !== 'away') {
      log.warn('sign_in_failed', { user, by: via, address, reason })
      tally('sign-in-failed', { user, via, address, action: 'sign-in-failed' })
    }
    const members = { label: options.label, next }
    const problem = { status: FAULTS[kind], code: `oidc-${kind}`, detail: 'This sign-in did not succeed.' }
    return new Refusal({ ...problem, members, headers: { 'set-cookie': ENDED } })
  }
  return {
    begin: async (request, next) => {
      const host = hostOf(request)
      // The cookie is only for the host to which the provider sends the browser back.
      if (host.host !== new URL(publicUrl).host) {
        const query = new URLSearchParams({ next })
        return { location: new URL(`${home}${OIDC_PATH}?${query}`, publicUrl).href, cookies: [] }
      }
      if (!host.isHttps && !host.isLocal) throw new Refusal('not-secure')
      const address = proxies.clientAddress(request)
      const { value, fault } = await provider.begin(redirectUri)
      if (fault !== null) throw refuse('away', fault.reason, { address, next })
      const { state, nonce, verifier } = value.expected
      return { location: value.address, cookies: [cookie.write([state, nonce, verifier, next, now()])] }
    },
    complete: async (request, query) => {
      const host = hostOf(request)
      if (!host.isHttps && !host.isLocal) throw new Refusal('not-secure')
      const address = proxies.clientAddress(request)
      const [state, nonce, verifier, next, issued] = (cookie.read(request) ?? []) as Kept
      const at = { address, next: next ?? home }
      if (!isValidAt(now(), issued, MINUTES * 60_000)) throw refuse('expired', 'no cookie', at)
      const client = { account: null, network: toNetwork(address), device: null }
      const wait = attempts.take(client)
      if (wait > 0) throw tooManyAttempts(wait)
      const url = new URL(`${redirectUri}?${new URLSearchParams([...query])}`)
      const { value: claimed, fault } = await provider.complete(url, { state, nonce, verifier })
      // Only codes and tokens that are wrong count.
      if (fault?.kind !== 'failed') attempts.giveBack(client)
      if (fault !== null) throw refuse(fault.kind, fault.reason, at)
      const name = claimed.names.find((each) => isIdentity(each) && String(each).length <= MAX_NAME)
      if (name === undefined) throw refuse('failed', 'no claim names the user', at)
      const author = `${name}#${claimed.subject.slice(0, HASH)}`
      const user = toUserKey(author)
      const role = toRole(options, claimed)
      if (role === null) throw refuse('barred', 'no group with a role', at, user)
      log.info('signed_in', { user, by: via, address })
      audit.record({ user, via, address, action: 'signed-in', role })
      const given = { name: String(name), role }
      const session = sessions.toCookie({ user: author, issued: now(), seen: now(), epoch, given })
      return { location: toNextPath(next, home), cookies: [session, ENDED] }
    },
  }
}

/** What the cookie keeps; a missing one has none of it. */
type Kept = readonly [state: string, nonce: string, verifier: string, next: string, issued: number]

/** The highest role of the groups of a user. */
function toRole({ roles, default_role }: OidcOptions, { groups }: Claimed): Role | null {
  return ROLES.findLast((role) => roles[role].some((group) => groups.includes(group))) ?? default_role
}
