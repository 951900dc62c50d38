import type { Node } from 'yaml'
import type { Json } from '../change/json.js'
import { toYamlLimits } from '../model/limits.js'
import type { Menu } from '../model/menu.js'
import type { Problem } from '../model/problem.js'
import type { ProblemCode } from '../model/problem-codes.js'
import { readDisables, withoutHidden } from './disables.js'
import { editMenuText } from './edit/edit-menu.js'
import type { Issue } from './issue.js'
import { type ParseOptions, parseMenuFile } from './parse.js'
import { problemOf, readYamlMap } from './read/read-yaml.js'
import { ruleIssues } from './rules.js'
import type { Source } from './source.js'
import { locate, type Pointer } from './value.js'

/**
 * What is mended without a person: the menu that is served is the same before and after. An unknown key or a URL without
 * a scheme is not among it, however near the suggestion: mending them changes what visitors get.
 */
export const FIXABLE_CODES: readonly ProblemCode[] = ['locale-form', 'unused-context', 'ignored-on-divider']

/** A text after its safe problems were mended, and what was and what could not be mended. */
export interface Fixed {
  readonly after: string
  readonly fixed: readonly Problem[]
  /** What cannot be mended in this text as it is written; comments are kept in any case. */
  readonly left: readonly Problem[]
}

/** A text with what is safe to mend in it. */
interface Mendable {
  readonly value: unknown
  readonly root: Node
  readonly source: Source
  readonly comments: number
  readonly issues: readonly Issue[]
}

const BOM = '\ufeff'

/** Mends what is safe to mend in the text of a menu that has no error of its own. */
export function fixMenuText(path: string, before: string, options: ParseOptions): Fixed {
  const bom = before.startsWith(BOM) ? BOM : ''
  const text = before.slice(bom.length)
  const start = read(path, text, options)
  const menu = toServed(path, text, options)
  if (start === null || menu === null) return { after: before, fixed: [], left: [] }
  const [fixed, left]: [Problem[], Problem[]] = [[], []]
  /** Mends all of some issues; where one of them cannot be mended, looks for it by halves. */
  const mendAll = (now: string, issues: readonly Issue[]): string => {
    if (issues.length === 0) return now
    const problems = () => issues.map((issue) => problemOf(issue, start.root, start.source))
    const mended = mend(path, now, issues, menu, options)
    if (mended !== null) fixed.push(...problems())
    if (mended !== null || issues.length === 1) {
      if (mended === null) left.push(...problems())
      return mended ?? now
    }
    const half = issues.length >>> 1
    return mendAll(mendAll(now, issues.slice(0, half)), issues.slice(half))
  }
  return { after: bom + mendAll(text, start.issues), fixed, left }
}

/** The text without these problems; null when the menu would be another one, a comment would be lost, or one would stay. */
function mend(
  path: string,
  before: string,
  issues: readonly Issue[],
  menu: string,
  options: ParseOptions,
): string | null {
  const start = read(path, before, options)
  if (start === null) return null
  const renamed = renameTags(start, issues)
  const idle = issues.filter(({ code }) => code !== 'locale-form').map(({ pointer }) => pointer)
  const after = idle.length === 0 ? renamed : deleteKeys(path, renamed, idle, options)
  const end = after === null ? null : read(path, after, options)
  if (after === null || end === null || end.comments !== start.comments) return null
  if (end.issues.length !== start.issues.length - issues.length) return null
  return toServed(path, after, options) === menu ? after : null
}

/** Writes each tag of a label in its usual form, in place: all else of the text stays as it is. */
function renameTags({ source, root }: Mendable, issues: readonly Issue[]): string {
  const places = issues
    .filter(({ code }) => code === 'locale-form')
    .map((issue) => ({ ...issue, range: locate(root, issue.pointer, 'key') }))
    .sort((a, b) => a.range[0] - b.range[0])
  const parts: string[] = []
  let at = 0
  for (const { pointer, suggestion, range } of places) {
    const tag = String(pointer.at(-1))
    const written = source.text.slice(...range).replace(tag, suggestion ?? tag)
    parts.push(source.text.slice(at, range[0]), written)
    at = range[1]
  }
  return parts.join('') + source.text.slice(at)
}

/** Deletes keys that say nothing. */
function deleteKeys(
  path: string,
  text: string,
  pointers: readonly Pointer[],
  options: ParseOptions,
): string | null {
  const value = structuredClone(read(path, text, options)?.value)
  for (const pointer of pointers) {
    let parent = value as Record<string | number, unknown>
    for (const step of pointer.slice(0, -1)) parent = parent[step] as typeof parent
    delete parent[pointer.at(-1) ?? '']
  }
  return editMenuText(text, value as Json).text
}

function read(path: string, text: string, { limits, vocabulary }: ParseOptions): Mendable | null {
  const found = readYamlMap(path, new TextEncoder().encode(text), toYamlLimits(limits))
  if (found.value === null) return null
  const { value, root, source, comments } = found
  const told = ruleIssues(value, vocabulary, limits).filter(({ code }) => FIXABLE_CODES.includes(code))
  const issues = withoutHidden(told, readDisables(source, comments, vocabulary), root, source)
  return { value, root, source, comments: comments.length, issues }
}

/** All that a menu says to those who ask for it; the lines of its items are for explanations. Null when it has an error. */
function toServed(path: string, text: string, options: ParseOptions): string | null {
  const { menu } = parseMenuFile(path, new TextEncoder().encode(text), options)
  return menu === null ? null : toText(menu)
}

function toText(menu: Menu): string {
  return JSON.stringify(menu, (key, value) => (key === 'line' ? undefined : value))
}
