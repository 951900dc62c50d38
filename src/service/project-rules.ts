import { type Locale, type Locales, parentsOf } from '../model/locale.js'
import type { MenuFile } from '../model/menu-file.js'
import type { Problem, ProblemCounts } from '../model/problem.js'
import type { ProblemCode, Severity } from '../model/problem-codes.js'
import { countProblems } from '../model/snapshot.js'

/** What a project makes of the rules that do not withhold files. */
export type Rules = Readonly<Partial<Record<ProblemCode, 'off' | Severity>>>

/**
 * Problems with the severities that a project gave to them. They are for judging changes (`lint`, a publish) alone: what is
 * served is withheld by the errors of the format, so that a missing translation never takes a menu down.
 */
export function judgeByRules(problems: readonly Problem[], rules: Rules): readonly Problem[] {
  return problems.map((problem) => {
    const severity = rules[problem.code]
    return severity === undefined || severity === 'off' || severity === problem.severity
      ? problem
      : { ...problem, severity }
  })
}

/** The locales in which a publish needs a text of each label that has texts by locale; those of one's parents are also its own. */
export function neededLocales(rules: Rules, { locales }: Locales): readonly Locale[] {
  if (rules['missing-translation'] !== 'error' || locales.length === 1) return []
  return locales.filter(
    (each) => !parentsOf(each).some((parent) => parent !== each && locales.includes(parent)),
  )
}

/** Counts problems that were judged so, and those that their files have beyond. */
export function countByRules(
  judged: readonly Problem[],
  files: readonly MenuFile[],
  rules: Rules,
): ProblemCounts {
  const { errors, warnings, omitted } = countProblems(judged, files)
  const raised = (Object.keys(rules) as ProblemCode[]).filter((code) => rules[code] === 'error')
  let more = 0
  for (const { omittedByCode = {} } of files) {
    for (const code of raised) more += omittedByCode[code] ?? 0
  }
  return { errors: errors + more, warnings: warnings - more, omitted }
}
