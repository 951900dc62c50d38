import { describeContext, toContextKey } from './context.js'
import { type ContextKeys, createContextKeys } from './context-keys.js'
import { derived } from './derived.js'
import type { Menu } from './menu.js'
import type { Disable, MenuFile } from './menu-file.js'
import { createNearContexts, type NearContext } from './near-contexts.js'
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
  const alike: (NearContext | null)[] = []
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
    const other = near === null || menu === null ? null : near.find(menu.code, menu.context)
    alike.push(other)
    if (menu !== null) near?.add({ path, menu })
    files.push(rival === null ? file : withProblems(file, [duplicateMenu(file, rival)]))
  }
  yield* judgeContexts(files, alike, off)
  return { files, served, lastGood, index }
}

/** Adds what is wrong with contexts compared with all others, and the comments that hide no such thing. */
function* judgeContexts(
  files: MenuFile[],
  alike: readonly (NearContext | null)[],
  off: ReadonlySet<ProblemCode>,
): Generator<void> {
  // A context that is reported as another's makes none of its keys known.
  const others = files.flatMap(({ menu }, place) => (menu === null || alike[place] ? [] : [menu]))
  const keys = off.has('unknown-context') ? null : createContextKeys(others)
  for (const [place, file] of files.entries()) {
    if (place % SLICE === 0) yield
    const found = contextProblem(file, alike[place] ?? null, keys)
    const { disables = [] } = file
    // As for nearly every file; a change of one goes over all.
    if (found === null && disables.length === 0) continue
    const isHiding = ({ code, line }: Disable): boolean => code === found?.code && line === found.line
    const idle = disables.filter((each) => !isHiding(each) && !off.has(each.code))
    const unused = off.has('unused-disable') ? [] : idle.map((each) => each.unused)
    files[place] = withProblems(file, [...(found && !disables.some(isHiding) ? [found] : []), ...unused])
  }
}

function withProblems(file: MenuFile, problems: readonly Problem[]): MenuFile {
  return problems.length === 0 ? file : { ...file, problems: [...file.problems, ...problems] }
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

/** A context that was surely meant to be one that came before, or that has a key which was probably meant to be another. */
function contextProblem(
  { path, menu, contextPlace }: MenuFile,
  near: NearContext | null,
  keys: ContextKeys | null,
): Problem | null {
  if (menu === null) return null
  const place = { path, pointer: '/context', ...(contextPlace ?? { line: menu.line ?? 1 }) }
  if (near !== null)
    return toProblem({ code: 'near-duplicate-context', ...place, what: near.what, related: near.other.path })
  for (const key of Object.keys(menu.context)) {
    const suggestion = keys?.toMeant(key, menu.context) ?? null
    const what = `No other menu has the context key ${JSON.stringify(key)}.`
    if (suggestion !== null) return toProblem({ code: 'unknown-context', ...place, what, suggestion })
  }
  return null
}
