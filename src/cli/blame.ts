import { toBlameJson, toBlameReport } from '../review/history/blame-report.js'
import { toBlameText } from '../review/history/blame-text.js'
import { type CommandContext, type Flags, need, needConfig, note, print } from './command.js'
import { EXIT } from './exit-codes.js'
import { type MenuFlags, toWanted } from './flag-values.js'

/** `menuscript blame`: prints who last changed each item of a menu, when, and in which fields. */
export async function blame(
  context: CommandContext,
  flags: MenuFlags & Flags<'fields'>,
  code: string,
): Promise<number> {
  const { terminal } = context
  const site = await needConfig(context, flags)
  const onProgress = (versions: number): void => terminal.progress(`reading version ${versions}`)
  const answer = await toBlameReport(site, toWanted(context, flags, code), onProgress)
  terminal.progress(null)
  const report = need(context, answer)
  print(context, flags.json, toBlameJson(report), (paint) => toBlameText(report, paint, flags.fields))
  note(context, ...report.notes)
  return EXIT.fine
}
