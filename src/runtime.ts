import { ConfigurationError } from './config/errors.js'
import type { Config } from './config/load-config.js'
import { type Access, type AccessInputs, openAccess } from './dashboard/access/access.js'
import { openWorkspace } from './dashboard/deeds/open-workspace.js'
import type { ServedDashboard } from './http/app.js'
import { createApiHandler, type Handler } from './http/handler.js'
import { takeOver, toNodeRequest } from './http/host-exchange.js'
import { createMenuServer, type MenuServer } from './http/server.js'
import { createStaticSite } from './http/static-site.js'
import { createWebhook } from './http/webhook.js'
import type { AnyMenuTypes } from './model/menu-types.js'
import { toProblem } from './model/problem.js'
import { failed } from './model/result.js'
import type { Snapshot } from './model/snapshot.js'
import { type FolderOptions, openMenusFolder } from './review/menus-folder.js'
import { menusFolderOf, toReading } from './review/reading.js'
import type { Policies } from './service/hooks.js'
import type { Log } from './service/log.js'
import { createMenuService, type MenuService } from './service/menu-service.js'
import { toRealPath } from './store/inside.js'
import type { EditedStore } from './store/live/open-store.js'
import type { ReadOptions } from './store/read-options.js'
import { withoutUser } from './store/remote/credentials.js'
import { openRemote, type Remote, type RemoteState } from './store/remote/remote.js'
import { judgeStatePlace, openState } from './store/state.js'
import { type Counting, createCounting, type FollowedRemote } from './web/counters.js'
import { answerFailure } from './web/failure.js'
import { isLocalAddress } from './web/host.js'
import { once } from './web/once.js'
import { splitTarget } from './web/target.js'
import { openTracing, recordSpan } from './web/tracing.js'

/** Everything that a deployment is made of, put together. */
export interface Runtime<Types extends AnyMenuTypes = AnyMenuTypes> {
  readonly config: Config
  readonly store: EditedStore
  /** How its files are read. */
  readonly reading: ReadOptions
  readonly service: MenuService<Types>
  /** The repository that the menus come from; null where they are in a folder. */
  readonly remote: Remote | null
  /** What has happened since the start, in numbers. */
  readonly counting: Counting
  /** Answers the paths of the API, and those of a mounted dashboard, and calls `next` for all others. */
  readonly handler: Handler
  readonly log: Log
  readonly close: () => Promise<void>
}

/** Opens what a faultless configuration describes. Throws ConfigurationError where its hooks cannot be used. */
export async function openRuntime(config: Config, options: FolderOptions): Promise<Runtime> {
  const counting = createCounting()
  const log = counting.countLog(options.log)
  const remote = await openRemoteOf(config, log)
  const { store, reading } = await openMenusFolder(config, { ...options, log })
  remote?.start(store.replace, options.watch)
  if (remote !== null) counting.follow(() => toFollowed(remote.state()))
  counting.countSnapshot(store.current)
  store.onChange(counting.countSnapshot)
  await openTracing()
  store.onChange(({ revision, files }, begun) => {
    recordSpan('menuscript.reload', begun, { 'menu.revision': revision, 'menu.files': files.length })
  })
  const { settings, policies } = reading
  const service = createMenuService({ current: () => store.current, settings, policies, log })
  const handler = createApiHandler(service, log)
  const parts = { config, store, reading: reading.options, service, handler, log, counting, remote }
  const close = async (): Promise<void> => {
    await remote?.close()
    await store.close()
  }
  return { ...parts, close }
}

/** What `/readyz` and `/metrics` know of a remote repository. */
function toFollowed({ commit, behindSeconds, fault }: RemoteState): FollowedRemote {
  return { commit, behindSeconds, reason: fault }
}

/** Takes over what is in the remote repository and in the menus folder now. */
export async function reload({ remote, store }: Pick<Runtime, 'remote' | 'store'>): Promise<void> {
  // What keeps it from being followed is logged.
  await remote?.follow()
  await store.refresh()
}

/** Opens the remote repository of a configuration; null for none. Throws ConfigurationError where there is no clone yet, and none can be made. */
async function openRemoteOf(config: Config, log: Log): Promise<Remote | null> {
  const { remote: place, stateFolder, menusFolder } = config
  if (place === null) return null
  // The keys of hosts are kept there.
  openState(stateFolder, menusFolder)
  // What the repository contains must not become users or drafts.
  const isApart = judgeStatePlace(stateFolder, place.folder) === null
  const { value, fault } = isApart
    ? await openRemote(place, { seconds: place.seconds, log })
    : failed({
        reason: `state.dir (${stateFolder}) and the clone (${place.folder}) need folders apart`,
        isAway: false,
      })
  if (fault === null) return value
  const what = `The repository ${withoutUser(place.url)} cannot be cloned: ${fault.reason}.`
  const code = fault.isAway ? 'remote-unreachable' : 'bad-option'
  throw new ConfigurationError([toProblem({ code, path: 'storage.git', what })])
}

/**
 * Who may open the dashboard of a faultless configuration, with its hooks or with given ones. Throws ConfigurationError for
 * what prevents a start.
 */
export async function openAccessOf(
  config: Config,
  { policies: given, ...inputs }: Omit<AccessInputs, 'policies'> & { readonly policies?: Policies },
): Promise<Access> {
  const { policies } = await toReading(config, given)
  const { value: access, fault } = openAccess(config, { ...inputs, policies })
  if (fault !== null) throw new ConfigurationError([fault])
  return access
}

