import type { ClientAuth, Configuration } from 'openid-client'
import type { OidcOptions } from '../../config/options.js'
import { done, failed, type Result } from '../../model/result.js'
import { contentHash } from '../../store/hash.js'
import { once } from '../../web/once.js'

/** Who signed in at a provider. */
export interface Claimed {
  /** Identifies the user at all providers: a hash of issuer and subject, which users cannot change (OpenID Connect Core, 5.7). */
  readonly subject: string
  /** The values of the claims that may name the user, the preferred one first. */
  readonly names: readonly unknown[]
  readonly groups: readonly string[]
}

/** What the response to a request for a sign-in must match. */
export interface Expected {
  readonly state: string
  readonly nonce: string
  /** Proves that the code was made for this request (PKCE, RFC 7636). */
  readonly verifier: string
}

/** `away`: the provider does not work now. `denied`: the user has refused there, or the provider has refused the user. */
export interface ProviderFault {
  readonly kind: 'away' | 'denied' | 'failed'
  /** For the log: has neither codes nor tokens. */
  readonly reason: string
}

/** An OpenID Connect provider. Nothing of a sign-in is kept here, so any replica can complete it. */
export interface Provider {
  /** The address at the provider where a browser signs in. */
  readonly begin: (
    redirectUri: string,
  ) => Promise<Result<{ readonly address: string; readonly expected: Expected }, ProviderFault>>
  /** Exchanges the code with which a browser came back; `url` is the redirect URI with the query. */
  readonly complete: (url: URL, expected: Expected) => Promise<Result<Claimed, ProviderFault>>
}

type Library = typeof import('openid-client')

/** Seconds for each request to the provider. */
const TIMEOUT = 10
/** Seconds by which the clock of the provider may differ. */
const SKEW = 60

/** `secret` is null for a public client. */
export function createProvider(options: OidcOptions, secret: string | null): Provider {
  const { scopes, user_claim, groups_claim } = options
  const load = once(() => import('openid-client'))
  // Keys that the provider changes are fetched again; its addresses with the next start.
  const discover = once(async () => openProvider(await load(), options, secret))
  return {
    begin: async (redirectUri) => {
      try {
        const library = await load()
        const { randomState, randomNonce, randomPKCECodeVerifier, calculatePKCECodeChallenge } = library
        const expected = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
        const address = library.buildAuthorizationUrl(await discover(), {
          ...{ redirect_uri: redirectUri, scope: scopes.join(' ') },
          ...{ state: expected.state, nonce: expected.nonce },
          code_challenge: await calculatePKCECodeChallenge(expected.verifier),
          code_challenge_method: 'S256',
        })
        return done({ address: address.href, expected })
      } catch (thrown) {
        return failed({ kind: 'away', reason: toSafeReason(thrown) })
      }
    },
    complete: async (url, { state, nonce, verifier }) => {
      const library = await load()
      try {
        const provider = await discover()
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier }
        const tokens = await library.authorizationCodeGrant(provider, url, checks)
        const signed = tokens.claims()
        if (signed === undefined) return failed({ kind: 'failed', reason: 'no ID token' })
        const isComplete = [user_claim, groups_claim].every((name) => Object.hasOwn(signed, name))
        const hasMore = !isComplete && provider.serverMetadata().userinfo_endpoint !== undefined
        const more = hasMore ? await library.fetchUserInfo(provider, tokens.access_token, signed.sub) : {}
        const claims = new Map<string, unknown>(Object.entries({ ...more, ...signed }))
        return done({
          subject: contentHash(JSON.stringify([signed.iss, signed.sub])),
          names: [user_claim, 'email', 'sub'].map((name) => claims.get(name)),
          groups: [claims.get(groups_claim)].flat().filter((each) => typeof each === 'string'),
        })
      } catch (thrown) {
        return failed(toFault(library, thrown))
      }
    },
  }
}

/** What the provider says of itself. */
async function openProvider(
  library: Library,
  { issuer, client_id }: OidcOptions,
  secret: string | null,
): Promise<Configuration> {
  const server = new URL(issuer ?? '')
  const metadata = { [library.clockTolerance]: SKEW }
  const provider = await library.discovery(server, client_id ?? '', metadata, toAuth(library, secret), {
    timeout: TIMEOUT,
    // The configuration allows it for this machine alone.
    execute: server.protocol === 'http:' ? [library.allowInsecureRequests] : [],
  })
  // Checks signatures as well, although the tokens come straight from the provider.
  library.enableNonRepudiationChecks(provider)
  return provider
}

/** How the service identifies itself: by HTTP Basic, which is the standard's default, unless the provider takes only a form. */
function toAuth({ None, ClientSecretBasic, ClientSecretPost }: Library, secret: string | null): ClientAuth {
  if (secret === null) return None()
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)]
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const isForm = methods.includes('client_secret_post') && !methods.includes('client_secret_basic')
    return (isForm ? post : basic)(server, ...rest)
  }
}

/** Errors with which a provider says that it does not work now (RFC 6749, section 4.1.2.1). */
const AWAY = ['server_error', 'temporarily_unavailable']

function toFault(library: Library, thrown: unknown): ProviderFault {
  const reason = toSafeReason(thrown)
  if (thrown instanceof library.AuthorizationResponseError) {
    const { error } = thrown
    return { kind: AWAY.includes(error) ? 'away' : error === 'access_denied' ? 'denied' : 'failed', reason }
  }
  const { code, cause } = thrown as { readonly code?: unknown; readonly cause?: unknown }
  const isDown = cause instanceof Response && cause.status >= 500
  // `fetch` has no other type of error for what the network does.
  const isCut = thrown instanceof TypeError && code === undefined
  return { kind: isDown || isCut || code === 'OAUTH_TIMEOUT' ? 'away' : 'failed', reason }
}

/** What an error says in fixed words: what the provider or the browser sent may have secrets in it. */
function toSafeReason(thrown: unknown): string {
  const words: string[] = []
  for (let each = thrown; each instanceof Error && !(each instanceof SyntaxError); each = each.cause) {
    const { code, error } = each as { readonly code?: unknown; readonly error?: unknown }
    const name = [error, code].find((word) => typeof word === 'string' && /^\w{1,60}$/.test(word))
    words.push(name === undefined ? each.message : `${name}: ${each.message}`)
  }
  return words.join('; ')
}
