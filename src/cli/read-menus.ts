import type { Config } from '../config/load-config.js'
import type { Snapshot } from '../model/snapshot.js'
import { openRuntime } from '../runtime.js'
import { SILENT_LOG } from '../service/log.js'
import { type CommandContext, failOf } from './command.js'

/** All menus, read as the service reads them; ends the command where its hooks cannot be used. */
export async function readMenus(context: CommandContext, config: Config): Promise<Snapshot> {
  const { progress } = context.terminal
  const onProgress = (read: number, total: number): void => progress(`reading ${read} of ${total} files`)
  const { runtime, problems } = await openRuntime(config, { watch: false, log: SILENT_LOG, onProgress })
  progress(null)
  if (runtime === null) return failOf(context, problems)
  await runtime.close()
  return runtime.store.current
}