/** The dashboard of a runtime, and what ends it: publishes that have begun are finished. */
export interface OpenDashboard extends ServedDashboard {
  /** Loads what answers its requests, which the first of them would do otherwise. */
  readonly load: () => Promise<unknown>
  /** Ends what a server that closes would wait for. */
  readonly stop: () => void
  readonly close: () => Promise<void>
}

/** Opens the dashboard; null if no one may enter. */
export async function openDashboardOf(runtime: Runtime, access: Access): Promise<OpenDashboard | null> {
  const { config, log, counting } = runtime
  const { availability } = access
  if (availability.kind !== 'off') counting.report(access.problems)
  if (availability.kind === 'off' || availability.kind === 'closed') return null
  const workspace = await openWorkspace(runtime)
  // Pages take longer to load than everything else, and no menu waits for them.
  const load = once(async () => {
    const { createDashboard } = await import('./dashboard/dashboard.js')
    return createDashboard({ access, workspace })
  })
  counting.countOpen('drafts', () => workspace.drafts.list().length)
  counting.countOpen('oldest draft', () => {
    const last = workspace.drafts.list().at(-1)
    return last === undefined ? 0 : Math.max(0, Date.now() - last.changed) / 1000
  })
  counting.countOpen('streams', workspace.streams.count)
  const home = config.options.dashboard.path_prefix
  return {
    home,
    events: `${home}/api/events`,
    load,
    described: async () => (await load()).described,
    handler: (given, reply, next) => {
      if (!isBelow(home, given)) return next?.()
      const { request, response } = takeOver(given, reply)
      load().then(
        ({ answer }) => answer(request, response),
        (thrown: unknown) => answerFailure(log, request, response, thrown),
      )
    },
    stop: workspace.stop,
    close: async () => {
      workspace.stop()
      await workspace.close()
    },
  }
}

/**
 * A runtime whose handler also serves the dashboard, if that has a login; the admin token is not one. The first request opens it:
 * programs that only build pages leave no state folder behind.
 */
export function withMountedDashboard(
  runtime: Runtime,
  adminToken: string | null,
  policies?: Policies,
): Runtime {
  const { config, handler: api, log } = runtime
  const { enabled, path_prefix: home } = config.options.dashboard
  if (!enabled) return runtime
  const open = async (): Promise<OpenDashboard | null> => {
    const inputs = { adminToken, isMounted: true, log, ...(policies && { policies }) }
    try {
      const access = await openAccessOf(config, inputs)
      if (access.availability.kind === 'closed')
        log.warn('dashboard_closed', { reason: access.availability.what })
      return await openDashboardOf(runtime, access)
    } catch (thrown) {
      if (!(thrown instanceof ConfigurationError)) throw thrown
      log.warn('dashboard_closed', { reason: thrown.problems.map(({ what }) => what).join(' ') })
      return null
    }
  }
  let opening: Promise<OpenDashboard | null> | null = null
  const handler: Handler = (given, reply, next) => {
    const pass = (): void => api(given, reply, next)
    if (!isBelow(home, given)) return pass()
    opening ??= open()
    opening.then(
      (dashboard) => (dashboard === null ? pass() : dashboard.handler(given, reply, next)),
      (thrown: unknown) => {
        opening = null
        const { request, response } = takeOver(given, reply)
        answerFailure(log, request, response, thrown)
      },
    )
  }
  const close = async (): Promise<void> => {
    const dashboard = await opening?.catch(() => null)
    await dashboard?.close()
    await runtime.close()
  }
  return { ...runtime, handler, close }
}

/** Whether a request is for a prefix or for a path below it. */
function isBelow(prefix: string, given: Parameters<Handler>[0]): boolean {
  const { path } = splitTarget(toNodeRequest(given).url ?? '/')
  return path === prefix || path.startsWith(`${prefix}/`)
}

/** A service over menus that are given, read in the way of a configuration. Throws ConfigurationError for its hooks. */
export async function createServiceOver(
  config: Config,
  log: Log,
  snapshotOf: (options: ReadOptions) => Promise<Snapshot>,
): Promise<MenuService> {
  const { settings, policies, options } = await toReading(config)
  const snapshot = await snapshotOf(options)
  return createMenuService({ current: () => snapshot, settings, policies, log })
}

/** Our own server over a runtime. `adminToken` lets its bearer see what is for operators only. */
export function createServerOf(
  runtime: Runtime,
  version: string,
  adminToken: string | null,
  dashboard: ServedDashboard | null,
): MenuServer {
  const { config, store, service, handler, log, counting, remote } = runtime
  const secretFile = config.remote?.webhookSecretFile ?? null
  const { host, public_url, trusted_proxies } = config.options.server
  const { staticFolder, inputFiles, menusFolder } = config
  // Files of the configuration have secrets, and those of menus what only some viewers see.
  const closed = [...menusFolderOf(config).closed, ...[...inputFiles, menusFolder].map(toRealPath)]
  return createMenuServer({
    api: handler,
    dashboard,
    site: staticFolder === null ? null : createStaticSite({ root: staticFolder, closed }),
    settings: service.settings,
    current: () => store.current,
    webhook:
      remote === null || secretFile === null
        ? null
        : createWebhook({ secretFile, follow: remote.follow, log }),
    reload: () => reload(runtime),
    counting,
    version,
    adminToken,
    isLocalOnly: public_url === null && trusted_proxies.length === 0 && isLocalAddress(host),
    logRequests: config.options.log.level === 'debug',
    log,
  })
}
