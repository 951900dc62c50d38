/** The library: what sites and scripts import from `menuscript`. */
import { readAdminToken } from './config/admin-token.js'
import { ConfigurationError, MenusError, refuseInputs } from './config/errors.js'
import { INLINE_NAMES, type InlineOptions, readInlineOptions } from './config/inline.js'
import { type HostInputs, loadHostConfig } from './config/load-config.js'
import { parsePolicies } from './config/policies.js'
import { toSettings } from './config/service-settings.js'
import { createApiHandler, type Handler } from './http/handler.js'
import type { AnyMenuTypes } from './model/menu-types.js'
import { isError, toProblem } from './model/problem.js'
import { openRuntime, type Runtime, withMountedDashboard } from './runtime.js'
import type { Policies } from './service/hooks.js'
import type { InputKind } from './service/inputs.js'
import { CONSOLE_LOG, holdMenuErrors, type Log, toSafeLog } from './service/log.js'
import { createMenuService as createService, type MenuService } from './service/menu-service.js'
import type { Settings } from './service/settings.js'
import { openStore as openMenuStore, type Store } from './store/live/open-store.js'
import { toReadOptions } from './store/read-options.js'

export type { Environment } from './config/environment.js'
export type { Config } from './config/load-config.js'
export type { Options } from './config/options.js'
export type { Handler } from './http/handler.js'
export type { Context, Label, Menu, MenuItem } from './model/menu.js'
export type { MenuFile } from './model/menu-file.js'
export type { AnyMenuTypes, ContextLike } from './model/menu-types.js'
export type { Problem } from './model/problem.js'
export type { Snapshot } from './model/snapshot.js'
export type { TreeNode } from './model/tree.js'
export { type MenuGlobalsOptions, registerMenuGlobals, type TemplateEnvironment } from './nunjucks/globals.js'
export type { PageNode } from './render/current.js'
export type { MenuConfig } from './render/display.js'
export type { Runtime } from './runtime.js'
export { HookError, type MenuRequest, type Policies, type Viewer } from './service/hooks.js'
export type { Log } from './service/log.js'
export type { MenuService, TreeQuery } from './service/menu-service.js'
export { ConfigurationError, type InlineOptions, MenusError }

/** What the values of each input may be. */
type Inputs<Given> = { readonly [Name in keyof Required<Given>]: InputKind }

/** What `openMenus` takes; without anything it does what `menuscript serve` does, short of listening. */
export interface OpenMenusInputs<Types extends AnyMenuTypes = AnyMenuTypes> extends HostInputs {
  /**
   * Whether an error in any file, or a menus folder that is not there, rejects: for builds, which would publish pages
   * without their navigation. Default: false.
   */
  readonly strict?: boolean
  /** Hooks, instead of the module that the option `policies` names, such as an instance of a class. */
  readonly policies?: Policies<Types>
  /** Whether to follow changes of the files. A process that does stays alive until `close`. Default: true. */
  readonly watch?: boolean
  /** Default: warnings and errors on the console. */
  readonly log?: Log
}

const OPEN_MENUS: Inputs<OpenMenusInputs> = {
  folder: 'string',
  config: 'string',
  menus: 'any',
  strict: 'boolean',
  environment: 'object',
  policies: 'any',
  watch: 'boolean',
  log: 'log',
}

/**
 * Opens the menus that a configuration describes: the files, the service over them, and the handler of its endpoint and of its
 * dashboard, if anyone can sign in to it.
 * Throws ConfigurationError when the configuration or its hooks cannot be used and, with `strict`, MenusError when a file
 * has an error. `Types` are the names that `menuscript types` writes, for programs that want wrong ones to be type errors.
 *
 *     const menus = await openMenus()
 *     registerMenuGlobals(environment, menus.service)
 *     app.use(menus.handler)
 */
