import type { Config } from '../config/load-config.js'
import type { Problem } from '../model/problem.js'
import { done, failed, type Result } from '../model/result.js'
import type { Policies } from '../service/hooks.js'
import { type EditedStore, openStore, type StoreOptions } from '../store/live/open-store.js'
import { menusFolderOf, type Reading, toReading } from './reading.js'

export interface FolderOptions extends Pick<StoreOptions, 'watch' | 'log' | 'onProgress'> {
  /** Hooks, instead of the module that the configuration names. */
  readonly policies?: Policies
}

/** Opens the menus folder of a faultless configuration; else the problems of its hooks. */
export async function openMenusFolder(
  config: Config,
  { policies, ...options }: FolderOptions,
): Promise<Result<{ readonly store: EditedStore; readonly reading: Reading }, readonly Problem[]>> {
  const { value: reading, fault } = await toReading(config, policies)
  if (fault !== null) return failed(fault)
  const { file_prefix: filePrefix, rescan_seconds: rescanSeconds } = config.options.storage
  const { closed } = menusFolderOf(config)
  const named = { filePrefix, rescanSeconds, ...toNamedBy(config) }
  return done({
    reading,
    store: await openStore(config.menusFolder, reading.options, { ...options, ...named, closed }),
  })
}

/** What names the menus folder, where that is not the configuration file. */
function toNamedBy({ origins }: Config): Pick<StoreOptions, 'namedBy'> {
  const { kind = 'default', where = '' } = origins.get('storage.connections') ?? {}
  return kind === 'file' || kind === 'default' ? {} : { namedBy: where }
}
