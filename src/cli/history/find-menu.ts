import type { Config } from '../../config/load-config.js'
import type { CommandContext } from '../command.js'
import { EXIT } from '../exit-codes.js'
import { toAbsence, toMeant } from './absence.js'
import {
  isRefusal,
  type MenuFlags,
  type MenusRepository,
  momentAt,
  momentNow,
  openMenusRepository,
  type Refusal,
  toTree,
} from './moment.js'
import { type MenuText, toOnlyVariant, variantsOf } from './variants.js'

/** The one file of a menu that is meant, and how its place is told: `REV:path` or as it is seen from here. */
export interface FoundMenu {
  readonly text: MenuText
  readonly place: string
  /** Null for the work tree. */
  readonly commit: string | null
  /** Null where there is none, and none is needed. */
  readonly menus: MenusRepository | null
}

/** Finds the one file of a menu that `--at`, `--context` and `--file` mean. */
export async function findOne(
  context: CommandContext,
  config: Config,
  flags: MenuFlags,
  code: string,
): Promise<FoundMenu | Refusal> {
  const menus = await openMenusRepository(config)
  const { at } = flags
  if (at !== undefined && isRefusal(menus)) return menus
  const moment = at === undefined ? momentNow(config) : await momentAt(menus as MenusRepository, config, at)
  if (isRefusal(moment)) return moment
  const variants = variantsOf(context, moment, code, flags)
  if (isRefusal(variants)) return variants
  if (variants.length === 0) {
    if (!isRefusal(menus)) return toAbsence(moment, code, menus)
    const what = `there is no menu ${JSON.stringify(code)}`
    return { message: `${what}${toMeant(code, moment.texts, config)}`, exit: EXIT.findings }
  }
  const text = toOnlyVariant(variants, code)
  if (isRefusal(text)) return text
  const place = at === undefined || isRefusal(menus) ? text.seen : `${at}:${toTree(menus, text.path)}`
  return { text, place, commit: moment.commit, menus: isRefusal(menus) ? null : menus }
}
