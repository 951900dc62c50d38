import { fileURLToPath } from 'node:url'
import { createMenusFolder, type MenusFolder } from '../support/menus-folder.js'
import { type Running, runProcess, type StartOptions, startProcess } from '../support/process.js'

/** What starts the command as `npm run build` makes it, wherever the child's folder is. */
export const PROGRAM: readonly string[] = [fileURLToPath(new URL('../../dist/cli.js', import.meta.url))]

/** What a command answered. */
export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs `menuscript` to its end. */
export function menuscript(args: readonly string[], options: StartOptions = {}): Promise<Outcome> {
  return runProcess('node', [...PROGRAM, ...args], withCleanEnvironment(options))
}

/** Starts `menuscript` and does not wait for its end. */
export function startMenuscript(args: readonly string[], options: StartOptions = {}): Running {
  return startProcess('node', [...PROGRAM, ...args], withCleanEnvironment(options))
}

/** Runs `menuscript` in a folder with these files, which goes with it. */
export async function menuscriptOn(
  files: Readonly<Record<string, string>>,
  args: readonly string[],
  options: StartOptions = {},
): Promise<Outcome> {
  const folder = createMenusFolder(files)
  const outcome = await menuscript(args, { ...options, cwd: folder.dir })
  folder.close()
  return outcome
}

/** A service that was started by the command, and has said where it listens. */
export interface Service extends Running {
  readonly url: string
  readonly folder: MenusFolder
}

/** Serves a folder with these files on a free port while the test runs; service and folder are gone behind it. */
export async function serving(
  files: Readonly<Record<string, string>>,
  test: (service: Service) => Promise<void>,
  { args = [], env = {} }: { readonly args?: readonly string[]; readonly env?: StartOptions['env'] } = {},
): Promise<void> {
  const folder = createMenusFolder(files)
  const child = startMenuscript(['serve', '--port', '0', ...args], { cwd: folder.dir, env: { ...env } })
  try {
    const [, url = ''] = await child.waitFor(/^listening on (\S+)$/m)
    await test({ ...child, url, folder })
  } finally {
    await child.stop()
    folder.close()
  }
}

/** Options of ours in the environment of whoever runs the tests would be options of the tests. */
function withCleanEnvironment(options: StartOptions): StartOptions {
  const ours = Object.keys(process.env).filter((name) => name === 'PORT' || name.startsWith('MENUSCRIPT_'))
  return { ...options, env: { ...Object.fromEntries(ours.map((name) => [name, undefined])), ...options.env } }
}

/** A small menu file: a code, and a name that tells its versions apart. */
export function menuText(code: string, name: string = code): string {
  return `version: 1\ncode: ${code}\nname: ${name}\nitems:\n  - label: ${name}\n    url: /${code}\n`
}
