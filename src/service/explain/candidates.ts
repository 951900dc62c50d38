import { toNearest } from '../../document/did-you-mean.js'
import { describeContext, toContextKey } from '../../model/context.js'
import { type Json, valueAt } from '../../model/json.js'
import type { Context } from '../../model/menu.js'
import { isError } from '../../model/problem.js'
import type { ServedMenu } from '../../model/select.js'
import type { Snapshot } from '../../model/snapshot.js'
import { describeWindow, isOpen } from '../../model/window.js'
import type { ExplainedCandidate } from './explanation.js'

/** At most this many of a list are named in a sentence. */
const MAX_NAMED = 5
/** Keys among which the one that was meant is looked for. */
const MAX_KEYS = 200

/** How each candidate fared; `winner` is the position of the one that won at the time `now`. */
export function explainCandidates(
  { index }: Snapshot,
  code: string,
  sent: readonly Context[],
  { winner, now }: { readonly winner: number | null; readonly now: number },
  fileOf: (path: string) => string,
): readonly ExplainedCandidate[] {
  const variants = [...(index.get(code)?.values() ?? [])]
  // The same for every candidate.
  const unknown = variants.length === 0 ? whyUnknown(code, [...index.keys()]) : null
  const keys = keysOf(variants)
  const whyLost = (context: Context): string => {
    const equal = index.get(code)?.get(toContextKey(context))
    // One with an equal context has lost only because it is not there at this time.
    if (equal !== undefined && !isOpen(equal.menu, now))
      return `${fileOf(equal.path)}:${equal.menu.line} has an equal context, but is visible only ${describeWindow(equal.menu)}`
    return unknown ?? whyNoneEqual(code, context, { variants, keys }, fileOf)
  }
  return (sent.length > 0 ? sent : [{}]).map((context, position): ExplainedCandidate => {
    if (position === winner) return { context, outcome: 'won', why: whyWon(sent.length) }
    if (winner === null || position < winner) return { context, outcome: 'lost', why: whyLost(context) }
    return { context, outcome: 'not-tried', why: 'an earlier candidate won' }
  })
}

function whyWon(sent: number): string {
  if (sent === 0) return 'no context sets were sent, so the menu without a context applies'
  return sent === 1 ? 'a menu has an equal context' : 'it is the first one with an equal context'
}

function whyUnknown(code: string, codes: readonly string[]): string {
  const nearest = toNearest(code, codes)
  const others = codes.length === 0 ? 'there is no menu at all' : `there are ${listed(codes, (each) => each)}`
  return `no menu has the code ${JSON.stringify(code)}; ${nearest === null ? others : `did you mean ${JSON.stringify(nearest)}?`}`
}

/** The menus of a code, and the keys of their contexts. */
interface Variants {
  readonly variants: readonly ServedMenu[]
  readonly keys: ReadonlySet<string>
}

function keysOf(variants: readonly ServedMenu[]): ReadonlySet<string> {
  const keys = new Set<string>()
  for (const { menu } of variants) for (const key in menu.context) if (keys.size < MAX_KEYS) keys.add(key)
  return keys
}

function whyNoneEqual(
  code: string,
  context: Context,
  { variants, keys }: Variants,
  fileOf: (path: string) => string,
): string {
  const lack = `no ${code} ${Object.keys(context).length === 0 ? 'without a context exists' : 'has an equal context'}`
  const nearest = nearestOf(context, variants)
  const isNear = Object.keys(nearest?.menu.context ?? {}).some((key) => Object.hasOwn(context, key))
  if (nearest === null || !isNear) {
    const there = variants.length === 1 ? 'the only one has' : 'there are variants with'
    const contexts = listed(variants, ({ menu }) => describeContext(menu.context))
    return `${lack}; ${there} ${contexts}${meantKey(context, keys)}`
  }
  const { menu, path } = nearest
  const differences = differencesOf(context, menu.context).join(', ')
  return `${lack}; the nearest, ${describeContext(menu.context)} of ${fileOf(path)}:${menu.line}, differs: ${differences}`
}

/** The first variant with the fewest differences; null without variants. They are only counted: there may be thousands. */
function nearestOf(context: Context, variants: readonly ServedMenu[]): ServedMenu | null {
  const sent = Object.entries(context)
  let nearest: ServedMenu | null = null
  let least = Number.POSITIVE_INFINITY
  for (const variant of variants) {
    const written = variant.menu.context
    let count = sent.length
    for (const key in written) if (!Object.hasOwn(context, key)) count++
    for (const [key, value] of sent) if (valueAt(written, [key]) === value) count--
    if (count >= least) continue
    nearest = variant
    least = count
  }
  return nearest
}

/** The key that was probably meant, where one that was sent is in no variant. */
function meantKey(context: Context, known: ReadonlySet<string>): string {
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
  if (typeof value === 'string') return `the string ${JSON.stringify(value)}`
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
    const paths = listed(unread, ({ path }) => fileOf(path))
    notes.push(
      `withheld because of errors, and perhaps the one you want: ${paths}; see menuscript lint (a running service may serve the last good version)`,
    )
  }
  const missing = problems.find((problem) => problem.code === 'folder-missing')
  return missing === undefined ? notes : [...notes, missing.what]
}

/** `a, b, c`, cut when it is long. */
function listed<T>(all: readonly T[], nameOf: (each: T) => string): string {
  const more = all.length - MAX_NAMED
  return all.slice(0, MAX_NAMED).map(nameOf).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
