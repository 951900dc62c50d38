import type { Config } from './config/load-config.js'
import { loadPolicies } from './config/policies.js'
import { toSettings } from './config/settings.js'
import { createApiHandler, type Handler } from './http/handler.js'
import { createMenuServer, type MenuServer } from './http/server.js'
import type { Problem } from './model/problem.js'
import type { Snapshot } from './model/snapshot.js'
import type { Policies } from './service/hooks.js'
import type { Log } from './service/log.js'
import { createMenuService, type MenuService } from './service/menu-service.js'
import type { Settings } from './service/settings.js'
import { openStore, type Store, type StoreOptions } from './store/live/open-store.js'
import { type ReadOptions, toReadOptions } from './store/read-options.js'
import { type Counting, createCounting } from './web/counters.js'

/** Everything that a deployment is made of, put together. */
export interface Runtime {
  readonly config: Config
  readonly store: Store
  readonly service: MenuService
  /** What has happened since the start, in numbers. */
  readonly counting: Counting
  /** Answers the API paths and calls `next` for all others. */
  readonly handler: Handler
  readonly log: Log
  readonly close: () => Promise<void>
}

export interface RuntimeOptions {
  /** Whether to follow changes of the files. */
  readonly watch: boolean
  readonly log: Log
  /** Hooks, in place of the module that the configuration names. */
  readonly policies?: Policies
  readonly onProgress?: (read: number, total: number) => void
}

/** A runtime, or the problems of the configuration that keep it from being opened. */
export type OpenedRuntime =
  | { readonly runtime: Runtime; readonly problems: readonly [] }
  | { readonly runtime: null; readonly problems: readonly Problem[] }

/** Opens what a faultless configuration describes. */
export async function openRuntime(config: Config, options: RuntimeOptions): Promise<OpenedRuntime> {
  const { watch, onProgress } = options
  const counting = createCounting()
  const log = counting.countLog(options.log)
  const given = options.policies ?? (config.policiesFile === null ? {} : null)
  const { policies, problems } =
    given === null ? await loadPolicies(config.policiesFile ?? '') : { policies: given, problems: [] }
  if (problems.length > 0) return { runtime: null, problems }
  const settings = toSettings(config.options)
  const store = await openMenuStore(config.menusFolder, {
    settings,
    pathsAreMade: policies.generatePath !== undefined,
    watch,
    log,
    filePrefix: config.options.storage.file_prefix,
    rescanSeconds: config.options.storage.rescan_seconds,
    ...toNamedBy(config),
    ...(onProgress !== undefined && { onProgress }),
  })
  counting.countSnapshot(store.current)
  store.onChange(counting.countSnapshot)
  const service = createMenuService({ current: () => store.current, settings, policies, log })
  const handler = createApiHandler(service, log)
  const runtime: Runtime = { config, store, service, handler, log, counting, close: () => store.close() }
  return { runtime, problems: [] }
}

/** What names the menus folder, where that is not the configuration file. */
function toNamedBy({ origins }: Config): Pick<StoreOptions, 'namedBy'> {
  const origin = origins.get('storage.connections')
  const isNamed = origin !== undefined && origin.kind !== 'file' && origin.kind !== 'default'
  return isNamed ? { namedBy: origin.where } : {}
}

/** A service to be asked, or the problems of the configuration that keep it from being opened. */
export type OpenedService =
  | { readonly service: MenuService; readonly close: () => Promise<void>; readonly problems: readonly [] }
  | { readonly service: null; readonly close: null; readonly problems: readonly Problem[] }

/** Opens the service alone, over the menus folder as it is, or over menus that are read in the same way. */
export async function openService(
  config: Config,
  log: Log,
  snapshotOf: ((reading: ReadOptions) => Promise<Snapshot>) | null,
): Promise<OpenedService> {
  if (snapshotOf === null) {
    const { runtime, problems } = await openRuntime(config, { watch: false, log })
    if (runtime === null) return { service: null, close: null, problems }
    return { service: runtime.service, close: runtime.close, problems: [] }
  }
  const { policies, problems } =
    config.policiesFile === null ? { policies: {}, problems: [] } : await loadPolicies(config.policiesFile)
  if (problems.length > 0) return { service: null, close: null, problems }
  const settings = toSettings(config.options)
  const snapshot = await snapshotOf(toReadOptions(settings, policies.generatePath !== undefined))
  const service = createMenuService({ current: () => snapshot, settings, policies, log })
  return { service, close: async () => {}, problems: [] }
}

export interface MenuStoreOptions extends StoreOptions {
  readonly settings: Settings
  /** Whether something else than the routes may make paths, so that it may know routes that they do not. */
  readonly pathsAreMade: boolean
}

/** Opens a folder of menus whose files are read under some settings: boot, watching, lint and publishing read alike. */
export function openMenuStore(dir: string, options: MenuStoreOptions): Promise<Store> {
  const { settings, pathsAreMade, ...rest } = options
  return openStore(dir, toReadOptions(settings, pathsAreMade), rest)
}

/** Our own server over a runtime. `adminToken` opens to its bearer what is nobody else's business. */
export function createServerOf(runtime: Runtime, version: string, adminToken: string | null): MenuServer {
  const { config, store, service, handler, log, counting } = runtime
  return createMenuServer({
    api: handler,
    settings: service.settings,
    current: () => store.current,
    reload: () => store.refresh(),
    counting,
    version,
    adminToken,
    logRequests: config.options.log.level === 'debug',
    log,
  })
}
