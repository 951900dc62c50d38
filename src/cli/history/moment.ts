import { join } from 'node:path'
import type { Config } from '../../config/load-config.js'
import { toVisible } from '../../document/source.js'
import { type MenuTexts, readTextsAt } from '../../store/git/menus.js'
import { type GitFault, openRepository, type Repository, toTreePath } from '../../store/git/repository.js'
import { toCommit } from '../../store/git/revision.js'
import { readTextsIn } from '../../store/work-texts.js'
import type { CommandContext, ConfigFlags } from '../command.js'
import { EXIT } from '../exit-codes.js'

/** Which file of a menu is meant, and as of when. */
export interface MenuFlags extends ConfigFlags {
  /** A revision; without it, the work tree. */
  readonly at?: string | undefined
  /** The context of the variant, as JSON. */
  readonly context?: string | undefined
  /** The file of the variant. */
  readonly file?: string | undefined
}

/** What cannot be done, in words, with the exit code for it. */
export interface Refusal {
  readonly message: string
  readonly exit: number
}

/** The menus folder at one moment. */
export interface Moment {
  readonly config: Config
  /** As it was asked for; null for the work tree. */
  readonly revision: string | null
  readonly commit: string | null
  readonly texts: MenuTexts
}

/** A repository with the path of the menus folder in it, from the top of the work tree. */
export interface MenusRepository {
  readonly repository: Repository
  readonly folder: string
}

/** Opens the repository that the menus lie in; a refusal where there is none. */
export async function openMenusRepository({ menusFolder }: Config): Promise<MenusRepository | Refusal> {
  const { value: repository, fault } = await openRepository(menusFolder)
  if (fault !== null) return toRefusal(fault, EXIT.configuration)
  const folder = toTreePath(repository, menusFolder)
  if (folder === null)
    return { message: `${menusFolder} leads out of its repository`, exit: EXIT.configuration }
  return { repository, folder }
}

/** The menus as a revision has them; a refusal where it names no commit. */
export async function momentAt(
  { repository, folder }: MenusRepository,
  config: Config,
  revision: string,
): Promise<Moment | Refusal> {
  const { value: commit, fault } = await toCommit(repository, revision)
  if (fault !== null) return toRefusal(fault, EXIT.usage)
  return { config, revision, commit, texts: await readTextsAt(repository, commit, folder, toReach(config)) }
}

/** The menus as they lie in the work tree now. */
export function momentNow(config: Config): Moment {
  return { config, revision: null, commit: null, texts: textsNow(config) }
}

/** None where the folder is not there or cannot be listed, which lint tells. */
function textsNow(config: Config): MenuTexts {
  const none = { texts: new Map(), tooLarge: new Map() }
  try {
    return readTextsIn(config.menusFolder, toReach(config)) ?? none
  } catch {
    return none
  }
}

/** Which files count, and how large they may be. */
export function toReach({ options }: Config): { readonly filePrefix: string; readonly limit: number } {
  return { filePrefix: options.storage.file_prefix, limit: options.limits.bytes }
}

/** What git cannot do, as a refusal. */
export function toRefusal({ what, todo }: GitFault, exit: number): Refusal {
  return { message: `${what}. ${todo}`, exit }
}

/** Whether something was refused. */
export function isRefusal(value: object): value is Refusal {
  return 'exit' in value
}

/** Tells what cannot be done on standard error; answers the exit code. */
export function tellRefusal({ terminal }: CommandContext, { message, exit }: Refusal): number {
  // Paths and revisions may hold any character; the lines are ours.
  terminal.err(`error: ${message.split('\n').map(toVisible).join('\n')}`)
  return exit
}

/** A file of the menus folder, from the top of the work tree; of a link, the file that it leads to. */
export function toTree({ repository, folder }: MenusRepository, path: string): string {
  const own = folder === '' ? path : `${folder}/${path}`
  return toTreePath(repository, join(repository.root, own)) ?? own
}
