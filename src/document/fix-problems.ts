import { changeInPlace } from '../change/change.js'
import type { Json } from '../model/json.js'
import type { Problem } from '../model/problem.js'
import type { ProblemCode } from '../model/problem-codes.js'
import { withoutHidden } from './disables.js'
import { writeChange } from './edit/write-change.js'
import type { Issue } from './issue.js'
import type { MenuDocument } from './menu-document.js'
import { locate } from './node.js'
import { judgeDocument, type ParseOptions } from './parse.js'
import { problemOf } from './read/read-yaml.js'
import { ruleIssues } from './rules.js'
import { spliced } from './source.js'

/**
 * What can be fixed automatically: the served menu is the same before and after. An unknown key or a URL without a scheme is
 * not, however near the suggestion: fixing it changes what visitors get.
 */
export const FIXABLE_CODES: readonly ProblemCode[] = ['locale-form', 'unused-context', 'ignored-on-divider']

/** A text after its safe problems were fixed, and what was and was not fixed. */
export interface Fixed {
  readonly after: string
  readonly fixed: readonly Problem[]
  /** What cannot be fixed in this text as it is written; comments are always kept. */
  readonly left: readonly Problem[]
}

/** Fixes the safe problems of a menu without errors of its own. */
export function fixMenu(document: MenuDocument, options: ParseOptions): Fixed {
  const [menu, issues] = [toServed(document, options), fixableIn(document, options)]
  if (menu === null) return { after: document.mark + document.text, fixed: [], left: [] }
  const [fixed, left]: [Issue[], Issue[]] = [[], []]
  /** Fixes all of these issues; if one cannot be fixed, finds it by bisection. */
  const fixAll = (now: MenuDocument, some: readonly Issue[]): MenuDocument => {
    if (some.length === 0) return now
    const done = fixSome(now, some, menu, options)
    if (done !== null || some.length === 1) {
      const found = done === null ? left : fixed
      found.push(...some)
      return done ?? now
    }
    const half = some.length >>> 1
    return fixAll(fixAll(now, some.slice(0, half)), some.slice(half))
  }
  const { mark, text } = fixAll(document, issues)
  const toProblems = (some: readonly Issue[]): readonly Problem[] =>
    some.flatMap((issue) => (document.yaml === null ? [] : [problemOf(issue, document.yaml)]))
  return { after: mark + text, fixed: toProblems(fixed), left: toProblems(left) }
}

/** The menu without these problems; null when it would change, lose a comment, or keep one of them. */
function fixSome(
  before: MenuDocument,
  issues: readonly Issue[],
  menu: string,
  options: ParseOptions,
): MenuDocument | null {
  const tags = issues.filter(({ code }) => code === 'locale-form')
  const renamed = tags.length === 0 ? before : before.with(renameTags(before, tags))
  const idle = issues.filter((issue) => !tags.includes(issue))
  const after =
    idle.length === 0 ? renamed : writeChange(renamed, changeInPlace(withoutValues(renamed, idle))).value
  const isWhole = after?.yaml?.comments.length === before.yaml?.comments.length
  if (after === null || !isWhole || toServed(after, options) !== menu) return null
  const isFixed = fixableIn(after, options).length === fixableIn(before, options).length - issues.length
  return isFixed ? after : null
}

/** Writes each tag of a label in its usual form, in place; the rest of the text stays as it is. */
function renameTags({ yaml, mark, text }: MenuDocument, issues: readonly Issue[]): string {
  if (yaml === null) return mark + text
  const renamed = issues.map(({ pointer, suggestion }) => {
    const [tag, range] = [String(pointer.at(-1)), locate(yaml.root, pointer, 'key')]
    return [range, text.slice(...range).replace(tag, suggestion ?? tag)] as const
  })
  return mark + spliced(text, renamed)
}

/** The value without keys that have no effect. */
function withoutValues(document: MenuDocument, issues: readonly Issue[]): Json {
  const value = structuredClone(document.value)
  for (const { pointer } of issues) {
    let parent = value as unknown as Record<string | number, unknown>
    for (const step of pointer.slice(0, -1)) parent = parent[step] as typeof parent
    delete parent[pointer.at(-1) ?? '']
  }
  return value
}

function fixableIn({ yaml }: MenuDocument, { limits, vocabulary }: ParseOptions): readonly Issue[] {
  if (yaml === null) return []
  const found = ruleIssues(yaml.value, vocabulary, limits).filter(({ code }) => FIXABLE_CODES.includes(code))
  return withoutHidden(found, yaml, vocabulary).shown
}

/** Everything that a menu serves; the lines of its items are for explanations. Null when it has an error. */
function toServed(document: MenuDocument, options: ParseOptions): string | null {
  const { menu } = judgeDocument(document, options)
  return menu === null ? null : JSON.stringify(menu, (key, value) => (key === 'line' ? undefined : value))
}
