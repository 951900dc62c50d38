import { describeContext, toContextKey } from './context.js'
import { derived } from './derived.js'
import type { Menu } from './menu.js'
import type { MenuFile } from './menu-file.js'
import { createNearContexts, type NearContexts } from './near-contexts.js'
import { type Problem, toProblem } from './problem.js'
import type { ProblemCode } from './problem-codes.js'
import type { MenuIndex, ServedMenu } from './select.js'

/** Which file serves which menu. */
export interface Served {
  /** In byte order of their paths, each with its problems with others. */
  readonly files: readonly MenuFile[]
  /** What each file serves, by path; a file that serves nothing is absent. */
  readonly served: ReadonlyMap<string, ServedMenu>
  /** The last good version of each file that has an error, by path; it is served unless another file took its place. */
  readonly lastGood: ReadonlyMap<string, ServedMenu>
  readonly index: MenuIndex
}

/** The same, for the next time. */
export interface Claims extends Served {
  /** The files without their problems with others. */
  readonly given: readonly MenuFile[]
}

/** Files between two steps. */
export const SLICE = 256

type Index = Map<string, Map<string, ServedMenu>>

const keyOf = derived(({ context }: Menu) => toContextKey(context))

/** Lets files claim their menus one after the other, in byte order of their paths; yields now and then. */
export function* claimMenus(
  given: readonly MenuFile[],
  previous: Served | null,
  off: ReadonlySet<ProblemCode>,
): Generator<void, Claims> {
  const served = new Map<string, ServedMenu>()
  const lastGood = new Map<string, ServedMenu>()
  const index: Index = new Map()
  const near = off.has('near-duplicate-context') ? null : createNearContexts()
  const files: MenuFile[] = []
  for (const file of given) {
    if (files.length % SLICE === 0) yield
    const { path, menu, version } = file
    const before = previous?.lastGood.get(path) ?? previous?.served.get(path) ?? null
    // What a file serves while nothing is wrong with it; the value of before where nothing changed.
    const isKept = before !== null && before.menu === menu
    const fresh = menu === null ? null : isKept ? before : { menu, path, version, stale: false }
    const rival = fresh === null ? null : enter(index, fresh)
    const good = rival === null ? fresh : null
    const claim = good ?? standIn(index, before)
    if (claim !== null) served.set(path, claim)
    if (good === null && before !== null) lastGood.set(path, before)
    const across = near === null ? [] : nearProblems(file, near, off)
    if (rival !== null) across.push(duplicateMenu(file, rival))
    files.push(across.length === 0 ? file : { ...file, problems: [...file.problems, ...across] })
  }
  return { given, files, served, lastGood, index }
}

/**
 * The claims of before, with changed files at their places that claim the same: then nothing changes for the others. Null
 * where that is not certain.
 */
export function* reclaimMenus(
  before: Claims,
  changes: ReadonlyMap<number, MenuFile>,
): Generator<void, Claims | null> {
  const [given, files] = [[...before.given], [...before.files]]
  const served = new Map(before.served)
  yield
  const index = new Map(before.index)
  yield
  let count = 0
  const variantsOf = new Map<string, Map<string, ServedMenu>>()
  for (const [place, file] of changes) {
    if (++count % SLICE === 0) yield
    const { path, menu, version } = file
    if (menu === null || !claimsAlike(before, place, file)) return null
    given[place] = file
    files[place] = file
    const claim = { menu, path, version, stale: false }
    served.set(path, claim)
    const variants = variantsOf.get(menu.code) ?? new Map(index.get(menu.code))
    variantsOf.set(menu.code, variants.set(keyOf(menu), claim))
    index.set(menu.code, variants)
  }
  return { ...before, given, files, served, index }
}

/** Whether a file claims what the one before it serves; where a problem with another file is known or hidden, it may not. */
function claimsAlike({ given, files }: Claims, place: number, now: MenuFile): boolean {
  const before = given[place]
  if (!before?.menu || !now.menu || before !== files[place]) return false
  const isCommented = [before, now].some(({ disables = [] }) => disables.length > 0)
  const [one, other] = [before.menu, now.menu].map(({ code, context }) => JSON.stringify([code, context]))
  return one === other && !isCommented
}

/** Enters the last good version of a file that has an error; null when there is none, or its place was taken since. */
function standIn(index: Index, before: ServedMenu | null): ServedMenu | null {
  if (before === null) return null
  const claim = { ...before, stale: true }
  return enter(index, claim) === null ? claim : null
}

/** Enters a claim into the index; answers the menu that already has this code and context, if there is one. */
function enter(index: Index, claim: ServedMenu): ServedMenu | null {
  const { code } = claim.menu
  const variants = index.get(code) ?? new Map<string, ServedMenu>()
  const key = keyOf(claim.menu)
  const rival = variants.get(key)
  if (rival !== undefined) return rival
  index.set(code, variants.set(key, claim))
  return null
}

function duplicateMenu(file: MenuFile, rival: ServedMenu): Problem {
  const { code, context } = rival.menu
  return toProblem({
    code: 'duplicate-menu',
    path: file.path,
    line: file.menu?.line ?? 1,
    pointer: '/code',
    what: `The menu ${JSON.stringify(code)} with ${describeContext(context)} is in ${rival.path} already.`,
    todo: `Change the code or the context here, or delete this file or ${rival.path}.`,
    related: rival.path,
  })
}

/** A context that was surely meant to be one that came before, and the comments of its file that hide no such thing. */
function nearProblems(
  { path, menu, contextPlace, disables = [] }: MenuFile,
  near: NearContexts,
  off: ReadonlySet<ProblemCode>,
): Problem[] {
  const code = 'near-duplicate-context'
  const found = menu === null ? null : near.find(menu.code, menu.context)
  if (menu !== null) near.add({ path, menu })
  // As for nearly every file; a change of one goes over all.
  if (found === null && disables.length === 0) return []
  const place = { path, pointer: '/context', ...(contextPlace ?? { line: menu?.line ?? 1 }) }
  const problem = found && toProblem({ code, ...place, what: found.what, related: found.other.path })
  const hiding = disables.filter((each) => each.code === code && each.line === problem?.line)
  const idle = off.has('unused-disable') ? [] : disables.filter((each) => !hiding.includes(each))
  return [...(problem === null || hiding.length > 0 ? [] : [problem]), ...idle.map(({ unused }) => unused)]
}
