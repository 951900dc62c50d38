import type { MenuItem, RouteParams } from '../model/menu.js'
import type { AnyMenuTypes } from '../model/menu-types.js'

/**
 * The request that a menu is asked for: the host's own over HTTP, `{url, locale, headers: {}, params: {}}` in builds. What else is
 * on it is the host's business, such as `user`; a hook may declare its request as the type that the host has for it.
 */
export interface MenuRequest {
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** A language tag, which takes precedence over Accept-Language. */
  readonly locale?: unknown
  /** The user according to the sign-in of the host. */
  // biome-ignore lint/suspicious/noExplicitAny: only the host knows; `unknown` would refuse every hook that reads it.
  readonly user?: any
  /** The route parameters of the page. */
  // biome-ignore lint/suspicious/noExplicitAny: the same.
  readonly params?: any
  // biome-ignore lint/suspicious/noExplicitAny: the same.
  readonly [member: string]: any
}

/** An empty request: from nobody and nowhere. */
export const NO_REQUEST: MenuRequest = Object.freeze({
  headers: Object.freeze({}),
  params: Object.freeze({}),
})

/** The user that a request speaks for. */
export interface Viewer {
  readonly id: string | number | null
  readonly permissions: readonly string[]
}

/** The keys of permissions that are separated by commas. */
export function toKeys(list: string): string[] {
  return list
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '')
}

/** What operators may do in the dashboard, each also what those before it may: read everything, change menus, manage users. */
export const ROLES = ['view', 'edit', 'manage'] as const
export type Role = (typeof ROLES)[number]

/** Whether a role may do what needs another one. */
export function allows(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed)
}

/** Who works in the dashboard, as the host knows them. */
export interface KnownOperator {
  /** At most 200 characters, without control characters and outer blanks; the same in any case, and not `local` or `token`. */
  readonly id: string
  /** Only the users file names managers. */
  readonly role: Exclude<Role, 'manage'>
  /** The name for people; the id by default. */
  readonly name?: string
}

/** What a code resolver may ask about the menus there are. */
export interface KnownMenus {
  /** Whether any variant has this code. */
  readonly has: (code: string) => boolean
}

/**
 * What a deployment may decide for itself, exported by the `policies` module. All synchronous but `prepareRequest`,
 * which is awaited before the others.
 * They are methods, so that a hook may ask for the request of its framework: `resolveViewer: (request: express.Request) => …`.
 */
export interface Policies<Types extends AnyMenuTypes = AnyMenuTypes> {
  /** The code to serve for the one that was asked for. Default: the same. */
  resolveMenuCode?(request: MenuRequest, hint: string, menus: KnownMenus): string
  /** Default: anonymous, no permissions. */
  resolveViewer?(request: MenuRequest): Viewer
  /** Whether the viewer sees an item. Default: all (or any) of its permissions are among the viewer's. */
  canView?(item: MenuItem, viewer: Viewer, request: MenuRequest): boolean
  /** A language tag, looked up in `locales`. Default: from Accept-Language. */
  resolveLocale?(request: MenuRequest): string
  /** The path of a route; null when there is none. Default: from `routes`. */
  generatePath?(routeName: Types['routeName'], params: RouteParams, request: MenuRequest): string | null
  /** Makes a request ready for the other hooks, such as by loading its session. */
  prepareRequest?(request: MenuRequest): unknown
  /** Who uses the dashboard; null if the host does not know them. Default: the host knows no one. */
  resolveOperator?(request: MenuRequest): KnownOperator | null
  /** The only request headers that the hooks use: answers may then be shared by them. */
  readonly varyOn?: readonly string[]
}

/** The names that a `policies` module may export. */
export const POLICY_NAMES: readonly (keyof Policies)[] = [
  'resolveMenuCode',
  'resolveViewer',
  'canView',
  'resolveLocale',
  'generatePath',
  'prepareRequest',
  'resolveOperator',
  'varyOn',
]

/** What of them takes part in a response to visitors. */
export const MENU_HOOKS: readonly (keyof Policies)[] = POLICY_NAMES.filter(
  (name) => name !== 'resolveOperator',
)

export const ANONYMOUS: Viewer = Object.freeze({ id: null, permissions: Object.freeze([]) })

/** A hook that failed where nothing may be served without its answer. */
export class HookError extends Error {
  override readonly name = 'HookError'
  /** For programs to recognize it. */
  readonly code = 'ERR_MENUS_HOOK'
  readonly hook: string

  constructor(hook: string, reason: string) {
    super(`${hook}: ${reason}`)
    this.hook = hook
  }
}
