import type { Locale } from '../../model/locale.js'
import type { ProblemCode } from '../../model/problem-codes.js'
import type { Routes } from '../../model/route.js'

/** What a deployment knows, to check the words of a menu against. Null: not known, so not judged. */
export interface Vocabulary {
  readonly locales: readonly Locale[]
  readonly routes: Routes | null
  /** Whether anything can make a path from a route name at all. */
  readonly pathsAreMade: boolean
  readonly iconLibraries: ReadonlySet<string> | null
  readonly permissions: ReadonlySet<string> | null
  /** The rules that are off. */
  readonly off: ReadonlySet<ProblemCode>
}

/** Whether a rule is on and the deployment knows enough for it to find anything. */
export function isJudged(
  code: ProblemCode,
  { routes, iconLibraries, permissions, off }: Vocabulary,
): boolean {
  if (off.has(code)) return false
  switch (code) {
    case 'unknown-route':
    case 'missing-parameter':
    case 'unknown-parameter':
    case 'unknown-path':
      return routes !== null
    case 'unknown-icon-library':
      return iconLibraries !== null
    case 'unknown-permission':
      return permissions !== null
    default:
      return true
  }
}
