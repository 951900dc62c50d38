import type { IconPrefixes } from '../model/icon.js'
import type { Limits } from '../model/limits.js'
import type { Locale, Locales } from '../model/locale.js'
import type { Label } from '../model/menu.js'
import type { ProblemCode } from '../model/problem-codes.js'
import type { Routes } from '../model/route.js'
import type { ExtraMember } from '../model/tree.js'

/** What the service makes of its options, once, so that no request does. */
export interface Settings {
  readonly locales: Locales
  /** The locales in which labels are searched for, by effective locale. */
  readonly chains: ReadonlyMap<Locale, readonly Locale[]>
  readonly prefixes: IconPrefixes
  readonly iconLibraries: ReadonlySet<string> | null
  /** Where the drawings of icons are: files, folders and packages, and the folder from which they are named. */
  readonly icons: { readonly sources: readonly string[]; readonly base: string }
  /** What each declared permission allows, `''` where nobody says; null when none are declared. */
  readonly permissions: ReadonlyMap<string, Label> | null
  /** The rules for menu files that are not asked for. */
  readonly off: ReadonlySet<ProblemCode>
  /** Null when none are configured. */
  readonly routes: Routes | null
  /** What the endpoint is like; its `node_members` are those of every tree unless a door asks for others. */
  readonly api: {
    readonly enabled: boolean
    readonly path_prefix: string
    readonly node_members: readonly ExtraMember[]
    readonly cors_origins: '*' | readonly string[]
  }
  /** Where visitors reach the service; null when it is not set. */
  readonly publicUrl: string | null
  readonly limits: Limits
  /** Seconds. */
  readonly ttl: number
  /** Whether anything is kept per viewer or per query. */
  readonly keeps: boolean
}
