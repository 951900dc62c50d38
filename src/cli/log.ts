import { toLogReport } from '../review/history/log-report.js'
import { toLogText } from '../review/history/log-text.js'
import { type CommandContext, type Flags, need, needConfig, note, print } from './command.js'
import { EXIT } from './exit-codes.js'
import { type MenuFlags, toWanted } from './flag-values.js'

type LogFlags = MenuFlags & Flags<never, 'since'> & { readonly limit: number }

/** `menuscript log`: prints the commits that changed a menu, and what each did. */
export async function log(context: CommandContext, flags: LogFlags, code: string): Promise<number> {
  const { terminal } = context
  const { limit, since = null } = flags
  const site = await needConfig(context, flags)
  const answer = await toLogReport(site, toWanted(context, flags, code), {
    limit,
    since,
    onNote: (text) => note(context, text),
    onProgress: terminal.progress,
  })
  terminal.progress(null)
  const report = need(context, answer)
  print(context, flags.json, report, (paint) => toLogText(report, paint))
  if (report.more) note(context, `there are older ones; --limit ${Math.max(1, limit) * 2} shows more`)
  if (report.shallow)
    note(context, 'the history of this clone begins here; git fetch --unshallow brings what was before')
  return EXIT.fine
}
