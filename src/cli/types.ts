import { basename, dirname, resolve } from 'node:path'
import { readConfigBytes } from '../config/input-files.js'
import { toSettings } from '../config/service-settings.js'
import { toVisible } from '../document/source.js'
import { isError } from '../model/problem.js'
import { refuse } from '../review/refusal.js'
import { TYPES_HEAD, toTypesFile } from '../review/types-file.js'
import { toReason } from '../service/log.js'
import { isGone } from '../store/entry.js'
import { contentHash } from '../store/hash.js'
import { writeFile } from '../store/publish/write-file.js'
import { type CommandContext, type Flags, needMenus, note, reportMenuProblems } from './command.js'
import type { Ending } from './exit-codes.js'
import { readMenus } from './read-menus.js'

/** `menuscript types`: writes the names that programs may use as TypeScript, if they have changed. */
export async function types(context: CommandContext, flags: Flags<'check', 'out'>): Promise<Ending> {
  const { terminal, folder } = context
  const { out: file, check } = flags
  if (file === undefined && check) refuse('usage', '--check compares the file of --out; pass it, too')
  const site = await needMenus(context, flags)
  const { files, problems } = await readMenus(context, site)
  const errors = problems.filter(isError)
  if (errors.length > 0) {
    reportMenuProblems(terminal, site, errors)
    note(context, 'nothing was written, because names could be missing')
    return errors.some(({ code }) => code === 'folder-missing') ? 'configuration' : 'findings'
  }
  const menus = files.flatMap(({ menu }) => menu ?? [])
  const text = toTypesFile(menus, toSettings(site.options))
  if (file === undefined) {
    terminal.out(text.trimEnd())
    return 'fine'
  }
  const path = resolve(folder, file)
  const bytes = readGiven(path)
  const before = new TextDecoder().decode(bytes ?? new Uint8Array())
  // Git may have written it with the line ends of another system.
  const isCurrent = before.replaceAll('\r\n', '\n') === text
  if (isCurrent || check) {
    const state = isCurrent ? 'up to date' : 'out of date; run menuscript types without --check'
    note(context, `${toVisible(file)} is ${state}`)
    return isCurrent ? 'fine' : 'findings'
  }
  if (bytes !== null && !before.startsWith(TYPES_HEAD.trimEnd()))
    refuse('usage', `${file} is not a file of types, and is not replaced; delete it, or pass another --out`)
  try {
    const from = bytes === null ? null : contentHash(bytes)
    if (!writeFile(dirname(path), basename(path), from, text)) throw new Error('it has changed meanwhile')
  } catch (thrown) {
    refuse('configuration', `${file} cannot be written: ${toReason(thrown)}`)
  }
  terminal.out(toVisible(file))
  return 'fine'
}

/** The content of a file; null if there is none. */
function readGiven(path: string): Uint8Array | null {
  try {
    return readConfigBytes(path)
  } catch (thrown) {
    return isGone(thrown) ? null : refuse('configuration', `${path} cannot be read: ${toReason(thrown)}`)
  }
}
