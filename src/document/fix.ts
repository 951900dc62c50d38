import { isMap, type Json, type JsonMap, withoutKey } from '../change/json.js'
import { toYamlLimits } from '../model/limits.js'
import type { Menu } from '../model/menu.js'
import type { Problem } from '../model/problem.js'
import { CHANGEABLE_CODES, type ProblemCode } from '../model/problem-codes.js'
import { editMenuText } from './edit/edit-menu.js'
import { parsePointer } from './issue.js'
import { type ParseOptions, parseMenuFile } from './parse.js'
import { readYamlMap } from './read-yaml.js'
import { locate } from './value.js'

/**
 * What is mended without a person: the menu that is served is the same before and after. An unknown key or a URL without
 * a scheme is not among it, however near the suggestion: mending them changes what visitors get.
 */
export const FIXABLE_CODES: readonly ProblemCode[] = ['locale-form', 'unused-context', 'ignored-on-divider']

/** A text after its safe problems were mended, and what was and what could not be mended. */
export interface Fixed {
  readonly after: string
  readonly fixed: readonly Problem[]
  /** What would take a comment with it, or cannot be written into this text. */
  readonly left: readonly Problem[]
}

/** So often a text is read again: a file lists fifty of its problems at a time. */
const MAX_ROUNDS = 500

/** Mends what is safe to mend in the text of a menu that has no error of its own. */
export function fixMenuText(path: string, before: string, reading: ParseOptions): Fixed {
  const options = withoutOtherRules(reading)
  const fixed: Problem[] = []
  const left = new Map<string, Problem>()
  let text = before
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { menu, problems } = parse(path, text, options)
    const safe = problems.filter((each) => FIXABLE_CODES.includes(each.code) && !left.has(toKey(each)))
    if (menu === null || safe.length === 0) break
    const mended = mend(path, text, safe, options)
    if (mended !== null) {
      text = mended
      fixed.push(...safe)
      continue
    }
    // One of them cannot be mended: each is tried alone.
    for (const problem of safe) {
      const alone = mend(path, text, [problem], options)
      if (alone === null) left.set(toKey(problem), problem)
      else fixed.push(problem)
      text = alone ?? text
    }
  }
  return { after: text, fixed, left: [...left.values()] }
}

/** What cannot be mended must not fill the list of problems. */
function withoutOtherRules({ vocabulary, ...rest }: ParseOptions): ParseOptions {
  const others = CHANGEABLE_CODES.filter((code) => !FIXABLE_CODES.includes(code))
  return { ...rest, vocabulary: { ...vocabulary, off: new Set([...vocabulary.off, ...others]) } }
}

function toKey({ code, pointer }: Problem): string {
  return `${code} ${pointer}`
}

/** The text without these problems; null when the menu would be another one, a comment would be lost, or a problem would stay. */
function mend(
  path: string,
  before: string,
  problems: readonly Problem[],
  options: ParseOptions,
): string | null {
  const renamed = renameTags(before, problems, options)
  const after = deleteKeys(renamed, problems, options)
  if (after === null || countComments(after, options) !== countComments(before, options)) return null
  const [old, now] = [parse(path, before, options), parse(path, after, options)]
  if (now.menu === null || old.menu === null || toServed(now.menu) !== toServed(old.menu)) return null
  const stayed = new Set(now.problems.map(toKey))
  return problems.some((problem) => stayed.has(toKey(problem))) ? null : after
}

/** Writes each tag of a label in its usual form, in place: all else of the text stays as it is. */
function renameTags(text: string, problems: readonly Problem[], options: ParseOptions): string {
  const bom = /^\ufeff?/.exec(text)?.[0].length ?? 0
  const { root } = read(text, options)
  const splices = problems
    .filter(({ code }) => code === 'locale-form')
    .map((problem) => ({ problem, range: locate(root, toSteps(problem), 'key') }))
    .sort((a, b) => b.range[0] - a.range[0])
  let after = text
  for (const { problem, range } of splices) {
    const [start, end] = [range[0] + bom, range[1] + bom]
    const tag = toSteps(problem).at(-1) ?? ''
    const written = after.slice(start, end).replace(tag, problem.suggestion ?? tag)
    after = after.slice(0, start) + written + after.slice(end)
  }
  return after
}

/** Deletes the keys that say nothing. */
function deleteKeys(text: string, problems: readonly Problem[], options: ParseOptions): string | null {
  const idle = problems.filter(({ code }) => code !== 'locale-form')
  const { value } = read(text, options)
  if (value === null || idle.length === 0) return value === null ? null : text
  const after = idle.reduce<Json>((rest, problem) => without(rest, toSteps(problem)), value as JsonMap)
  return editMenuText(text, after).text
}

function without(value: Json, [step = '', ...rest]: readonly string[]): Json {
  if (Array.isArray(value))
    return value.map((each, place) => (String(place) === step ? without(each, rest) : each))
  if (!isMap(value)) return value
  if (rest.length === 0) return withoutKey(value, step)
  const entries = Object.entries(value).map(([key, each]) => [key, key === step ? without(each, rest) : each])
  return Object.fromEntries(entries)
}

function toSteps({ pointer }: Problem): readonly string[] {
  return parsePointer(pointer)
}

function parse(path: string, text: string, options: ParseOptions): ReturnType<typeof parseMenuFile> {
  return parseMenuFile(path, new TextEncoder().encode(text), options)
}

function read(text: string, { limits }: ParseOptions) {
  const found = readYamlMap('', new TextEncoder().encode(text), toYamlLimits(limits))
  return found.value === null
    ? { value: null, root: null, comments: [] }
    : { value: found.value, root: found.root, comments: found.comments }
}

function countComments(text: string, options: ParseOptions): number {
  return read(text, options).comments.length
}

/** All that a menu says to those who ask for it: the lines of its items are for explanations. */
function toServed(menu: Menu): string {
  return JSON.stringify(menu, (key, value) => (key === 'line' ? undefined : value))
}
