import type { Options } from '../../src/config/options.js'
import { toSettings } from '../../src/config/service-settings.js'
import type { ItemType, MenuItem } from '../../src/model/menu.js'
import type { Snapshot } from '../../src/model/snapshot.js'
import type { Window } from '../../src/model/window.js'
import type { Policies } from '../../src/service/hooks.js'
import type { Log, LogFields } from '../../src/service/log.js'
import { createMenuService, type MenuService } from '../../src/service/menu-service.js'
import type { Settings } from '../../src/service/settings.js'
import { DEFAULT_LIMITS } from '../support/limits.js'
import type { Site, Written } from './oracle.js'

const DEFAULTS: Options = {
  storage: {
    connection: 'default',
    connections: { default: 'menus' },
    file_prefix: '',
    rescan_seconds: 5,
    git: {
      remote: null,
      branch: 'main',
      path: 'menus',
      interval: 30,
      token_file: null,
      ssh_key_file: null,
      webhook_secret_file: null,
      clone: null,
      drafts: 'remote',
    },
  },
  cache: { ttl: 60, pool: 'cache.app' },
  locales: ['en', 'es'],
  default_locale: null,
  api: { enabled: true, path_prefix: '/api/menu', node_members: [], cors_origins: '*' },
  dashboard: {
    enabled: true,
    path_prefix: '/admin/menus',
    users_file: null,
    proxy_user_header: null,
    proxy_default_role: 'view',
    session_secret: null,
    session_hours: 12,
    oidc: {
      ...{ issuer: null, client_id: null, client_secret_file: null, scopes: ['openid'] },
      ...{ user_claim: 'preferred_username', groups_claim: 'groups' },
      ...{ roles: { view: [], edit: [], manage: [] }, default_role: null, label: 'OpenID Connect' },
    },
    preview_css: null,
  },
  icon_library_prefix_map: null,
  icons: null,
  routes: null,
  policies: null,
  permissions: null,
  lint: { rules: {} },
  limits: DEFAULT_LIMITS,
  log: { level: 'info' },
  server: { host: '127.0.0.1', port: 0, public_url: null, trusted_proxies: [], static: null },
  state: { dir: '.menuscript' },
  git: {
    ...{ commit: 'auto', committer_name: 'Menuscript', committer_email: null, signing_key_file: null },
    ...{ mode: 'push', host: { kind: null, api: null, token_file: null } },
  },
}

/** What the service makes of the defaults with some options changed. */
export function settingsOf(options: Partial<Options> = {}): Settings {
  return toSettings({ ...DEFAULTS, ...options })
}

export function settingsOfSite({ locales, defaultLocale, routes, prefixes }: Site): Settings {
  return settingsOf({ locales, default_locale: defaultLocale, routes, icon_library_prefix_map: prefixes })
}

export interface LoggedEvent {
  readonly event: string
  readonly fields: LogFields
}

/** A log that keeps its lines. */
export function createEventLog(): { readonly log: Log; readonly events: LoggedEvent[] } {
  const events: LoggedEvent[] = []
  const tell = (event: string, fields: LogFields = {}) => void events.push({ event, fields })
  return { log: { debug: tell, info: tell, warn: tell, error: tell }, events }
}

/** A service over whatever `current` gives, with what it logged. */
export function serviceOver(
  current: () => Snapshot,
  policies: Policies = {},
  settings: Settings = settingsOf(),
  clock: () => number = Date.now,
): { readonly service: MenuService; readonly events: readonly LoggedEvent[] } {
  const { log, events } = createEventLog()
  return { service: createMenuService({ current, settings, policies, log, clock }), events }
}

/** A menu as a text that a file may hold; YAML reads JSON. */
export function toText({ code, context, items, ...window }: Written & Partial<Window>): string {
  const head = { version: 1, code, name: 'A menu', context, ...toWindow(window) }
  return JSON.stringify({ ...head, items: items.map(toEntry) })
}

function toWindow({ visibleFrom, visibleUntil }: Partial<Window>): object {
  return { ...(visibleFrom && { visibleFrom }), ...(visibleUntil && { visibleUntil }) }
}

function toEntry(item: MenuItem): Readonly<Record<string, unknown>> {
  const { type, hidden, permissions, permissionMode } = item
  const common = {
    ...{ type: type satisfies ItemType, hidden, permissions, permissionMode },
    ...toWindow(item),
  }
  if (item.type === 'divider') return common
  const { label, icon, routeName, routeParams, children } = item
  const url = item.type === 'link' ? item.url : null
  return {
    ...common,
    label,
    ...(icon !== null && { icon }),
    ...(routeName !== null && { routeName, routeParams }),
    ...(url !== null && { url }),
    children: children.map(toEntry),
  }
}
