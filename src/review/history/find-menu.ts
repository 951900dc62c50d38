import type { Config } from '../../config/load-config.js'
import { done } from '../../model/result.js'
import { type Answer, refuse } from '../answer.js'
import { toAbsence, toMeant } from './absence.js'
import { type MenusRepository, momentAt, momentNow, openMenusRepository, toTree } from './moment.js'
import { type MenuText, toOnlyVariant, type Variant, variantsOf } from './variants.js'

/** Which file of a menu is meant, and as of when. */
export interface Wanted extends Variant {
  /** A revision; null for the work tree. */
  readonly at: string | null
}

/** The one file of a menu that is meant, and how its place is named: `REV:path` or as it is seen from here. */
export interface FoundMenu {
  readonly text: MenuText
  readonly place: string
  /** Null for the work tree. */
  readonly commit: string | null
}

/** Finds the one file of a menu that is wanted; `folder` is where paths are seen from. */
export async function findOne(config: Config, folder: string, wanted: Wanted): Promise<Answer<FoundMenu>> {
  const { code, at } = wanted
  const menus = await openMenusRepository(config)
  if (at !== null && menus.fault !== null) return menus
  const moment =
    at === null ? done(momentNow(config)) : await momentAt(menus.value as MenusRepository, config, at)
  if (moment.fault !== null) return moment
  const variants = variantsOf(moment.value, folder, wanted)
  if (variants.fault !== null) return variants
  if (variants.value.length === 0) {
    if (menus.fault === null) return toAbsence(moment.value, code, menus.value)
    const what = `there is no menu ${JSON.stringify(code)}`
    return refuse('not-found', `${what}${toMeant(code, moment.value.texts, config)}`)
  }
  const text = toOnlyVariant(variants.value, code)
  if (text.fault !== null) return text
  const { path, seen } = text.value
  const place = at === null || menus.fault !== null ? seen : `${at}:${toTree(menus.value, path)}`
  return done({ text: text.value, place, commit: moment.value.commit })
}
