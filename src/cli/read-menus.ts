import type { Config } from '../config/load-config.js'
import type { Snapshot } from '../model/snapshot.js'
import { openRuntime, type Runtime } from '../runtime.js'
import { type Log, SILENT_LOG } from '../service/log.js'
import { type CommandContext, failOf } from './command.js'

/** Opens what a configuration describes; ends the command where its hooks cannot be used. */
export async function openMenus(
  context: CommandContext,
  config: Config,
  log: Log,
  watch: boolean = false,
): Promise<Runtime> {
  const { progress } = context.terminal
  const onProgress = (read: number, total: number): void => progress(`reading ${read} of ${total} files`)
  const { value: runtime, fault } = await openRuntime(config, { watch, log, onProgress })
  progress(null)
  return fault === null ? runtime : failOf(context, fault)
}

/** All menus, read as the service reads them. */
export async function readMenus(context: CommandContext, config: Config): Promise<Snapshot> {
  const { store, close } = await openMenus(context, config, SILENT_LOG)
  await close()
  return store.current
}
