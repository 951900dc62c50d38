import { toBlameJson, toBlameReport } from '../review/history/blame-report.js'
import { errorNote, findOne, type Wanted } from '../review/history/find-menu.js'
import { toLogReport } from '../review/history/log-report.js'
import { toBlameText, toLogText } from '../review/history/report-text.js'
import { findMenusRepository, openMenusRepository } from '../review/site.js'
import { type CommandContext, type Flags, needMenus, note, print } from './command.js'
import { readContext } from './flag-values.js'

/** Which file of a menu is meant, and as of when. */
type MenuFlags = Flags<'json', 'at' | 'context' | 'file'>

function toWanted(flags: MenuFlags, code: string): Wanted {
  const { at = null, context: text, file = null } = flags
  return { code, at, file, context: text === undefined ? null : readContext(text) }
}

type LogFlags = MenuFlags & Flags<never, 'since'> & { readonly limit: number }

/** `menuscript log`: prints the commits that changed a menu, and what each did. */
export async function log(context: CommandContext, flags: LogFlags, code: string): Promise<undefined> {
  const { terminal } = context
  const { limit, since = null } = flags
  const site = await needMenus(context, flags)
  const report = await toLogReport(site, toWanted(flags, code), {
    limit,
    since,
    onNote: (text) => note(context, text),
    onProgress: terminal.progress,
  })
  terminal.progress(null)
  print(context, flags.json, report, (paint) => toLogText(report, paint))
  if (report.more) note(context, `there are older commits; --limit ${Math.max(1, limit) * 2} shows more`)
  if (report.shallow)
    note(
      context,
      'this clone is shallow, and its history begins here; git fetch --unshallow fetches the rest',
    )
}

type BlameFlags = MenuFlags & Flags<'fields'>

/** `menuscript blame`: prints who last changed each item of a menu, when, and in which fields. */
export async function blame(context: CommandContext, flags: BlameFlags, code: string): Promise<undefined> {
  const { terminal } = context
  const site = await needMenus(context, flags)
  const onProgress = (versions: number): void => terminal.progress(`reading version ${versions}`)
  const report = await toBlameReport(site, toWanted(flags, code), onProgress)
  terminal.progress(null)
  print(context, flags.json, toBlameJson(report), (paint) => toBlameText(report, paint, flags.fields))
  note(context, ...report.notes)
}

/** `menuscript show`: prints the file of a menu as it was in a commit, or as it is, byte by byte. */
export async function show(context: CommandContext, flags: MenuFlags, code: string): Promise<undefined> {
  const { terminal } = context
  const site = await needMenus(context, flags)
  const menus = await (flags.at === undefined ? findMenusRepository : openMenusRepository)(site)
  const found = await findOne(site, menus, toWanted(flags, code))
  const { commit, menu, problems } = found
  const { seen: file, document, claim } = found.text
  note(context, errorNote(found))
  const value = menu === null ? null : document.value
  if (!flags.json) terminal.write(document.bytes)
  else print(context, true, { file, at: commit, code, context: claim.context, menu: value, problems })
}
