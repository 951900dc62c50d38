import { test } from 'uvu'
import type { Options } from '../../src/config/options.js'
import { derived } from '../../src/model/derived.js'
import type { Snapshot } from '../../src/model/snapshot.js'
import { registerMenuGlobals } from '../../src/nunjucks/globals.js'
import type { PageNode } from '../../src/render/current.js'
import type { MenuConfig } from '../../src/render/display.js'
import type { Policies } from '../../src/service/hooks.js'
import { createMenuService, type MenuService } from '../../src/service/menu-service.js'
import { createEventLog, type LoggedEvent, settingsOf } from '../service/services.js'
import { snapshotOf } from '../support/snapshot-of.js'
import { ENGINES, type Engine, type Environment, type EnvironmentOptions } from './engines.js'

export interface PagesOptions extends EnvironmentOptions {
  readonly policies?: Policies
  /** Options beside the defaults; the locales are `en` and `es`. */
  readonly options?: Partial<Options>
  /** Default: that of the system. */
  readonly clock?: () => number
}

export type Context = Readonly<Record<string, unknown>>

/** The pages of a site whose templates have the globals. */
export interface Pages {
  readonly render: (template: string, context?: Context) => string
  /** What an expression is in a template, the value itself. */
  readonly value: (expression: string, context?: Context) => unknown
  readonly tree: (expression: string, context?: Context) => readonly PageNode[]
  readonly config: (expression: string, context?: Context) => MenuConfig
  /** All that the log was told, by the service or by the globals. */
  readonly events: readonly LoggedEvent[]
  readonly environment: Environment
  readonly service: MenuService
  /** Puts other menus in the place of those that are served. */
  readonly publish: (menus: Menus) => void
}

/** The texts of menu files by path, or what was read of some. */
export type Menus = Readonly<Record<string, string>> | Snapshot

export type OpenPages = (menus: Menus, options?: PagesOptions) => Pages

/** A page that nobody in particular asks for. */
export const REQUEST: { readonly url: string; readonly headers: Readonly<Record<string, string>> } = {
  url: '/',
  headers: { host: 'shop.example' },
}

/** A request for this address of `shop.example`, with these headers. */
export function requestFor(url: string, headers: Readonly<Record<string, string>> = {}): object {
  return { url, headers: { ...REQUEST.headers, ...headers } }
}

/** Tests a rule that holds whichever engine renders. */
export function rule(title: string, holds: (open: OpenPages) => void | Promise<void>): void {
  test(title, async () => {
    for (const engine of ENGINES) {
      try {
        await holds((menus, options) => openPages(engine, menus, options))
      } catch (error) {
        if (error instanceof Error) error.message = `with ${engine.name}: ${error.message}`
        throw error
      }
    }
  })
}

function openPages(
  engine: Engine,
  menus: Menus,
  { policies = {}, options, clock = Date.now, ...rest }: PagesOptions = {},
): Pages {
  let snapshot = read(menus)
  const { log, events } = createEventLog()
  const settings = settingsOf(options)
  const service = createMenuService({ current: () => snapshot, settings, policies, log, clock })
  const environment = engine.create(rest)
  registerMenuGlobals(environment, service, { log })
  let kept: unknown
  environment.addFilter('keep', (given) => {
    kept = given
    return ''
  })
  const templates = new Map<string, (context: object) => string>()
  const render: Pages['render'] = (template, context = {}) => {
    const page = templates.get(template) ?? environment.compile(template)
    templates.set(template, page)
    return page({ request: REQUEST, ...context })
  }
  const value: Pages['value'] = (expression, context) => {
    kept = undefined
    render(`{{ (${expression}) | keep }}`, context)
    return kept
  }
  return {
    render,
    value,
    tree: (expression, context) => value(expression, context) as readonly PageNode[],
    config: (expression, context) => value(expression, context) as MenuConfig,
    events,
    environment,
    service,
    publish: (others) => {
      snapshot = read(others)
    },
  }
}

/** The same files are read once, whichever engine shows them. */
const readFiles = derived((files: Readonly<Record<string, string>>) => snapshotOf(files))

function read(menus: Menus): Snapshot {
  return isSnapshot(menus) ? menus : readFiles(menus)
}

function isSnapshot(menus: Menus): menus is Snapshot {
  return 'index' in menus && typeof menus.index === 'object'
}

/** A menu file as a text; what it has beside a code and a name is given. */
export function menu(code: string, items: readonly unknown[], rest: Context = {}): string {
  return JSON.stringify({ version: 1, code, name: `The ${code} menu`, ...rest, items })
}

/** The labels of a tree, those of children in lists behind their parents. */
export function labelsOf(tree: readonly PageNode[]): unknown[] {
  return tree.flatMap(({ label, children }) =>
    children.length === 0 ? [label] : [label, labelsOf(children)],
  )
}
