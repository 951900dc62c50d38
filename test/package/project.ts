import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import * as assert from 'uvu/assert'
import { ROOT } from '../readme/readme.js'
import { createMenusFolder, type MenusFolder } from '../support/menus-folder.js'
import { type Running, runProcess, type StartOptions, startProcess } from '../support/process.js'
import { shared } from '../support/shared.js'

/** A file of the package, by its path in it. */
export interface PackedFile {
  readonly path: string
  readonly size: number
  readonly mode: number
}

/** What `npm pack` makes of the project as it is built. */
export interface Packed {
  /** The absolute path of the `.tgz`, which goes with the process. */
  readonly tarball: string
  readonly size: number
  readonly files: readonly PackedFile[]
  /** The names of other packages that it carries within it. */
  readonly bundled: readonly string[]
}

/** Packs once for all files, without building anew: other tests run what is in dist. */
export const pack: () => Promise<Packed> = shared(packNow, async () => {})

async function packNow(): Promise<Packed> {
  const folder = createMenusFolder()
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder.dir]
  const { code, stdout, stderr } = await runProcess('npm', args, { cwd: ROOT, env: npmEnvironment() })
  assert.is(code, 0, stderr)
  const [{ filename, ...packed }] = JSON.parse(stdout) as [Omit<Packed, 'tarball'> & { filename: string }]
  return { ...packed, tarball: join(folder.dir, filename) }
}

/** An empty project with these files; nothing is installed yet. */
export function createProject(files: Readonly<Record<string, string>> = {}): MenusFolder {
  return createMenusFolder({ 'package.json': '{ "name": "site", "private": true }\n', ...files })
}

/** Without a registry, npm would try for minutes. */
const IMPATIENT = ['--fetch-retries=1', '--fetch-retry-mintimeout=500', '--fetch-retry-maxtimeout=2000']

/** Installs as a developer would; what the cache has is not asked for again. Answers what npm said. */
export async function install(project: MenusFolder, ...specifiers: readonly string[]): Promise<string> {
  const args = ['install', ...specifiers, '--no-audit', '--no-fund', '--prefer-offline', ...IMPATIENT]
  const env = npmEnvironment()
  const { code, stdout, stderr } = await runProcess('npm', args, { cwd: project.dir, env })
  assert.is(code, 0, stderr)
  return stdout + stderr
}

interface Outcome {
  readonly code: number | null
  readonly stdout: string
}

/** Starts the `menuscript` of a project as `npx` does, from what is installed only. */
export function startNpx(project: MenusFolder, ...args: readonly string[]): Running {
  // npm hands a signal to its shell only. sh would die of it and leave the command alone; bash has become the command.
  const env = { ...npmEnvironment(), npm_config_script_shell: 'bash' }
  return startProcess('npx', ['--no-install', 'menuscript', ...args], { cwd: project.dir, env })
}

/** Runs `npx --no-install menuscript` to its end. */
export async function npx(project: MenusFolder, ...args: readonly string[]): Promise<Outcome> {
  const child = startNpx(project, ...args)
  const { code } = await child.ended
  return { code, stdout: child.stdout() }
}

/** Runs what `npx` finds, in a fifth of its time. */
export async function installed(project: MenusFolder, ...args: readonly string[]): Promise<Outcome> {
  const command = join(project.dir, 'node_modules/.bin/menuscript')
  const { code, stdout } = await runProcess(command, args, { cwd: project.dir, env: npmEnvironment() })
  return { code, stdout }
}

/** A package in node_modules, at whatever depth. */
export interface Installed {
  readonly name: string
  readonly version: string
  readonly folder: string
  readonly scripts: readonly string[]
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly scripts?: Readonly<Record<string, string>>
}

/** The package.json of a package, by its path in node_modules; there are others, deeper in packages. */
const MANIFEST = /(^|\/node_modules\/)(@[^/]+\/)?[^/@]+\/package\.json$/

/** Every package that has a folder of its own in node_modules, nested ones too. */
export function installedPackages(project: MenusFolder): readonly Installed[] {
  const modules = join(project.dir, 'node_modules')
  return filesBelow(modules)
    .filter((path) => MANIFEST.test(path))
    .map((path) => {
      const {
        name,
        version,
        scripts = {},
      } = JSON.parse(readFileSync(join(modules, path), 'utf8')) as Manifest
      return { name, version, folder: dirname(path), scripts: Object.keys(scripts) }
    })
}

/** All files below a folder, with `/`, in a fixed order. */
export function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .split(sep)
        .join('/'),
    )
    .sort()
}

/** What `npm test` tells the scripts that it runs is not for the npm that they run. */
export function npmEnvironment(): NonNullable<StartOptions['env']> {
  const kept = /^npm_config_(cache|registry|userconfig|globalconfig|cafile|(https?_|no)?proxy)$/
  const told = Object.keys(process.env).filter((name) => /^npm_|^INIT_CWD$/.test(name) && !kept.test(name))
  return Object.fromEntries(told.map((name) => [name, undefined]))
}
