import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'

/** Where Linux shows what each descriptor of this process has open. */
const DESCRIPTORS = '/proc/self/fd'

/** Also opens a folder that may be entered and not listed: O_PATH on Linux, which Node does not name. */
const OPEN_FOLDER = process.platform === 'linux' ? 0o10000000 | constants.O_DIRECTORY : constants.O_RDONLY

/** Thrown for a path of a folder that leads out of it. */
export class OutsideError extends Error {
  override readonly name = 'OutsideError'

  constructor(path: string) {
    super(`${path} leads out of its folder`)
  }
}

/** Whether a real path is a folder or lies in it. */
export function isInside(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)
}

/** A path without symbolic links, as far as it exists. */
export function toRealPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return dirname(path) === path ? path : join(toRealPath(dirname(path)), basename(path))
  }
}

/** Whether a path of the folder leads out of it, through any links. Throws file system errors. */
export function leadsOut(root: string, path: string): boolean {
  return !isInside(realpathSync.native(join(root, path)), realpathSync.native(root))
}

/** Whether a folder on the way to a path is a link back to one before it: nothing below it is listed. Throws file system errors. */
export function leadsBack(root: string, path: string): boolean {
  const names = path.split('/').slice(0, -1)
  const reals = ['', ...names].map((_, count) => realpathSync.native(join(root, ...names.slice(0, count))))
  return new Set(reals).size < reals.length
}

/**
 * Opens the target of a path of a folder, through any links, and answers its descriptor. Whether it is in the folder is
 * judged on the open file: a link may be flipped between a check and the opening. Never waits for a pipe. Throws
 * OutsideError, or file system errors.
 */
export function openInside(root: string, path: string, flags: number = constants.O_RDONLY): number {
  const place = join(root, path)
  const before = realpathSync.native(root)
  // The link to the folder itself may be flipped meanwhile, from one good folder to another.
  const isOurs = (real: string): boolean =>
    isInside(real, before) || isInside(real, realpathSync.native(root))
  // Checked here, too, so that a device outside is never opened.
  if (!isOurs(realpathSync.native(place))) throw new OutsideError(path)
  const descriptor = openSync(place, flags | (constants.O_NONBLOCK ?? 0))
  try {
    const real = realPathOf(descriptor, place)
    if (real === null || !isOurs(real)) throw new OutsideError(path)
    return descriptor
  } catch (thrown) {
    closeSync(descriptor)
    throw thrown
  }
}

/**
 * The real path of an open descriptor. Linux knows it; elsewhere it is the path that leads there now, if device and inode
 * match those of the open file; else null.
 */
export function realPathOf(
  descriptor: number,
  place: string,
  descriptors: string = DESCRIPTORS,
): string | null {
  try {
    return readlinkSync(`${descriptors}/${descriptor}`)
  } catch {
    const real = realpathSync.native(place)
    const [open, there] = [fstatSync(descriptor, { bigint: true }), statSync(real, { bigint: true })]
    return open.dev === there.dev && open.ino === there.ino ? real : null
  }
}

/**
 * Works in a folder that is kept open: `at` gives paths to its entries that no flipped link on the way can redirect. Throws
 * OutsideError, or file system errors.
 */
export function inFolder<T>(root: string, path: string, work: (at: (name: string) => string) => T): T {
  const descriptor = openInside(root, path, OPEN_FOLDER)
  const place = join(root, path)
  const anchor = `${DESCRIPTORS}/${descriptor}`
  try {
    const base = existsSync(anchor) ? anchor : realpathSync.native(place)
    return work((name) => join(base, name))
  } catch (thrown) {
    // People know the folder by its name.
    if (thrown instanceof Error) thrown.message = thrown.message.replaceAll(anchor, place)
    throw thrown
  } finally {
    closeSync(descriptor)
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
