/** What the tests use of the package, which has no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

  interface Grant {
    readonly addOIDCScope: (scope: string) => void
    readonly addOIDCClaims: (claims: readonly string[]) => void
    readonly save: () => Promise<string>
  }

  interface Context {
    readonly oidc: {
      readonly session: { readonly accountId: string }
      readonly client: { readonly clientId: string }
      readonly params: { readonly scope: string }
    }
  }

  export class Provider {
    constructor(issuer: string, configuration: object)
    readonly Grant: new (of: {
      readonly accountId: string
      readonly clientId: string
    }) => Grant
    callback(): RequestListener
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
  }
}
