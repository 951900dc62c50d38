import {
  accessSync,
  chmodSync,
  constants,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { MenusFolder as StoredFolder } from '../../src/store/menu-paths.js'
import { LONG } from './figures.js'

/** A folder of menus for one test, in a real file system. */
export interface MenusFolder {
  /** Its absolute path, without symbolic links on the way. */
  readonly dir: string
  /** Writes a file, and the folders on the way to it. */
  readonly write: (path: string, content: string | Uint8Array) => void
  /** Removes a file or a folder with all that is in it. */
  readonly remove: (path: string) => void
  /** Removes the folder itself. */
  readonly close: () => void
}

/** A folder with nothing but menus, as the store takes it. */
export function menusIn(root: string, filePrefix: string = ''): StoredFolder {
  return { root, filePrefix, closed: [] }
}

/** Where Linux has a folder in memory, and how many bytes it needs to have room for. */
const MEMORY = '/dev/shm'
const ROOM = 1_073_741_824

const roots = new Map<string, string>()

/** Where this process keeps its folders; a `package.json` further up says nothing about the modules in them. */
function rootIn(place: string): string {
  const known = roots.get(place)
  if (known !== undefined) return known
  const root = mkdtempSync(join(realpathSync(place), 'menuscript-'))
  // Some tests look at their folders as another user.
  chmodSync(root, 0o755)
  writeFileSync(join(root, 'package.json'), '{}')
  process.on('exit', () => rmSync(root, { recursive: true, force: true }))
  roots.set(place, root)
  return root
}

function hasRoom(place: string): boolean {
  try {
    accessSync(place, constants.W_OK)
    const { bavail, bsize } = statfsSync(place)
    return bavail * bsize >= ROOM
  } catch {
    return false
  }
}

/**
 * Creates a temporary folder that holds these files, by path with `/`, in `parent`; default: that of this process. It
 * goes with `close`, there at the latest with the process.
 */
export function createMenusFolder(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  parent: string = rootIn(tmpdir()),
): MenusFolder {
  const dir = mkdtempSync(join(parent, 'menuscript-'))
  const write: MenusFolder['write'] = (path, content) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), content)
  }
  const remove: MenusFolder['remove'] = (path) => rmSync(join(dir, path), { recursive: true, force: true })
  for (const [path, content] of Object.entries(files)) write(path, content)
  return { dir, write, remove, close: () => remove('.') }
}

/**
 * Creates one for thousands of files or saves: in memory, where each costs a quarter of what it costs on a disk. The long
 * sizes are tried on the disk, as is what has no such memory.
 */
export function createLargeFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): MenusFolder {
  return createMenusFolder(files, rootIn(!LONG && hasRoom(MEMORY) ? MEMORY : tmpdir()))
}

/**
 * Creates one with nothing beside it. A store is told of all that happens in the folder above, and looks: beside other
 * tests it would find what no event of its own told of.
 */
export function createLoneFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): MenusFolder {
  const above = createMenusFolder()
  const folder = createMenusFolder(files, above.dir)
  const close = () => {
    folder.close()
    above.close()
  }
  return { ...folder, close }
}
