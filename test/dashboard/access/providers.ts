import { generateKeyPairSync } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { type Context, Provider } from 'oidc-provider'
import { freePort } from '../../support/free-port.js'
import { get } from '../../support/http.js'

export const CLIENT_ID = 'menuscript'
export const CLIENT_SECRET = 'a-client-secret-of-thirty-two-characters'

/** What the provider knows of a user. */
export type Claims = Readonly<Record<string, unknown>>

export interface ProviderOptions {
  readonly redirectUri: string
  /** By subject. */
  readonly people: Readonly<Record<string, Claims>>
  /** Members of the client besides. */
  readonly client?: object
  /** Members of the configuration besides. */
  readonly more?: object
}

/** A real OpenID Connect provider on this machine. It signs every visitor in at once as `user`, and refuses them while that is null. */
export interface TestProvider {
  readonly issuer: string
  /** The subject of the person at the browser. */
  user: string | null
  /** The paths that were asked for. */
  readonly asked: string[]
  /** Goes where a service leads a browser, up to where the provider leads it back. */
  readonly visit: (address: string) => Promise<URL>
  readonly stop: () => Promise<void>
  readonly start: () => Promise<void>
  readonly close: () => Promise<void>
}

const KEY = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })

export async function openProvider(options: ProviderOptions): Promise<TestProvider> {
  const { redirectUri, people, client = {}, more = {} } = options
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}`
  const asked: string[] = []
  const loadExistingGrant = async ({ oidc }: Context) => {
    const grant = new provider.Grant({ accountId: oidc.session.accountId, clientId: oidc.client.clientId })
    grant.addOIDCScope(oidc.params.scope)
    await grant.save()
    return grant
  }
  const provider: Provider = new Provider(issuer, {
    clients: [
      { client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: [redirectUri], ...client },
    ],
    jwks: { keys: [{ ...KEY, kid: 'test', use: 'sig' }] },
    cookies: { keys: ['a key for the cookies of the provider'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
    claims: {
      openid: ['sub'],
      profile: ['preferred_username'],
      email: ['email'],
      groups: ['groups'],
    },
    pkce: { required: () => true },
    ttl: { AccessToken: 60, AuthorizationCode: 60, IdToken: 60, Interaction: 60, Session: 60, Grant: 60 },
    findAccount: (_: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ sub, ...people[sub] }),
    }),
    loadExistingGrant,
    ...more,
  })
  const answer = provider.callback()
  let server: Server
  const start = async () => {
    server = createServer((request, response) => {
      const path = new URL(request.url ?? '/', issuer).pathname
      asked.push(path)
      if (!path.startsWith('/interaction/')) return answer(request, response)
      const { user } = opened
      const result = user === null ? { error: 'access_denied' } : { login: { accountId: user } }
      provider
        .interactionFinished(request, response, result)
        .catch((thrown: unknown) => response.writeHead(500).end(String(thrown)))
    })
    await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  }
  const stop = async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  }
  const visit = async (address: string): Promise<URL> => {
    const cookies = new Map<string, string>()
    for (let at = address; ; ) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const { status, headers, rawHeaders, text } = await get(at, { headers: { cookie } })
      for (const [place, name] of rawHeaders.entries()) {
        if (place % 2 === 1 || name.toLowerCase() !== 'set-cookie') continue
        const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(rawHeaders[place + 1] ?? '') ?? []
        cookies.set(key, value)
      }
      const { location } = headers
      if (location === undefined) throw new Error(`${status} ${text}`)
      const next = new URL(location, at)
      if (next.origin !== issuer) return next
      at = next.href
    }
  }
  const opened: TestProvider = {
    issuer,
    user: null,
    asked,
    visit,
    start,
    stop,
    close: async () => {
      if (server.listening) await stop()
    },
  }
  await start()
  return opened
}
