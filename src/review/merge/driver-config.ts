import { dirname, resolve } from 'node:path'
import { findConfigFile, isModule } from '../../config/config-file.js'
import type { Environment } from '../../config/environment.js'
import { type Config, loadConfig } from '../../config/load-config.js'
import { namedConfig } from '../../store/git/driver-settings.js'

/** The driver does not know limits set in code: their highest values (config.schema.json). */
const MOST = {
  'limits.items': 10_000,
  'limits.levels': 64,
  'limits.bytes': 8_388_608,
  'limits.context_keys': 100,
}

/**
 * The configuration under which the merge driver judges a file: the one named here, or for the file's site by `git setup`,
 * else the nearest above the file, since one repository may hold several sites. A module is never loaded: git merges other
 * people's work while their files are in the work tree. Instead, the widest limits apply; no other option can cause an error
 * in a file.
 *
 * @param folder the top of the work tree, at which `path` starts.
 */
export async function loadDriverConfig(
  folder: string,
  named: string | null,
  path: string,
  environment: Environment,
): Promise<Config> {
  const given = named ?? (await namedConfig(folder, path))
  const base = given === null ? nearestFolder(folder, path) : folder
  const file = given === null ? findConfigFile(base).file : resolve(base, given)
  return file !== null && isModule(file)
    ? loadConfig({ folder: base, file: false, environment, flags: MOST })
    : loadConfig({ folder: base, file, environment, flags: {} })
}

/** The nearest folder on the way up from a file that has a configuration. */
function nearestFolder(top: string, path: string): string {
  for (let folder = dirname(path); folder !== '.' && folder !== dirname(folder); folder = dirname(folder)) {
    const { file, problems } = findConfigFile(resolve(top, folder))
    if (file !== null || problems.length > 0) return resolve(top, folder)
  }
  return top
}
