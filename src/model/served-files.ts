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

/** Files between two steps. */
export const SLICE = 256

type Index = Map<string, Map<string, ServedMenu>>

const keyOf = derived(({ context }: Menu) => toContextKey(context))

/** Decides file by file, in byte order of their paths, which one serves which menu; yields now and then. */
export function* serveFiles(
  sorted: readonly MenuFile[],
  previous: Served | null,
  off: ReadonlySet<ProblemCode>,
): Generator<void, Served> {
  const served = new Map<string, ServedMenu>()
  const lastGood = new Map<string, ServedMenu>()
  const index: Index = new Map()
  const near = off.has('near-duplicate-context') ? null : createNearContexts()
  const files: MenuFile[] = []
  for (const file of sorted) {
    if (files.length % SLICE === 0) yield
    const { path, menu, version } = file
    const before = previous?.lastGood.get(path) ?? previous?.served.get(path) ?? null
    // What a file serves while nothing is wrong with it; the value of before where nothing changed.
    const isKept = before !== null && before.menu === menu
    const fresh = menu === null ? null : isKept ? before : { menu, path, version, stale: false }
    const rival = fresh === null ? null : enter(index, fresh)
    const good = rival === null ? fresh : null
    const menuServed = good ?? standIn(index, before)
    if (menuServed !== null) served.set(path, menuServed)
    if (good === null && before !== null) lastGood.set(path, before)
    const across = near === null ? [] : nearProblems(file, near, off)
    if (rival !== null) across.push(duplicateMenu(file, rival))
    files.push(across.length === 0 ? file : { ...file, problems: [...file.problems, ...across] })
  }
  return { files, served, lastGood, index }
}

/** Enters the last good version of a file that has an error; null when there is none, or its place was taken since. */
function standIn(index: Index, before: ServedMenu | null): ServedMenu | null {
  if (before === null) return null
  const stale = { ...before, stale: true }
  return enter(index, stale) === null ? stale : null
}

/** Enters a menu into the index; returns the one that already has this code and context, if there is one. */
function enter(index: Index, entered: ServedMenu): ServedMenu | null {
  const { code } = entered.menu
  const variants = index.get(code) ?? new Map<string, ServedMenu>()
  const key = keyOf(entered.menu)
  const rival = variants.get(key)
  if (rival !== undefined) return rival
  index.set(code, variants.set(key, entered))
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
