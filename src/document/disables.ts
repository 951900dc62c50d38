import { CHANGEABLE_CODES, PROBLEM_KINDS, type ProblemCode } from '../model/problem-codes.js'
import type { Disable } from '../model/snapshot.js'
import { type Found, type Issue, quote } from './issue.js'
import { toNearest } from './nearest.js'
import { problemAt, type ReadYaml } from './read/read-yaml.js'
import { isJudged, type Vocabulary } from './rules/vocabulary.js'
import { lineAt, type Range, type Source } from './source.js'
import { locate } from './value.js'

const DIRECTIVE = 'menuscript-disable-next-line'
/** A menuscript comment, or one that was surely meant to be. */
const ADDRESSED = /^#+[ \t]*(menuscript[-: ][ \t]*[\w-]+)/i
/** Characters of a comment that are read. */
const MAX_COMMENT = 2_000
/** Codes of one comment that are read. */
const MAX_CODES = 20
/** Rules between files: only all files together show whether a comment for one is of use. */
const ACROSS_FILES: readonly ProblemCode[] = ['near-duplicate-context']

/** One code of a comment, with the line that it is about. */
interface Wish {
  readonly code: string
  readonly range: Range
  readonly line: number
}

/** What the comments of a text that keep problems from being reported do. */
export interface Disabled {
  /** The issues that no comment hides. */
  readonly shown: readonly Issue[]
  /** The comments known by now to be unused. */
  readonly unused: readonly Found[]
  /** The comments that only all files together can judge. */
  readonly pending: readonly Disable[]
}

/**
 * Hides issues by the comments `# menuscript-disable-next-line CODE, CODE -- reason`. Each hides the problems with these codes
 * in the next line that is neither blank nor a comment. What withholds a file cannot be hidden.
 */
export function withoutHidden(
  issues: readonly Issue[],
  yaml: ReadYaml,
  vocabulary: Vocabulary,
  comments: readonly number[] = yaml.comments,
): Disabled {
  const { source } = yaml
  const { wishes, faults } = readWishes(source, comments)
  const asked = new Set(wishes.map(toKey))
  const used = new Set<string>()
  const shown = issues.filter(({ code, pointer, part }) => {
    if (asked.size === 0 || !isChangeable(code)) return true
    const key = toKey({ code, line: lineAt(source, locate(yaml.root, pointer, part)[0]) })
    if (asked.has(key)) used.add(key)
    return !asked.has(key)
  })
  const toUnused = ({ range, code }: Wish): Found =>
    unusedAt(range, `The next line does not have the problem ${quote(code)}.`)
  const isPending = ({ code }: Wish): boolean => ACROSS_FILES.some((each) => each === code)
  const idle = wishes.filter((wish) => {
    return !isPending(wish) && !used.has(toKey(wish)) && isJudged(wish.code as ProblemCode, vocabulary)
  })
  const pending = wishes.filter(isPending).slice(0, MAX_CODES)
  return {
    shown,
    unused: [...faults, ...idle.map(toUnused)],
    pending: pending.map((wish) => {
      const unused = problemAt(source, toUnused(wish))
      return { code: wish.code as ProblemCode, line: wish.line, unused }
    }),
  }
}

function unusedAt(range: Range, what: string, suggest: () => string | null = () => null): Found {
  return { code: 'unused-disable', range, what, suggest }
}

function toKey({ line, code }: Pick<Wish, 'line' | 'code'>): string {
  return `${line} ${code}`
}

/** What the comments of a text ask for, and what is wrong with them. */
function readWishes(
  source: Source,
  comments: readonly number[],
): { readonly wishes: readonly Wish[]; readonly faults: readonly Found[] } {
  const wishes: Wish[] = []
  const faults: Found[] = []
  const lineBehind = createLineBehind(source)
  for (const start of comments) {
    const text = /[^\r\n]*/y.exec(source.text.slice(start, start + MAX_COMMENT))?.[0] ?? ''
    const [whole = '', word] = ADDRESSED.exec(text) ?? []
    if (word === undefined) continue
    if (word !== DIRECTIVE) {
      const suggestion = toNearest(word, [DIRECTIVE])
      const range: Range = [start + whole.length - word.length, start + whole.length]
      const what = `${quote(word)} is not a comment that is read.`
      if (suggestion !== null) faults.push(unusedAt(range, what, () => suggestion))
      continue
    }
    const found = wishesIn(text, start, whole.length, lineBehind(start))
    if (found.length === 0)
      faults.push(unusedAt([start, start + text.length], 'This comment names no problem that it could hide.'))
    for (const wish of found) {
      const { code, range } = wish
      if (isChangeable(code)) wishes.push(wish)
      else if (Object.hasOwn(PROBLEM_KINDS, code))
        faults.push(unusedAt(range, `${quote(code)} is an error and cannot be hidden.`))
      else {
        const suggest = (): string | null => toNearest(code, CHANGEABLE_CODES)
        faults.push(unusedAt(range, `No problem has the code ${quote(code)}.`, suggest))
      }
    }
  }
  return { wishes, faults }
}

/** The codes of a comment: what follows its name, up to ` -- reason`. */
function wishesIn(text: string, start: number, from: number, line: number): Wish[] {
  const [codes = ''] = text.slice(from).split(/(?:^|[ \t])--(?:[ \t]|$)/)
  return [...codes.matchAll(/[^\s,]+/g)].slice(0, MAX_CODES).map(({ 0: code, index }) => ({
    code,
    range: [start + from + index, start + from + index + code.length],
    line,
  }))
}

/** Finds the first line behind a place that is neither blank nor a comment; places come in order. */
function createLineBehind(source: Source): (offset: number) => number {
  const { text, lineStarts } = source
  let found = 0
  return (offset) => {
    const next = lineAt(source, offset) + 1
    // Comments in a row share one line behind them, found once.
    if (next <= found) return found
    found = next
    while (found < lineStarts.length && isVoid(text.slice(lineStarts[found - 1], lineStarts[found]))) found++
    return found
  }
}

function isVoid(line: string): boolean {
  return /^[ \t]*(#|\r|\n)/.test(line)
}

function isChangeable(code: string): boolean {
  return CHANGEABLE_CODES.some((each) => each === code) && code !== 'unused-disable'
}
