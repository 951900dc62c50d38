import { statSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import type { Config } from '../../config/load-config.js'
import type { Problem } from '../../model/problem.js'
import type { Snapshot } from '../../model/snapshot.js'
import { changesSince } from '../../store/git/changes.js'
import { type GitFault, openRepository, toTreePath } from '../../store/git/repository.js'
import { toCommit, toMergeBase } from '../../store/git/revision.js'
import { wayTo, wayToFolder } from '../../store/links.js'
import { EXIT } from '../exit-codes.js'

/** What of all that is judged is told. */
export interface Scope {
  /** Whether a file, by its path from the menus folder, is among those that are asked for. */
  readonly hasFile: (path: string) => boolean
  readonly hasProblem: (problem: Problem) => boolean
  /** What whoever asked should know. */
  readonly note: string | null
}

/** A scope, or why there is none, with the exit code for it. */
export type ScopeAnswer =
  | { readonly scope: Scope; readonly fault: null }
  | { readonly fault: string; readonly exit: number }

export const EVERYTHING: Scope = { hasFile: () => true, hasProblem: () => true, note: null }

/** The files and folders that are named on the command line, as seen from `folder`; without any, everything. */
export function scopeOfPaths(
  paths: readonly string[],
  folder: string,
  { menusFolder }: Config,
  { files }: Snapshot,
): ScopeAnswer {
  if (paths.length === 0) return { scope: EVERYTHING, fault: null }
  const named = paths.map((path) => resolve(folder, path))
  const isMenuOrFolder = (path: string): boolean =>
    isFolder(path) || files.some((file) => resolve(menusFolder, file.path) === path)
  const stranger = named.findIndex(
    (path) => !(isIn(path, menusFolder) || isIn(menusFolder, path)) || !isMenuOrFolder(path),
  )
  if (stranger !== -1)
    return { fault: `${paths[stranger]} is no menu file of ${menusFolder}`, exit: EXIT.usage }
  const hasFile = (path: string): boolean => named.some((each) => isIn(resolve(menusFolder, path), each))
  const scope = { hasFile, hasProblem: ({ path }: Problem) => path === '' || hasFile(path), note: null }
  return { scope, fault: null }
}

/**
 * The files that differ from the last commit that a revision and HEAD have in common: committed since, or only changed
 * or made in the work tree. A link differs when anything on its way does. Problems between two files are told when either
 * differs. Where the configuration differs, whatever it is held against may have changed its meaning, and everything is
 * told.
 */
export async function scopeOfChanges(
  base: string,
  { menusFolder, inputFiles }: Config,
): Promise<ScopeAnswer> {
  const opened = await openRepository(menusFolder)
  if (opened.fault !== null) return toFault(opened.fault, EXIT.configuration)
  const repository = opened.value
  const [commit, head] = [await toCommit(repository, base), await toCommit(repository, 'HEAD')]
  if (commit.fault !== null) return toFault(commit.fault, EXIT.usage)
  if (head.fault !== null) return toFault(head.fault, EXIT.usage)
  const common = await toMergeBase(repository, commit.value, head.value)
  if (common.fault !== null) return toFault(common.fault, EXIT.usage)
  const folder = toTreePath(repository, menusFolder)
  if (folder === null)
    return { fault: `${menusFolder} leads out of its repository`, exit: EXIT.configuration }
  const files = inputFiles.map((file) => toTreePath(repository, file)).filter((path) => path !== null)
  // A link to the menus folder that leads elsewhere puts all menus in the place of others.
  const inputs = [...files, ...wayToFolder(repository.root, menusFolder)]
  const isChanged = await changesSince(repository, common.value, [folder, ...inputs])
  const input = inputs.find(isChanged)
  if (input !== undefined) {
    const note = `${input} differs from ${base}, so the problems of all files are told`
    return { scope: { ...EVERYTHING, note }, fault: null }
  }
  const start = folder === '' ? '' : `${folder}/`
  const known = new Map<string, boolean>()
  const hasFile = (path: string): boolean => {
    const differs = known.get(path) ?? wayTo(menusFolder, path).some((stop) => isChanged(start + stop))
    known.set(path, differs)
    return differs
  }
  const hasProblem = ({ path, related }: Problem): boolean =>
    path === '' || hasFile(path) || (related !== null && hasFile(related))
  return { scope: { hasFile, hasProblem, note: null }, fault: null }
}

/** What both ask for. */
export function both(one: Scope, other: Scope): Scope {
  return {
    hasFile: (path) => one.hasFile(path) && other.hasFile(path),
    hasProblem: (problem) => one.hasProblem(problem) && other.hasProblem(problem),
    note: one.note ?? other.note,
  }
}

function toFault({ what, todo }: GitFault, exit: number): ScopeAnswer {
  return { fault: `${what}. ${todo}`, exit }
}

/** Whether a path is a folder or lies in it; a file has only itself. */
function isIn(path: string, scope: string): boolean {
  return path === scope || path.startsWith(scope.endsWith(sep) ? scope : scope + sep)
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
