import type { Config } from '../config/load-config.js'
import { loadPolicies } from '../config/policies.js'
import { toSettings } from '../config/service-settings.js'
import { type MenuDocument, readDocument, tooLarge } from '../document/menu-document.js'
import { type ParseOptions, parseMenuFile } from '../document/parse.js'
import { derived } from '../model/derived.js'
import type { MenuFile } from '../model/menu-file.js'
import type { Problem } from '../model/problem.js'
import type { Policies } from '../service/hooks.js'
import type { Settings } from '../service/settings.js'
import { contentHash } from '../store/hash.js'
import { toRealPath } from '../store/inside.js'
import type { ReadDocument } from '../store/known-documents.js'
import type { MenusFolder } from '../store/menu-paths.js'
import { readMenuBytes } from '../store/read-file.js'
import { type ReadOptions, toReadOptions } from '../store/read-options.js'

/** How single menu files are read under a configuration. Hooks are not called, as they only decide about warnings. */
export function toParseOptions({ options }: Config): ParseOptions {
  return { ...toReadOptions(toSettings(options), true, Date.now()), hash: contentHash }
}

/** The menus folder of a configuration, whose links may not lead to what the service keeps for itself. */
export const menusFolderOf: (config: Config) => MenusFolder = derived(
  ({ menusFolder: root, options, stateFolder, usersFile, file }: Config) => {
    const own = [stateFolder, usersFile, ...(file === null ? [] : [file])]
    return { root, filePrefix: options.storage.file_prefix, closed: own.map(toRealPath) }
  },
)

/** Reads a text as a menu file, under the options of a configuration. */
export function parseText(config: Config, path: string, text: string): MenuFile {
  return parseMenuFile(path, new TextEncoder().encode(text), toParseOptions(config))
}

/**
 * The document of a file of the menus folder as it is now, or the problem of one over the size limit; null where it cannot be
 * read. `read` may know its text already.
 */
export function readMenuOrProblem(
  config: Config,
  path: string,
  read: ReadDocument = (own, bytes) => readDocument(own, bytes, config.options.limits),
): MenuDocument | Problem | null {
  const { limits } = config.options
  try {
    const { bytes, size } = readMenuBytes(menusFolderOf(config), path, limits.bytes)
    return size > limits.bytes ? tooLarge(path, size, limits) : read(path, bytes)
  } catch {
    return null
  }
}

/** The same; null for one over the size limit as well. */
export function readMenu(config: Config, path: string, read?: ReadDocument): MenuDocument | null {
  const found = readMenuOrProblem(config, path, read)
  return found !== null && 'bytes' in found ? found : null
}

/** What a configuration and its hooks mean for menus. */
export interface Reading {
  readonly settings: Settings
  readonly policies: Policies
  /** How all menus are read, warnings included. */
  readonly options: ReadOptions
}

/** Loads the hooks of a configuration, unless some are given. Throws ConfigurationError where they cannot be used. */
export async function toReading({ options, base, policiesFile }: Config, given?: Policies): Promise<Reading> {
  const policies = given ?? (policiesFile === null ? {} : await loadPolicies(policiesFile))
  const settings = toSettings(options, base)
  const pathsAreMade = policies.generatePath !== undefined
  return { settings, policies, options: toReadOptions(settings, pathsAreMade, Date.now()) }
}
