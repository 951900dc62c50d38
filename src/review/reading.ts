import type { Config } from '../config/load-config.js'
import { loadPolicies } from '../config/policies.js'
import { toSettings } from '../config/settings.js'
import { type MenuDocument, readDocument } from '../document/menu-document.js'
import { type ParseOptions, parseMenuFile } from '../document/parse.js'
import type { MenuFile } from '../model/menu-file.js'
import type { Problem } from '../model/problem.js'
import { done, failed, type Result } from '../model/result.js'
import type { Policies } from '../service/hooks.js'
import type { Settings } from '../service/settings.js'
import { contentHash } from '../store/hash.js'
import type { ReadDocument } from '../store/known-documents.js'
import { readMenuBytes } from '../store/read-file.js'
import { type ReadOptions, toReadOptions } from '../store/read-options.js'

/** How single menu files are read under a configuration. Hooks are not called, as they only decide about warnings. */
export function toParseOptions({ options }: Config): ParseOptions {
  return { ...toReadOptions(toSettings(options), true), hash: contentHash }
}

/** Reads a text as a menu file, under the options of a configuration. */
export function parseText(config: Config, path: string, text: string): MenuFile {
  return parseMenuFile(path, new TextEncoder().encode(text), toParseOptions(config))
}

/**
 * The document of a file of the menus folder as it is now; null where it cannot be read. `read` may know its text already.
 */
export function readMenu(
  { menusFolder, options: { limits } }: Config,
  path: string,
  read: ReadDocument = (own, bytes) => readDocument(own, bytes, limits),
): MenuDocument | null {
  try {
    return read(path, readMenuBytes(menusFolder, path, limits.bytes).bytes)
  } catch {
    return null
  }
}

/** What a configuration and its hooks mean for menus. */
export interface Reading {
  readonly settings: Settings
  readonly policies: Policies
  /** How all menus are read, warnings included. */
  readonly options: ReadOptions
}

/** Loads the hooks of a configuration, unless some are given; else the problems that prevent their use. */
export async function toReading(
  { options, policiesFile }: Config,
  given?: Policies,
): Promise<Result<Reading, readonly Problem[]>> {
  const isLoaded = given === undefined && policiesFile !== null
  const { policies, problems } = isLoaded
    ? await loadPolicies(policiesFile)
    : { policies: given ?? {}, problems: [] }
  if (problems.length > 0) return failed(problems)
  const settings = toSettings(options)
  const pathsAreMade = policies.generatePath !== undefined
  return done({ settings, policies, options: toReadOptions(settings, pathsAreMade) })
}
