import type { Problem } from '../model/problem.js'
import { findMenusRepository, inTree, type Site } from '../review/site.js'
import { lacksDriver } from '../store/git/driver-settings.js'
import { type CommandContext, note } from './command.js'

/** Reports how to set up a clone that should merge menus item by item and cannot, where git left a conflict. */
export async function noteSetup(
  context: CommandContext,
  site: Site,
  problems: readonly Problem[],
): Promise<void> {
  const conflict = problems.find(({ code }) => code === 'merge-conflict')
  if (conflict === undefined) return
  const menus = await findMenusRepository(site)
  if (menus === null || !(await lacksDriver(menus.repository, inTree(menus, conflict.path)))) return
  const what = '.gitattributes requires menus to be merged item by item, and this clone is not set up'
  note(context, `${what}: menuscript git setup`)
}
