import type { Limits } from '../model/limits.js'
import type { Label } from '../model/menu.js'
import type { RouteOption } from '../model/route.js'
import type { Rules } from '../service/project-rules.js'
import type { Settings } from '../service/settings.js'

/** The kinds of hosts whose pull requests are known. Gitea and Forgejo have the same API. */
export type HostKind = 'github' | 'gitlab' | 'gitea' | 'forgejo'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** Every option with its value, as `menuscript config` prints it. Meanings and defaults: `schemas/config.schema.json`. */
export interface Options {
  readonly storage: {
    readonly connection: string
    readonly connections: Readonly<Record<string, string>>
    readonly file_prefix: string
    /** Seconds. */
    readonly rescan_seconds: number
    readonly git: {
      readonly remote: string | null
      readonly branch: string
      readonly path: string
      /** Seconds. */
      readonly interval: number
      readonly token_file: string | null
      readonly ssh_key_file: string | null
      readonly webhook_secret_file: string | null
      readonly clone: string | null
      readonly drafts: 'remote' | 'local'
    }
  }
  readonly cache: {
    /** Seconds. */
    readonly ttl: number
    readonly pool: 'cache.app' | null
  }
  readonly locales: readonly string[]
  readonly default_locale: string | null
  readonly api: Settings['api']
  readonly dashboard: {
    readonly enabled: boolean
    readonly path_prefix: string
    readonly users_file: string | null
    readonly proxy_user_header: string | null
    readonly proxy_default_role: 'view' | 'edit'
    readonly session_secret: string | null
    readonly session_hours: number
    readonly oidc: OidcOptions
    readonly preview_css: string | null
  }
  readonly icon_library_prefix_map: Readonly<Record<string, string>> | null
  readonly icons: readonly string[] | null
  readonly routes: Readonly<Record<string, RouteOption>> | null
  readonly policies: string | null
  /** Permission keys, alone or with what each allows. */
  readonly permissions: readonly string[] | Readonly<Record<string, Label>> | null
  readonly lint: { readonly rules: Rules }
  readonly limits: Limits
  readonly log: { readonly level: LogLevel }
  readonly server: {
    readonly host: string
    readonly port: number
    readonly public_url: string | null
    readonly trusted_proxies: readonly string[]
    readonly static: string | null
  }
  readonly state: { readonly dir: string }
  readonly git: {
    readonly commit: 'auto' | 'off'
    readonly committer_name: string
    readonly committer_email: string | null
    readonly signing_key_file: string | null
    readonly mode: 'push' | 'propose' | 'both'
    readonly host: {
      readonly kind: HostKind | null
      readonly api: string | null
      readonly token_file: string | null
    }
  }
}

/** Sign-in through an OpenID Connect provider; there is none while `issuer` is null. */
export interface OidcOptions {
  readonly issuer: string | null
  readonly client_id: string | null
  readonly client_secret_file: string | null
  readonly scopes: readonly string[]
  readonly user_claim: string
  readonly groups_claim: string
  readonly roles: Readonly<Record<'view' | 'edit' | 'manage', readonly string[]>>
  readonly default_role: 'view' | 'edit' | null
  readonly label: string
}
