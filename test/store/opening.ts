import { toContextKey } from '../../src/model/context.js'
import type { Limits } from '../../src/model/limits.js'
import type { Context, Menu } from '../../src/model/menu.js'
import { isError, type Problem } from '../../src/model/problem.js'
import type { Snapshot } from '../../src/model/snapshot.js'
import type { Log, LogFields } from '../../src/service/log.js'
import {
  type EditedStore,
  openStore,
  type Store,
  type StoreOptions,
} from '../../src/store/live/open-store.js'
import type { ReadOptions } from '../../src/store/read-options.js'
import { DEFAULT_LIMITS } from '../support/limits.js'
import { createLoneFolder, createMenusFolder, type MenusFolder } from '../support/menus-folder.js'
import { closing } from '../support/test.js'

export interface OpenOptions extends Partial<StoreOptions> {
  readonly limits?: Partial<Limits>
}

/** A line that the store wrote to its log. */
export interface LogLine extends LogFields {
  readonly level: keyof Log
  readonly event: string
}

export interface Opened {
  readonly folder: MenusFolder
  readonly store: EditedStore
  /** What the store told, in order. */
  readonly log: readonly LogLine[]
}

/** The timer does not look: what is found was found by an event. */
const BY_EVENTS: OpenOptions = { rescanSeconds: 3_600 }

/** Opens a store on a folder, follows its changes unless told otherwise, and closes it behind the test. */
export async function openedOn(
  dir: string,
  test: (store: EditedStore, log: readonly LogLine[]) => Promise<void> | void,
  options: OpenOptions = {},
): Promise<void> {
  const { store, log } = await openLogged(dir, options)
  try {
    await test(store, log)
  } finally {
    await store.close()
  }
}

/** Opens one that is closed after the test, which has to be of `support/test.js`. */
export async function storeOn(dir: string, options: OpenOptions = {}): Promise<EditedStore> {
  return closing((await openLogged(dir, options)).store)
}

async function openLogged(
  dir: string,
  { limits, ...options }: OpenOptions,
): Promise<Pick<Opened, 'store' | 'log'>> {
  const lines: LogLine[] = []
  const line =
    (level: keyof Log) =>
    (event: string, fields: LogFields = {}) =>
      void lines.push({ level, event, ...fields })
  const log: Log = { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') }
  const defaults: StoreOptions = { watch: true, filePrefix: '', rescanSeconds: 5, log }
  return { store: await openStore(dir, readerOf(limits), { ...defaults, ...options }), log: lines }
}

/** Opens a store on a new folder with these files; both are gone behind the test. */
export async function opened(
  files: Readonly<Record<string, string | Uint8Array>>,
  test: (opened: Opened) => Promise<void> | void,
  options: OpenOptions = {},
): Promise<void> {
  const folder = createMenusFolder(files)
  try {
    await openedOn(folder.dir, (store, log) => test({ folder, store, log }), options)
  } finally {
    folder.close()
  }
}

/** As `openedOn`, but changes are found by events alone: what gets lost stays lost. */
export function followedOn(
  dir: string,
  test: (store: EditedStore, log: readonly LogLine[]) => Promise<void>,
): Promise<void> {
  return openedOn(dir, test, BY_EVENTS)
}

/** As `opened`, but changes are found by events alone, and nothing happens beside the folder. */
export async function followed(
  files: Readonly<Record<string, string>>,
  test: (opened: Opened) => Promise<void>,
): Promise<void> {
  const folder = createLoneFolder(files)
  try {
    await followedOn(folder.dir, (store, log) => test({ folder, store, log }))
  } finally {
    folder.close()
  }
}

/** Reads files as a service with two locales, any routes and any icons does. */
export function readerOf(limits: Partial<Limits> = {}): ReadOptions {
  const vocabulary = {
    locales: ['en', 'es'],
    routes: null,
    pathsAreMade: true,
    now: null,
    iconLibraries: null,
    permissions: null,
    off: new Set<never>(),
  }
  return { limits: { ...DEFAULT_LIMITS, ...limits }, vocabulary }
}

/** A small menu file: a code, and a name that tells its versions apart. */
export function menuText(code: string, name: string = code, context: Context | null = null): string {
  const variant = context === null ? '' : `context: ${JSON.stringify(context)}\n`
  return `version: 1\ncode: ${code}\nname: ${name}\n${variant}items:\n  - label: ${name}\n    url: /${code}\n`
}

/** The menu that is served for a code and a context; null when there is none. */
export function servedOf({ index }: Snapshot, code: string, context: Context = {}): Menu | null {
  return index.get(code)?.get(toContextKey(context))?.menu ?? null
}

/** The name of what is served for a code without a context; null when there is none. */
export function nameOf(store: Store, code = 'main'): string | null {
  return servedOf(store.current, code)?.name ?? null
}

/** The paths of what is served. */
export function servedPaths(store: Store): string[] {
  return [...store.current.served.keys()]
}

/** Problems in short: `path:line:column severity code`. */
export function toLines(problems: readonly Problem[]): string[] {
  return problems.map((each) => `${each.path}:${each.line}:${each.column} ${each.severity} ${each.code}`)
}

/** The errors of what is served, in short. */
export function errorsOf(store: Store): string[] {
  return toLines(store.current.problems.filter(isError))
}

/** Prints how long something took beside what is promised; the promise itself is checked with ten times the time. */
export function measured(what: string, start: number, promised: number): void {
  console.log(`    ${what}: ${Math.round(performance.now() - start)} ms (promised: ${promised} ms)`)
}
