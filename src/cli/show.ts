import { errorNote, findOne } from '../review/history/find-menu.js'
import { openMenusRepository } from '../review/menus-repository.js'
import { type CommandContext, need, needConfig, note, print } from './command.js'
import { EXIT } from './exit-codes.js'
import { type MenuFlags, toWanted } from './flag-values.js'

/** `menuscript show`: prints the file of a menu as it was in a commit, or as it is, byte by byte. */
export async function show(context: CommandContext, flags: MenuFlags, code: string): Promise<number> {
  const { terminal } = context
  const site = await needConfig(context, flags)
  const opened = await openMenusRepository(site)
  const menus = flags.at === undefined ? opened.value : need(context, opened)
  const found = need(context, await findOne(site, menus, toWanted(context, flags, code)))
  const { commit, menu, problems } = found
  const { seen: file, document, claim } = found.text
  note(context, errorNote(found))
  const value = menu === null ? null : document.value
  if (!flags.json) terminal.write(document.bytes)
  else print(context, true, { file, at: commit, code, context: claim.context, menu: value, problems })
  return EXIT.fine
}
