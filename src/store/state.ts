import { randomBytes } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { done, failed, type Result } from '../model/result.js'
import { toReason } from '../service/log.js'
import { inFolder, isInside, makeFolders, toRealPath } from './inside.js'
import { putFile } from './publish/atomic-file.js'

/** The folder of what is kept beside the menus. Only the user of the process can read what is written there. */
export interface State {
  /** Absolute. */
  readonly dir: string
  /** Writes a file, in whole or not at all, and makes the folders on the way. Throws file system errors. */
  readonly write: (path: string, text: string) => void
  /** The text of a file that is made once, even by several processes at the same time. Throws file system errors. */
  readonly keep: (name: string, make: () => string) => string
}

const MODE = 0o600

/** Why a folder is no safe place for the state, in one sentence; null if it is: readers of menus must not reach it. */
export function judgeStatePlace(dir: string, menusFolder: string): string | null {
  const [real, menus] = [toRealPath(dir), toRealPath(menusFolder)]
  if (isInside(menus, real)) return `${dir} (state.dir) holds the menus folder; it needs a folder of its own`
  return isInside(real, menus) ? `${dir} (state.dir) is in the menus folder; it needs a place outside` : null
}

/** Makes the state folder, which ignores itself for git, or opens it. The fault says in one sentence why it cannot be used. */
export function openState(dir: string, menusFolder: string): Result<State, string> {
  const misplaced = judgeStatePlace(dir, menusFolder)
  if (misplaced !== null) return failed(misplaced)
  try {
    const isNew = makeFolder(dir)
    accessSync(dir, constants.W_OK | constants.X_OK)
    // In a folder that holds something else, git would ignore that, too.
    if (isNew || readdirSync(dir).length === 0) writeFileSync(join(dir, '.gitignore'), '*\n')
  } catch (thrown) {
    return failed(`${dir} (state.dir) cannot be written: ${toReason(thrown)}`)
  }
  const write: State['write'] = (path, text) => {
    const folder = posix.dirname(path)
    makeFolders(dir, folder)
    inFolder(dir, folder, (at) => putFile(at, posix.basename(path), { text, mode: MODE }))
  }
  return done({ dir, write, keep: (name, make) => keep(dir, name, make) })
}

function keep(dir: string, name: string, make: () => string): string {
  return inFolder(dir, '', (at) => {
    const read = (): string => readFileSync(at(name), 'utf8')
    try {
      return read()
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown
    }
    const aside = `.${name}.${randomBytes(6).toString('hex')}`
    try {
      putFile(at, aside, { text: make(), mode: MODE })
      // Unlike a rename, it leaves the file of a faster process in place.
      linkSync(at(aside), at(name))
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown
    } finally {
      rmSync(at(aside), { force: true })
    }
    return read()
  })
}

/** Whether this call made a folder. Node's own `recursive` does not end where a file system has a folder and takes none. */
function makeFolder(dir: string): boolean {
  if (existsSync(dir)) return false
  makeFolder(dirname(dir))
  try {
    mkdirSync(dir, { mode: 0o700 })
    return true
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw thrown
  }
}
