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
  /** The time at which windows are over, in milliseconds since 1970. */
  readonly now: number | null
  /** The rules that are off. */
  readonly off: ReadonlySet<ProblemCode>
}

/** What a rule needs to know. */
const NEEDS: Partial<Record<ProblemCode, 'routes' | 'iconLibraries' | 'permissions' | 'now'>> = {
  'unknown-route': 'routes',
  'missing-parameter': 'routes',
  'unknown-parameter': 'routes',
  'unknown-param-value': 'routes',
  'unknown-path': 'routes',
  'unknown-icon-library': 'iconLibraries',
  'unknown-permission': 'permissions',
  'window-past': 'now',
}

/** Whether a rule is on and the deployment knows enough for it to find anything. */
export function isJudged(code: ProblemCode, vocabulary: Vocabulary): boolean {
  const need = NEEDS[code]
  return !vocabulary.off.has(code) && (need === undefined || vocabulary[need] !== null)
}
