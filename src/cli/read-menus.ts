import type { Config } from '../config/load-config.js'
import type { Snapshot } from '../model/snapshot.js'
import { type FolderOptions, openMenusFolder } from '../review/menus-folder.js'
import { type Log, SILENT_LOG } from '../service/log.js'
import { type CommandContext, note } from './command.js'

/** Opens what a configuration describes, and shows how far it is. */
export async function openWith<T>(
  context: CommandContext,
  open: (options: Pick<FolderOptions, 'onProgress'>) => Promise<T>,
): Promise<T> {
  const { progress } = context.terminal
  const onProgress = (read: number, total: number): void => progress(`reading ${read} of ${total} files`)
  const opened = await open({ onProgress })
  progress(null)
  return opened
}

/** All menus, read as the service reads them. */
export async function readMenus(context: CommandContext, config: Config): Promise<Snapshot> {
  const folder = { watch: false, log: SILENT_LOG }
  const { store } = await openWith(context, (options) => openMenusFolder(config, { ...folder, ...options }))
  await store.close()
  return store.current
}

/** A log that only says why hooks failed: what is wrong with files is for `lint`. */
export function toHookLog(context: CommandContext): Log {
  return {
    ...SILENT_LOG,
    error: (event, { hook, reason } = {}) => {
      if (event === 'hook_failed') note(context, `the hook ${hook} failed: ${reason}`)
    },
  }
}
