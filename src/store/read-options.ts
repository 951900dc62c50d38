import type { ParseOptions } from '../document/parse.js'
import type { Settings } from '../service/settings.js'

/** How files are read, as the options of the menu format say. */
export type ReadOptions = Omit<ParseOptions, 'hash'>

/** How one file is read under some settings. */
export function toReadOptions(settings: Settings, pathsAreMade: boolean): ReadOptions {
  const { limits, locales, routes, iconLibraries, permissions, off } = settings
  const vocabulary = {
    locales: locales.locales,
    routes: routes === null || pathsAreMade ? null : routes,
    pathsAreMade: routes !== null || pathsAreMade,
    iconLibraries,
    permissions,
    off,
  }
  return { limits, vocabulary }
}
