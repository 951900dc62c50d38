import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { done, failed, type Result } from '../../model/result.js'
import { createGit, type GitLimits, toReasonOfGit } from '../git/process.js'
import { openRepository, type Repository } from '../git/repository.js'
import { prepareFolder } from './clone-folder.js'
import { type Credentials, toRemoteVariables } from './credentials.js'

/** The repository that a service follows, and where it keeps its clone. */
export interface RemotePlace extends Credentials {
  /** An https, ssh or file address, or a folder. */
  readonly url: string
  readonly branch: string
  /** The absolute folder of the clone, which belongs to the service alone. */
  readonly folder: string
  /** The menus folder from the top of the repository, with `/`. */
  readonly path: string
  /** Whether earlier commits are needed; without them only the present contents of the menus folder are fetched. */
  readonly hasHistory: boolean
  /** The path of a file that is checked out, too. Default: none. */
  readonly usersPath?: string | null
}

/** The command that fetches: all commits, or the present files only, each when it is needed. */
export function toFetchCommand({ hasHistory }: Pick<RemotePlace, 'hasHistory'>): readonly string[] {
  return hasHistory ? FETCH : [...FETCH, '--depth=1', '--filter=blob:none']
}

const FETCH = [
  // It would go on in a process of its own.
  ...['-c', 'gc.autoDetach=false', '-c', 'maintenance.autoDetach=false'],
  ...['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--prune'],
]

/** Git writes and reads contents as they are in commits, whatever the repository's attributes say. */
const AS_COMMITTED = '* -text -ident -filter -working-tree-encoding\n'

/**
 * Opens the clone of a remote in a folder that was taken, or creates an empty one. An incomplete clone continues where it
 * stopped. Settings of the user and of the machine do not apply in it. Only the menus folder is checked out. Throws file
 * system errors.
 */
export async function openClone(place: RemotePlace, limits: GitLimits): Promise<Result<Repository, string>> {
  const { folder, url, branch, path, hasHistory, usersPath = null } = place
  // Git has no way from a part to the whole.
  prepareFolder(folder, `${url}\n${hasHistory ? 'whole' : 'part'}\n`)
  const git = createGit(folder, ALONE, limits)
  const commands = [
    ['init', '--quiet', '--template=', `--initial-branch=${branch}`],
    ['symbolic-ref', 'HEAD', `refs/heads/${branch}`],
    ['config', 'remote.origin.url', url],
    ['config', 'core.sparseCheckout', 'true'],
    // A link could lead out of the clone: it becomes a file with the path of its target.
    ['config', 'core.symlinks', 'false'],
    ['config', 'core.protectHFS', 'true'],
    ['config', 'core.logAllRefUpdates', 'false'],
  ]
  for (const command of commands) {
    const { code, stderr } = await git(command)
    if (code !== 0) return failed(toReasonOfGit(stderr))
  }
  const info = join(folder, '.git', 'info')
  mkdirSync(info, { recursive: true })
  writeFileSync(join(info, 'attributes'), AS_COMMITTED)
  const menus = path === '' ? '/*\n' : `/${toPattern(path)}/\n`
  writeFileSync(
    join(info, 'sparse-checkout'),
    usersPath === null ? menus : `${menus}/${toPattern(usersPath)}\n`,
  )
  const { value, fault } = await openRepository(folder, limits)
  if (fault !== null) return failed(fault.what)
  return done(alone(value))
}

/** A path as a pattern that matches nothing else (gitignore, "PATTERN FORMAT"). */
function toPattern(path: string): string {
  return path.replace(/[\\*?[\]]|[ ]$/g, '\\$&')
}

/** A function that runs git in a clone with what it needs to reach the remote; throws where a secret cannot be read. */
export function reaching({ runWith }: Repository, place: RemotePlace): Repository['run'] {
  return (args, input) => runWith(toRemoteVariables(place.url, place))(args, input)
}

const ALONE = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }

function alone({ runWith, ...repository }: Repository): Repository {
  const own: Repository['runWith'] = (variables) => runWith({ ...ALONE, ...variables })
  return { ...repository, run: own({}), runWith: own }
}
