import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '../../config/load-config.js'
import { done } from '../../model/result.js'
import { toReason } from '../../service/log.js'
import { changesSince } from '../../store/git/changes.js'
import type { MenuState } from '../../store/git/menus.js'
import { type GitAnswer, openRepository, type Repository, toTreePath } from '../../store/git/repository.js'
import { toCommit, toMergeBase } from '../../store/git/revision.js'
import { readTwoStates } from '../../store/git/two-states.js'
import { wayToFolder } from '../../store/links.js'
import type { ReadOptions } from '../../store/read-options.js'
import { type Answer, answerOf, refuse } from '../answer.js'

/** One of the two compared states. */
export interface Side {
  /** Such as `main (1a2b3c4)` or `work tree`. */
  readonly title: string
  /** The full hash of the commit; null for the work tree. */
  readonly commit: string | null
  /** Null when the menus folder does not exist. */
  readonly state: MenuState | null
}

export interface Sides {
  readonly base: Side
  readonly head: Side
  /** How many files are the same in both and were not read. */
  readonly unread: number
}

interface Named {
  readonly title: string
  readonly commit: string | null
}

/**
 * Reads both sides of a comparison. Null is HEAD against the work tree; `BASE` is the work tree's changes since the common
 * ancestor of BASE and HEAD, as a pull request is judged; `BASE..HEAD` are these two exactly, and `BASE...HEAD` is HEAD's
 * changes since their common ancestor (gitrevisions). Both ends must be named: an empty variable of a gate would compare
 * HEAD with itself. Files that are the same in both are not read, except those that may have `code`.
 */
export async function readSides(
  range: string | null,
  config: Config,
  reading: ReadOptions,
  code: string | null,
): Promise<Answer<Sides>> {
  const opened = answerOf(await openRepository(nearestFolder(config.menusFolder)), 'unusable')
  if (opened.fault !== null) return opened
  const repository = opened.value
  const folder = toTreePath(repository, config.menusFolder)
  if (folder === null) {
    const what = `the menus folder ${config.menusFolder} is not in the repository ${repository.root}`
    return refuse('unusable', `${what}. Point storage.connections at a folder of the repository.`)
  }
  const named = answerOf(await nameSides(repository, range), range === null ? 'unusable' : 'bad-request')
  if (named.fault !== null) return named
  const { base, head } = named.value
  const options = {
    folder: { inTree: folder, onDisk: config.menusFolder },
    reading,
    filePrefix: config.options.storage.file_prefix,
    code,
  }
  try {
    const stray = await findStray(repository, config.menusFolder, [base, head])
    if (stray !== null) return refuse('unusable', stray)
    const states = await readTwoStates(repository, [base.commit, head.commit], options)
    const { before, after, unread } = states
    if (before !== null || after !== null) {
      return done({ base: { ...base, state: before }, head: { ...head, state: after }, unread })
    }
    const what = `there is no folder ${config.menusFolder}, neither in ${base.title} nor in ${head.title}`
    return refuse('unusable', `${what}. Point storage.connections at the menus.`)
  } catch (thrown) {
    const todo = 'Check the permissions of the folder, and run `git fsck`.'
    return refuse('unusable', `the menus cannot be read: ${toReason(thrown)}. ${todo}`)
  }
}

async function nameSides(
  repository: Repository,
  range: string | null,
): Promise<GitAnswer<{ readonly base: Named; readonly head: Named }>> {
  const { from: oldName, dots, to: newName } = splitRange(range ?? 'HEAD')
  const old = await toCommit(repository, oldName)
  if (old.fault !== null) return old
  const isWorkTree = dots === ''
  const head = await toCommit(repository, newName)
  if (head.fault !== null) return head
  const base = dots === '..' ? old : await toMergeBase(repository, old.value, head.value)
  if (base.fault !== null) return base
  const isSame = base.value === old.value
  const baseTitle = isSame ? oldName : `where ${newName} left ${oldName}`
  const value = {
    base: { title: `${baseTitle} (${base.value.slice(0, 7)})`, commit: base.value },
    head: isWorkTree
      ? { title: 'the work tree', commit: null }
      : { title: `${newName} (${head.value.slice(0, 7)})`, commit: head.value },
  }
  return { value, fault: null }
}

/** The two ends of a range, and what is between them: nothing, two dots or three (gitrevisions). */
function splitRange(range: string): { readonly from: string; readonly dots: string; readonly to: string } {
  const at = range.indexOf('..')
  if (at === -1) return { from: range, dots: '', to: 'HEAD' }
  const dots = range[at + 2] === '.' ? '...' : '..'
  return { from: range.slice(0, at), dots, to: range.slice(at + dots.length) }
}

/** Moments at which a link to the menus folder leads elsewhere than now: its current target was not served then. */
async function findStray(
  repository: Repository,
  menusFolder: string,
  sides: readonly Named[],
): Promise<string | null> {
  const way = wayToFolder(repository.root, menusFolder)
  if (way.length === 0) return null
  for (const { commit, title } of sides) {
    const link = commit === null ? undefined : way.find(await changesSince(repository, commit, way))
    if (link === undefined) continue
    const what = `${link}, on the way to the menus folder, leads elsewhere in ${title} than now`
    return `${what}. Compare the folders themselves, with --menus.`
  }
  return null
}

/** The folder itself, or the nearest existing one above it. */
function nearestFolder(folder: string): string {
  const above = dirname(folder)
  return existsSync(folder) || above === folder ? folder : nearestFolder(above)
}
