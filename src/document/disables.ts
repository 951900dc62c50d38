import type { Disable } from '../model/menu-file.js'
import { CHANGEABLE_CODES, PROBLEM_KINDS, type ProblemCode } from '../model/problem-codes.js'
import { toNearest } from './did-you-mean.js'
import { type Found, type Issue, quote } from './issue.js'
import { locate } from './node.js'
import { problemAt, type ReadYaml } from './read/read-yaml.js'
import { isJudged, type Vocabulary } from './rules/vocabulary.js'
import { lineAt, type Range, type Source } from './source.js'

const DIRECTIVE = 'menuscript-disable-next-line'
/** A menuscript comment, or one that was surely meant to be. */
const ADDRESSED = /^#+[ \t]*(menuscript[-: ][ \t]*[\w-]+)/i
/** Characters of a comment that are read. */
const MAX_COMMENT = 2_000
/** Codes of one comment that are read. */
const MAX_CODES = 20
/** Rules between files: only all files together show whether a comment for one is of use. */
const ACROSS_FILES: readonly ProblemCode[] = ['near-duplicate-context', 'unknown-context']

/** One code of a comment, with the line that it is about. */
interface Wish {
  readonly code: string
  readonly range: Range
  readonly line: number
  /** Why it hides nothing, whatever is in that line; null where it may hide something. */
  readonly fault: string | null
  /** The words among which the one that was meant is looked for. */
  readonly known: readonly string[]
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
  const all = [...readWishes(source, comments)]
  const wishes = all.filter(({ fault }) => fault === null)
  const asked = new Set(wishes.map(toKey))
  const used = new Set<string>()
  const shown = issues.filter(({ code, pointer, part }) => {
    if (asked.size === 0 || !isChangeable(code)) return true
    const key = toKey({ code, line: lineAt(source, locate(yaml.root, pointer, part)[0]) })
    if (asked.has(key)) used.add(key)
    return !asked.has(key)
  })
  const toUnused = ({ range, code, fault, known }: Wish): Found => {
    const what = fault ?? `The next line does not have the problem ${quote(code)}.`
    return { code: 'unused-disable', range, what, suggest: () => toNearest(code, known) }
  }
  const isPending = ({ code }: Wish): boolean => ACROSS_FILES.some((each) => each === code)
  const isIdle = (wish: Wish): boolean =>
    !isPending(wish) && !used.has(toKey(wish)) && isJudged(wish.code as ProblemCode, vocabulary)
  const pending = wishes.filter(isPending).slice(0, MAX_CODES)
  return {
    shown,
    unused: all.filter((wish) => wish.fault !== null || isIdle(wish)).map(toUnused),
    pending: pending.map((wish) => {
      const unused = problemAt(source, toUnused(wish))
      return { code: wish.code as ProblemCode, line: wish.line, unused }
    }),
  }
}

function toKey({ line, code }: Pick<Wish, 'line' | 'code'>): string {
  return `${line} ${code}`
}

/** The codes of each comment: what follows its name, up to ` -- reason`. */
function* readWishes(source: Source, comments: readonly number[]): Generator<Wish> {
  const lineBehind = createLineBehind(source)
  for (const start of comments) {
    const text = /[^\r\n]*/y.exec(source.text.slice(start, start + MAX_COMMENT))?.[0] ?? ''
    const [whole = '', word] = ADDRESSED.exec(text) ?? []
    if (word === undefined) continue
    const line = lineBehind(start)
    const toWish = (code: string, at: number, fault: string | null, known: readonly string[] = []): Wish => {
      return { code, range: [start + at, start + at + code.length], line, fault, known }
    }
    if (word !== DIRECTIVE) {
      const fault = `${quote(word)} is not a comment that is read.`
      const isNear = toNearest(word, [DIRECTIVE]) !== null
      if (isNear) yield toWish(word, whole.length - word.length, fault, [DIRECTIVE])
      continue
    }
    const [codes = ''] = text.slice(whole.length).split(/(?:^|[ \t])--(?:[ \t]|$)/)
    const found = [...codes.matchAll(/[^\s,]+/g)].slice(0, MAX_CODES)
    if (found.length === 0) yield toWish(text, 0, 'This comment names no problem that it could hide.')
    for (const { 0: code, index } of found) {
      const at = whole.length + index
      if (isChangeable(code)) yield toWish(code, at, null)
      else if (Object.hasOwn(PROBLEM_KINDS, code))
        yield toWish(code, at, `${quote(code)} is an error and cannot be hidden.`)
      else yield toWish(code, at, `No problem has the code ${quote(code)}.`, CHANGEABLE_CODES)
    }
  }
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
