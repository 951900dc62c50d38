import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A folder of menus for one test, on a real disk. */
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

let root: string | null = null

/** Where this process keeps its folders; a `package.json` further up says nothing about the modules in them. */
function rootOf(): string {
  if (root === null) {
    const made = mkdtempSync(join(realpathSync(tmpdir()), 'menuscript-'))
    // Some tests look at their folders as another user.
    chmodSync(made, 0o755)
    writeFileSync(join(made, 'package.json'), '{}')
    process.on('exit', () => rmSync(made, { recursive: true, force: true }))
    root = made
  }
  return root
}

/**
 * Creates a temporary folder that holds these files, by path with `/`, in `parent`; default: that of this process. It
 * goes with `close`, there at the latest with the process.
 */
export function createMenusFolder(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  parent: string = rootOf(),
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
