import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
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

/** Creates a temporary folder that holds these files, by path with `/`. It goes with `close`, at the latest with the process. */
export function createMenusFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): MenusFolder {
  const dir = mkdtempSync(join(realpathSync(tmpdir()), 'menuscript-'))
  const write: MenusFolder['write'] = (path, content) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), content)
  }
  const remove: MenusFolder['remove'] = (path) => rmSync(join(dir, path), { recursive: true, force: true })
  const close = () => {
    process.off('exit', close)
    rmSync(dir, { recursive: true, force: true })
  }
  process.on('exit', close)
  for (const [path, content] of Object.entries(files)) write(path, content)
  return { dir, write, remove, close }
}
