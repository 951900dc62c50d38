import type { Config } from '../config/load-config.js'
import type { Policies } from '../service/hooks.js'
import { type EditedStore, openStore, type StoreOptions } from '../store/live/open-store.js'
import { menusFolderOf, type Reading, toReading } from './reading.js'

export interface FolderOptions extends Pick<StoreOptions, 'watch' | 'log' | 'onProgress'> {
  /** Hooks, instead of the module that the configuration names. */
  readonly policies?: Policies
}

/** Opens the menus folder of a faultless configuration. Throws ConfigurationError where its hooks cannot be used. */
export async function openMenusFolder(
  config: Config,
  { policies, ...options }: FolderOptions,
): Promise<{ readonly store: EditedStore; readonly reading: Reading }> {
  const reading = await toReading(config, policies)
  const { file_prefix: filePrefix, rescan_seconds: rescanSeconds } = config.options.storage
  const { closed } = menusFolderOf(config)
  const named = { filePrefix, rescanSeconds, ...toNamedBy(config) }
  const store = await openStore(config.menusFolder, reading.options, { ...options, ...named, closed })
  return { reading, store }
}

/** What names the menus folder, where that is not the configuration file. */
function toNamedBy({ origins, remote }: Config): Pick<StoreOptions, 'namedBy'> {
  if (remote !== null) return { namedBy: 'storage.git.path' }
  const { kind = 'default', where = '' } = origins.get('storage.connections') ?? {}
  return kind === 'file' || kind === 'default' ? {} : { namedBy: where }
}
