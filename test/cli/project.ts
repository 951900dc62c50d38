import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLargeFolder, type MenusFolder } from '../support/menus-folder.js'
import { menuscript, type Outcome } from './command.js'

export type Files = Readonly<Record<string, string | Uint8Array>>

/** A project while a test uses it. */
export interface Project extends MenusFolder {
  /** Runs `menuscript` in it. */
  readonly run: (...args: readonly string[]) => Promise<Outcome>
  /** Every file in it by path, with its text; links are named and not followed. */
  readonly texts: () => Readonly<Record<string, string>>
}

/** Runs a test in a folder with these files, a git work tree by its looks, which goes behind it; gives what it gives. */
export async function inProject<T>(files: Files, test: (project: Project) => Promise<T>): Promise<T> {
  const folder = createLargeFolder({ '.git/HEAD': '', ...files })
  const run = (...args: readonly string[]) => menuscript(args, { cwd: folder.dir })
  try {
    return await test({ ...folder, run, texts: () => textsIn(folder.dir) })
  } finally {
    folder.close()
  }
}

function textsIn(dir: string): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {}
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) continue
    texts[path.slice(dir.length + 1)] = entry.isFile() ? readFileSync(path, 'utf8') : 'not a file'
  }
  return texts
}

/** Whether some output has the lines of a stack trace. */
export const STACK: RegExp = /^ +at .*:\d+:\d+\)?$/m
