import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Problem } from '../../model/problem.js'
import type { Snapshot } from '../../model/snapshot.js'
import { differingPaths } from '../../store/git/compare-trees.js'
import { toTreePath } from '../../store/git/repository.js'
import { toCommit, toMergeBase } from '../../store/git/revision.js'
import { changedFile, movedWay } from '../../store/git/since.js'
import { treesSince } from '../../store/git/work-tree.js'
import { isInside } from '../../store/inside.js'
import { menusFolderOf } from '../reading.js'
import { fromGit, refuse } from '../refusal.js'
import { openMenusRepository, type Site } from '../site.js'

/** Which findings are reported. */
export interface Scope {
  /** Whether a file, by its path from the menus folder, is in scope. */
  readonly hasFile: (path: string) => boolean
  readonly hasProblem: (problem: Problem) => boolean
  /** A note for the reader. */
  readonly note: string | null
}

export const EVERYTHING: Scope = { hasFile: () => true, hasProblem: () => true, note: null }

/** Whether the menus folder can be read. */
export function hasFolder({ problems }: Snapshot): boolean {
  return !problems.some(({ code }) => code === 'folder-missing')
}

/**
 * The files and folders named on the command line, which are seen from the folder of the site, as far as they changed since
 * a revision; without either, everything.
 */
export async function toScope(
  paths: readonly string[],
  since: string | null,
  site: Site,
  snapshot: Snapshot,
): Promise<Scope> {
  const { folder, menusFolder } = site
  const named = paths.map((path) => resolve(folder, path))
  const isMenuOrFolder = (path: string): boolean =>
    statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ||
    snapshot.files.some((file) => resolve(menusFolder, file.path) === path)
  const stranger = named.findIndex(
    (path) => !(isInside(path, menusFolder) || isInside(menusFolder, path)) || !isMenuOrFolder(path),
  )
  if (stranger !== -1) refuse('usage', `${paths[stranger]} is not a menu file of ${menusFolder}`)
  const changed = since === null || !hasFolder(snapshot) ? EVERYTHING : await scopeOfChanges(since, site)
  if (paths.length === 0) return changed
  const { note, hasFile, hasProblem } = changed
  const isNamed = (path: string): boolean => named.some((each) => isInside(resolve(menusFolder, path), each))
  return {
    note,
    hasFile: (path) => isNamed(path) && hasFile(path),
    hasProblem: (problem) => (problem.path === '' || isNamed(problem.path)) && hasProblem(problem),
  }
}

/**
 * The files that differ from the common ancestor of a revision and HEAD: committed since, or only changed or made in the
 * work tree. A link differs when the text differs that it leads to. Problems between two files are reported when either differs.
 * Where the configuration differs, it may have changed the meaning of every file, and everything is reported.
 */
async function scopeOfChanges(base: string, site: Site): Promise<Scope> {
  const { repository, folder: inTree } = await openMenusRepository(site)
  const { menusFolder, inputFiles } = site
  const [commit, head] = [await toCommit(repository, base), await toCommit(repository, 'HEAD')]
  const merged = await toMergeBase(repository, fromGit(commit, 'usage'), fromGit(head, 'usage'))
  const common = fromGit(merged, 'usage')
  const files = inputFiles.map((file) => toTreePath(repository, file)).filter((path) => path !== null)
  // A link to the menus folder that leads elsewhere replaces all menus.
  const input =
    (await changedFile(repository, common, files)) ?? (await movedWay(repository, common, menusFolder))
  if (input !== null) {
    const note = `${input} differs from ${base}, so the problems of all files are reported`
    return { ...EVERYTHING, note }
  }
  const { limits } = site.options
  const place = { repository, inTree, folder: menusFolderOf(site), limits }
  const differing = differingPaths(...(await treesSince(common, place)))
  const hasFile = (path: string): boolean => differing.has(path)
  const hasProblem = ({ path, related }: Problem): boolean =>
    path === '' || hasFile(path) || (related !== null && hasFile(related))
  return { hasFile, hasProblem, note: null }
}