export async function openMenus<Types extends AnyMenuTypes = AnyMenuTypes>(
  inputs: OpenMenusInputs<Types> = {},
): Promise<Runtime<Types>> {
  refuseInputs('openMenus', inputs, OPEN_MENUS)
  const { watch = true, log = CONSOLE_LOG, strict = false } = inputs
  const config = await loadHostConfig(inputs)
  const { value: adminToken, fault: badToken } = readAdminToken(inputs.environment ?? process.env)
  const faults = config.problems.filter(isError)
  if (badToken !== null)
    faults.push(toProblem({ code: 'bad-option', path: 'environment', what: `${badToken}.` }))
  if (faults.length > 0) throw new ConfigurationError(faults)
  const policies = inputs.policies === undefined ? undefined : parsePolicies('policies', inputs.policies)
  // MenusError lists the lines of the log.
  const held = holdMenuErrors(toSafeLog(log))
  if (!strict) held.release()
  const options = { watch, log: held.log, ...(policies && { policies }) }
  const runtime = await openRuntime(config, options)
  const errors = strict ? runtime.store.current.problems.filter(isError) : []
  if (errors.length === 0) {
    held.release()
    return withMountedDashboard(runtime, adminToken, policies) as Runtime<Types>
  }
  await runtime.close()
  throw new MenusError(config.menusFolder, errors)
}

/** How a folder of menus is opened; the options have the names and the defaults of the configuration file. */
export interface OpenStoreInputs extends InlineOptions {
  /** Whether to follow changes of the files; a store that does not holds nothing open. Default: false. */
  readonly watch?: boolean
  /** Default: warnings and errors on the console. */
  readonly log?: Log
}

const OPEN_STORE: Inputs<OpenStoreInputs> = { watch: 'boolean', log: 'log', ...INLINE_NAMES }

/** A folder of menus in memory, with what its options mean. */
export interface MenuStore extends Store {
  readonly settings: Settings
}

/**
 * Opens a folder of menus, without any configuration file: `openStore('menus', { watch: false, locales: ['en', 'es'] })`.
 * Never throws for what is in the folder: `store.current.problems` says what is wrong with which file. Throws
 * ConfigurationError for options that cannot be used.
 */
export async function openStore(dir: string, inputs: OpenStoreInputs = {}): Promise<MenuStore> {
  refuseInputs('openStore', inputs, OPEN_STORE)
  const { watch = false, log: given = CONSOLE_LOG, ...values } = inputs
  const log = toSafeLog(given)
  const options = readInlineOptions(values, process.cwd())
  const settings = toSettings(options)
  const { file_prefix: filePrefix, rescan_seconds: rescanSeconds } = options.storage
  const reading = toReadOptions(settings, settings.routes === null, Date.now())
  const rest = { watch, log, filePrefix, rescanSeconds, namedBy: 'openStore' }
  return Object.assign(await openMenuStore(dir, reading, rest), { settings })
}

/** What a service is given besides its menus. */
export interface MenuServiceInputs<Types extends AnyMenuTypes = AnyMenuTypes> {
  /** The hooks of the site. Default: none. */
  readonly policies?: Policies<Types>
  /** Default: warnings and errors on the console. */
  readonly log?: Log
}

const CREATE_SERVICE: Inputs<MenuServiceInputs> = { policies: 'any', log: 'log' }

/**
 * A service over an open folder: `createMenuService(store).tree('main', { locale: 'es' })` is a tree. Throws
 * ConfigurationError for invalid hooks.
 */
export function createMenuService<Types extends AnyMenuTypes = AnyMenuTypes>(
  store: MenuStore,
  inputs: MenuServiceInputs<Types> = {},
): MenuService<Types> {
  refuseInputs('createMenuService', inputs, CREATE_SERVICE)
  const policies = parsePolicies('policies', inputs.policies ?? {})
  const log = toSafeLog(inputs.log ?? CONSOLE_LOG)
  const service = createService({ current: () => store.current, settings: store.settings, policies, log })
  return service as MenuService<Types>
}

/**
 * The endpoint of a service as a `(request, response, next)` function that Polka, Express, Fastify and plain `node:http`
 * can mount, without a path: it answers what begins with `api.path_prefix` and calls `next` for the rest.
 */
export function createMenuHandler(service: MenuService, inputs: { readonly log?: Log } = {}): Handler {
  refuseInputs('createMenuHandler', inputs, { log: 'log' })
  return createApiHandler(service, toSafeLog(inputs.log ?? CONSOLE_LOG))
}
