import { ConfigurationError } from '../../src/config/errors.js'
import { loadConfig } from '../../src/config/load-config.js'
import type { Handler } from '../../src/http/handler.js'
import { createServerOf, openAccessOf, openDashboardOf, openRuntime } from '../../src/runtime.js'
import type { Remote } from '../../src/store/remote/remote.js'
import type { Counting } from '../../src/web/counters.js'
import { createEventLog, type LoggedEvent } from '../service/services.js'
import { get, type HttpAnswer, type HttpOptions } from '../support/http.js'
import { createLargeFolder, type MenusFolder } from '../support/menus-folder.js'

export interface SiteOptions {
  /** Options beside the defaults, as a configuration file holds them. */
  readonly config?: Readonly<Record<string, unknown>>
  /** The text of a policies module. */
  readonly policies?: string
  readonly adminToken?: string
  /** Whether it has a dashboard. Default: false. */
  readonly hasDashboard?: boolean
  /** Whether it follows changes of the folder, and of a remote repository. Default: false. */
  readonly watch?: boolean
  /** Called with the folder before anything is opened. */
  readonly prepare?: (dir: string) => void
}

/** A whole service in this process, on a real folder and a real socket. */
export interface OpenSite {
  readonly url: string
  readonly folder: MenusFolder
  readonly handler: Handler
  /** That of the dashboard, where there is one. */
  readonly dashboard: Handler | null
  readonly events: readonly LoggedEvent[]
  /** The repository that its menus come from, where there is one. */
  readonly remote: Remote | null
  readonly counting: Counting
  /** A fresh link to sign in to the dashboard. */
  readonly link: (name?: string) => string
  /** Asks for a path of the site. */
  readonly ask: (path: string, options?: HttpOptions) => Promise<HttpAnswer>
  readonly close: () => Promise<void>
}

/** Opens a site on these menu files, by their path in `menus/`. */
export async function openSite(
  menus: Readonly<Record<string, string>>,
  {
    config = {},
    policies,
    adminToken,
    hasDashboard = false,
    watch = false,
    prepare = () => {},
  }: SiteOptions = {},
): Promise<OpenSite> {
  const files = Object.entries(menus).map(([path, text]) => [`menus/${path}`, text] as const)
  const folder = createLargeFolder(Object.fromEntries(files))
  const hooks = policies === undefined ? {} : { policies: './policies.mjs' }
  folder.write('menuscript.config.json', JSON.stringify({ ...config, ...hooks }))
  if (policies !== undefined) folder.write('policies.mjs', policies)
  prepare(folder.dir)
  const loaded = await loadConfig({ folder: folder.dir, file: null, environment: {}, flags: {} })
  const { log, events } = createEventLog()
  if (loaded.problems.length > 0) throw new ConfigurationError(loaded.problems)
  const runtime = await openRuntime(loaded, { watch, log })
  const access = await openAccessOf(loaded, { adminToken: adminToken ?? null, isMounted: false, log })
  const dashboard = hasDashboard ? await openDashboardOf(runtime, access) : null
  const server = createServerOf(runtime, '0.0.0', adminToken ?? null, dashboard)
  const url = await server.listen(0, '127.0.0.1')
  return {
    url,
    folder,
    handler: runtime.handler,
    dashboard: dashboard?.handler ?? null,
    events,
    remote: runtime.remote,
    counting: runtime.counting,
    link: (name) => access.linkAt(url, name).value ?? '',
    ask: (path, options) => get(url, { target: path, ...options }),
    close: async () => {
      dashboard?.stop()
      await server.close()
      await dashboard?.close()
      await runtime.close()
      folder.close()
    },
  }
}

/** Does something with a site that is closed afterwards, come what may. */
export async function withSite(
  menus: Readonly<Record<string, string>>,
  options: SiteOptions,
  work: (site: OpenSite) => Promise<void>,
): Promise<void> {
  const site = await openSite(menus, options)
  try {
    await work(site)
  } finally {
    await site.close()
  }
}

/** A menu of one link, as a text. */
export function menuText(code: string, label: string, context?: unknown): string {
  return JSON.stringify({ version: 1, code, name: code, context, items: [{ label, url: '/' }] })
}

/** The path that asks for a menu with these context sets. */
export function menuPath(code: string, sets?: unknown): string {
  const query = sets === undefined ? '' : `?_context_sets=${encodeURIComponent(JSON.stringify(sets))}`
  return `/api/menu/${code}${query}`
}
