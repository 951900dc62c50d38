import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const APT = '/usr/bin/apt-get'
/** Where programs are that are not in everybody's path. */
const USUAL = ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin']

/**
 * The path of a program that tests need; as root, where there is apt-get, its package is installed. Throws in one line
 * where there is none.
 */
export function prepareProgram(name: string, packageName: string): string {
  const found = findOrInstall(() => findProgram(name), packageName)
  if (found === null)
    throw new Error(`There is no ${name} to test with: install one (apt-get install ${packageName}).`)
  return found
}

/** What a search finds, where need be after a package was installed; null where there is still nothing. */
export function findOrInstall(find: () => string | null, packageName: string): string | null {
  const found = find()
  if (found !== null) return found
  installPackage(packageName)
  return find()
}

/** Installs a package where we may, one process after the other. The output goes to stderr; no server is started. */
function installPackage(name: string): void {
  if (process.getuid?.() !== 0 || !existsSync(APT)) return
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const install = ['install', '--yes', '--no-install-recommends', name]
  for (const words of [['update'], install]) {
    spawnSync(APT, ['--option', 'DPkg::Lock::Timeout=300', ...words], { stdio: ['ignore', 2, 2], env })
  }
}

function findProgram(name: string): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...USUAL]
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null
}
