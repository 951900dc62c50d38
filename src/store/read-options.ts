import type { Vocabulary } from '../document/rules/vocabulary.js'
import type { Limits } from '../model/limits.js'
import type { Settings } from '../service/settings.js'

/** How files are read. Not taken from `ParseOptions`: the types of its module need a package that our users do not have. */
export interface ReadOptions {
  readonly limits: Limits
  readonly vocabulary: Vocabulary
}

/** How one file is read under some settings; at `now`, in milliseconds since 1970, some windows are over. */
export function toReadOptions(settings: Settings, pathsAreMade: boolean, now: number): ReadOptions {
  const { limits, locales, routes, iconLibraries, permissions, off } = settings
  const vocabulary = {
    locales: locales.locales,
    routes: routes === null || pathsAreMade ? null : routes,
    pathsAreMade: routes !== null || pathsAreMade,
    iconLibraries,
    permissions: permissions && new Set(permissions.keys()),
    now,
    off,
  }
  return { limits, vocabulary }
}
