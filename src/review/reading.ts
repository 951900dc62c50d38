import type { Config } from '../config/load-config.js'
import { loadPolicies } from '../config/policies.js'
import { toSettings } from '../config/settings.js'
import { type ParseOptions, parseMenuFile } from '../document/parse.js'
import type { Problem } from '../model/problem.js'
import type { MenuFile } from '../model/snapshot.js'
import { contentHash } from '../store/hash.js'
import { type ReadOptions, toReadOptions } from '../store/read-options.js'

/** How single menu files are read under a configuration. Hooks are not asked, as they only decide about warnings. */
export function toParseOptions({ options }: Config): ParseOptions {
  return { ...toReadOptions(toSettings(options), true), hash: contentHash }
}

/** Reads a text as a menu file, under the options of a configuration. */
export function parseText(config: Config, path: string, text: string): MenuFile {
  return parseMenuFile(path, new TextEncoder().encode(text), toParseOptions(config))
}

/** How all menus are read, warnings included; null with the problems of the hooks that keep it from being known. */
export async function toReading({
  options,
  policiesFile,
}: Config): Promise<{ readonly reading: ReadOptions | null; readonly problems: readonly Problem[] }> {
  const { policies, problems } =
    policiesFile === null ? { policies: {}, problems: [] } : await loadPolicies(policiesFile)
  if (problems.length > 0) return { reading: null, problems }
  return { reading: toReadOptions(toSettings(options), policies.generatePath !== undefined), problems }
}
