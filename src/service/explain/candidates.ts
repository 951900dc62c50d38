import { toNearest } from '../../document/nearest.js'
import { describeContext } from '../../model/context.js'
import { type Json, valueAt } from '../../model/json.js'
import type { Context } from '../../model/menu.js'
import { isError } from '../../model/problem.js'
import type { ServedMenu } from '../../model/select.js'
import type { Snapshot } from '../../model/snapshot.js'
import type { ExplainedCandidate } from './explanation.js'

/** At most this many of a list are named in a sentence. */
const MAX_NAMED = 5

/** How each candidate fared; `winner` is the position of the one that won. */
export function explainCandidates(
  { index }: Snapshot,
  code: string,
  sent: readonly Context[],
  winner: number | null,
  fileOf: (path: string) => string,
): readonly ExplainedCandidate[] {
  const variants = [...(index.get(code)?.values() ?? [])]
  const whyLost = (context: Context): string =>
    variants.length === 0
      ? whyUnknown(code, [...index.keys()])
      : whyNoneEqual(code, context, variants, fileOf)
  return (sent.length > 0 ? sent : [{}]).map((context, position): ExplainedCandidate => {
    if (position === winner) return { context, outcome: 'won', why: whyWon(sent.length) }
    if (winner === null || position < winner) return { context, outcome: 'lost', why: whyLost(context) }
    return { context, outcome: 'not-tried', why: 'an earlier candidate won' }
  })
}

function whyWon(sent: number): string {
  if (sent === 0) return 'no context sets were sent, so the menu without a context answers'
  return sent === 1 ? 'a menu has an equal context' : 'it is the first that a menu has an equal context for'
}

function whyUnknown(code: string, codes: readonly string[]): string {
  const nearest = toNearest(code, codes)
  const others = codes.length === 0 ? 'there is no menu at all' : `there are ${listed(codes)}`
  return `no menu has the code ${JSON.stringify(code)}; ${nearest === null ? others : `did you mean ${JSON.stringify(nearest)}?`}`
}

function whyNoneEqual(
  code: string,
  context: Context,
  variants: readonly ServedMenu[],
  fileOf: (path: string) => string,
): string {
  const lack = `no ${code} ${Object.keys(context).length === 0 ? 'is without a context' : 'has an equal context'}`
  const ranked = variants
    .map(({ menu, path }) => ({ menu, path, differences: differencesOf(context, menu.context) }))
    .sort((a, b) => a.differences.length - b.differences.length)
  const [nearest] = ranked
  const isNear = Object.keys(nearest?.menu.context ?? {}).some((key) => Object.hasOwn(context, key))
  if (nearest === undefined || !isNear) {
    const contexts = variants.map(({ menu }) => describeContext(menu.context))
    const there = contexts.length === 1 ? 'the only one has' : 'there are variants with'
    return `${lack}; ${there} ${listed(contexts)}${meantKey(context, variants)}`
  }
  const { menu, path, differences } = nearest
  return `${lack}; the nearest, ${describeContext(menu.context)} of ${fileOf(path)}:${menu.line}, differs: ${differences.join(', ')}`
}

/** The key that was probably meant, where one that was sent is in no variant. */
function meantKey(context: Context, variants: readonly ServedMenu[]): string {
  const known = new Set(variants.flatMap(({ menu }) => Object.keys(menu.context)))
  const meant = Object.keys(context).map((key) => toNearest(key, known))
  const [first] = meant.filter((key) => key !== null)
  return first === undefined ? '' : `; did you mean the key ${first}?`
}

/** What keeps two contexts from being equal, in words. */
function differencesOf(asked: Context, written: Context): string[] {
  const keys = [...new Set([...Object.keys(asked), ...Object.keys(written)])].sort()
  return keys.flatMap((key) => {
    const [here, there] = [valueAt(asked, [key]), valueAt(written, [key])]
    if (here === there) return []
    if (here === undefined) return [`it has ${key}, which was not sent`]
    if (there === undefined) return [`it has no ${key}`]
    return [`its ${key} is ${toWords(there)}, not ${toWords(here)}`]
  })
}

/** A scalar with its type, where two of different types look alike. */
function toWords(value: Json): string {
  if (typeof value === 'string') return `the text ${JSON.stringify(value)}`
  return typeof value === 'number' ? `the number ${value}` : String(value)
}

/** Files that could have answered, and cannot: those with errors, and those whose place another file has. */
export function explainWithheld(
  { files, served, problems }: Snapshot,
  code: string,
  winner: number | null,
  fileOf: (path: string) => string,
): string[] {
  const broken = files.filter((file) => file.problems.some(isError))
  const notes = broken
    .filter(
      ({ menu, problems: own }) => menu?.code === code && own.some((each) => each.code === 'duplicate-menu'),
    )
    .map(
      ({ path, menu }) =>
        `${fileOf(path)}:${menu?.line ?? 1} has the same code and context as another file, and is not served`,
    )
  const unread = broken.filter(({ menu, path }) => menu === null && !served.has(path))
  // Where the first candidate won, nothing was missed.
  if (winner !== 0 && unread.length > 0) {
    const paths = listed(unread.map(({ path }) => fileOf(path)))
    notes.push(
      `withheld for errors, and perhaps meant: ${paths}; see menuscript lint (a service that runs may serve the last good version)`,
    )
  }
  const missing = problems.find((problem) => problem.code === 'folder-missing')
  return missing === undefined ? notes : [...notes, missing.what]
}

/** `a, b, c`, cut when it is long. */
function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMED
  return names.slice(0, MAX_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
