import type { Config } from '../config/load-config.js'
import type { Problem } from '../model/problem.js'
import { openRepository, toTreePath } from '../store/git/repository.js'
import { lacksDriver } from '../store/git/settings.js'
import type { Terminal } from './terminal.js'

/** Reports how to set up a clone that should merge menus item by item and cannot, where git left a conflict. */
export async function noteSetup(
  { err }: Terminal,
  { menusFolder }: Config,
  problems: readonly Problem[],
): Promise<void> {
  const conflict = problems.find(({ code }) => code === 'merge-conflict')
  if (conflict === undefined) return
  const { value: repository } = await openRepository(menusFolder)
  const folder = repository === null ? null : toTreePath(repository, menusFolder)
  if (repository === null || folder === null) return
  if (await lacksDriver(repository, folder === '' ? conflict.path : `${folder}/${conflict.path}`))
    err(
      'note: .gitattributes asks for menus to be merged item by item, and this clone is not set up: menuscript git setup',
    )
}
