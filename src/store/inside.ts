import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { toIdentity } from './entry.js'

/** Thrown for a path of a folder that leads out of it. */
export class OutsideError extends Error {
  override readonly name = 'OutsideError'

  constructor(path: string) {
    super(`${path} leads out of its folder`)
  }
}

/** Thrown when another folder took the place of the one in which something was just written. */
export class FolderSwappedError extends Error {
  override readonly name = 'FolderSwappedError'

  constructor(path: string) {
    super(`the folder of ${path} was replaced`)
  }
}

/** A folder, and what its paths may not lead to. */
export interface Bounds {
  /** Absolute. */
  readonly root: string
  /** Real paths, where no path may lead even if they are in the folder: what the service keeps for itself. */
  readonly closed: readonly string[]
}

/** What git keeps for itself, in any case: some disks ignore it. */
const GIT_FOLDER = /(?:^|[\\/])\.git(?:[\\/]|$)/i

/** Whether a real path is one that paths of a folder, given by its real path, may lead to. */
export function isWithin({ root, closed }: Bounds, real: string): boolean {
  if (!isInside(real, root) || GIT_FOLDER.test(relative(root, real))) return false
  return !closed.some((each) => isInside(real, each))
}

/** Whether a real path is a folder or lies in it. */
export function isInside(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)
}

/** A path without symbolic links, as far as it exists. */
export function toRealPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return dirname(path) === path ? path : join(toRealPath(dirname(path)), basename(path))
  }
}

/** Whether a path of a folder leads to where it may not, through any links. Throws file system errors. */
export function leadsOut({ root, closed }: Bounds, path: string): boolean {
  const bounds = { root: realpathSync.native(root), closed }
  return !isWithin(bounds, realpathSync.native(join(root, path)))
}

/** Whether a folder on the way to a path is a link back to one before it: nothing below it is listed. Throws file system errors. */
export function leadsBack(root: string, path: string): boolean {
  const names = path.split('/').slice(0, -1)
  const reals = ['', ...names].map((_, count) => realpathSync.native(join(root, ...names.slice(0, count))))
  return new Set(reals).size < reals.length
}

/** The real path to which a path of a folder leads. Throws OutsideError, or file system errors. */
function toRealInside({ root, closed }: Bounds, path: string): string {
  // The link to the folder itself may be flipped meanwhile, from one good folder to another.
  const top = realpathSync.native(root)
  const real = realpathSync.native(join(top, path))
  if (!isWithin({ root: top, closed }, real)) throw new OutsideError(path)
  return real
}

/** Reads the entry itself, not a link that took its place, and does not wait for a pipe. */
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** How often a file is opened again because another one took its place meanwhile, as each save does. */
const MAX_TRIES = 10

/**
 * Opens the target of a path of a folder, through any links, and returns its descriptor. The real path is opened, which has
 * no links; a folder on the way may be replaced by one between the check and the opening, so the open file is compared with
 * what is there afterwards. Throws OutsideError, or file system errors.
 */
export function openInside(bounds: Bounds, path: string): number {
  for (let tries = 1; ; tries++) {
    const real = toRealInside(bounds, path)
    const descriptor = openSync(real, READ)
    try {
      if (isAt(descriptor, real) && realpathSync.native(real) === real && isAt(descriptor, real))
        return descriptor
      if (tries === MAX_TRIES) throw new OutsideError(path)
    } catch (thrown) {
      closeSync(descriptor)
      throw thrown
    }
    closeSync(descriptor)
  }
}

/** Whether a path leads to an open file by no link. */
function isAt(descriptor: number, place: string): boolean {
  const [open, there] = [fstatSync(descriptor, { bigint: true }), lstatSync(place, { bigint: true })]
  return open.dev === there.dev && open.ino === there.ino
}

/**
 * Works in a folder, whose entries `at` names: each time it checks that the folder is still the one that it was, and reached
 * by no link. Throws OutsideError, FolderSwappedError, or file system errors.
 */
export function inFolder<T>(root: string, path: string, work: (at: (name: string) => string) => T): T {
  const real = toRealInside({ root, closed: [] }, path)
  const identity = toIdentity(statSync(real))
  const check = (): void => {
    const isThere = realpathSync.native(real) === real && toIdentity(lstatSync(real)) === identity
    if (!isThere) throw new FolderSwappedError(path)
  }
  const at = (name: string): string => {
    check()
    return join(real, name)
  }
  try {
    return work(at)
  } catch (thrown) {
    check()
    throw thrown
  }
}

/** Whether two paths lead to the same file, or both to none. */
export function areSame(path: string, other: string): boolean {
  const [one, two] = [path, other].map((each) => statSync(each, { throwIfNoEntry: false }))
  return one?.ino === two?.ino && one?.dev === two?.dev
}

/** Makes the folders of a path, one in the other; none outside. */
export function makeFolders(root: string, path: string): void {
  mkdirSync(root, { recursive: true })
  const names = path.split('/').filter((name) => name !== '' && name !== '.')
  for (const [place, name] of names.entries())
    inFolder(root, names.slice(0, place).join('/'), (at) => mkdirSync(at(name), { recursive: true }))
}
