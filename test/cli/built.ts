import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createMenusFolder, type MenusFolder } from '../support/menus-folder.js'
import { type Running, runProcess, type StartOptions, startProcess } from '../support/process.js'
import type { Outcome } from './command.js'

/** The command as `npm run build` makes it: it starts in a fraction of the time of its source. */
const BUILT = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

/** Runs the built `menuscript` to its end. */
export function built(args: readonly string[], options: StartOptions = {}): Promise<Outcome> {
  return runProcess('node', [BUILT, ...args], withCleanEnvironment(options))
}

/** Starts the built `menuscript` and does not wait for its end. */
export function startBuilt(args: readonly string[], options: StartOptions = {}): Running {
  return startProcess('node', [BUILT, ...args], withCleanEnvironment(options))
}

/** Options of ours in the environment of whoever runs the tests would be options of the tests. */
function withCleanEnvironment(options: StartOptions): StartOptions {
  const ours = Object.keys(process.env).filter((name) => name === 'PORT' || name.startsWith('MENUSCRIPT_'))
  return { ...options, env: { ...Object.fromEntries(ours.map((name) => [name, undefined])), ...options.env } }
}

export type Files = Readonly<Record<string, string | Uint8Array>>

/** A project while a test uses it. */
export interface Project extends MenusFolder {
  /** Runs the built `menuscript` in it. */
  readonly run: (...args: readonly string[]) => Promise<Outcome>
  /** Every file in it by path, with its text; links are named and not followed. */
  readonly texts: () => Readonly<Record<string, string>>
}

/** Runs a test in a folder with these files, a git work tree by its looks, which goes behind it; gives what it gives. */
export async function inProject<T>(files: Files, test: (project: Project) => Promise<T>): Promise<T> {
  const folder = createMenusFolder({ '.git/HEAD': '', ...files })
  const run = (...args: readonly string[]) => built(args, { cwd: folder.dir })
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
