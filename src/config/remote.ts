import { join, resolve } from 'node:path'
import { type Problem, toProblem } from '../model/problem.js'
import type { Origin } from './layers.js'
import type { Options } from './options.js'
import { isAddress, toUsersPath } from './remote-address.js'
import { type HostConfig, toHost } from './remote-host.js'

/** A remote repository that holds the menus, with all paths absolute. */
export interface RemoteConfig {
  /** An address, or an absolute folder. */
  readonly url: string
  readonly branch: string
  /** The menus folder from the top of the repository, with `/`. */
  readonly path: string
  /** Seconds between two looks at it. */
  readonly seconds: number
  readonly tokenFile: string | null
  readonly keyFile: string | null
  readonly webhookSecretFile: string | null
  readonly knownHosts: string
  /** The folder of the clone. */
  readonly folder: string
  readonly menusFolder: string
  /** Whether earlier commits are needed: for the history of the dashboard. */
  readonly hasHistory: boolean
  /** Whether the repository has the drafts of operators, too. */
  readonly hasDrafts: boolean
  /** The path of the users file in the repository; null for one elsewhere. */
  readonly usersPath: string | null
  readonly committer: {
    readonly name: string
    readonly email: string | null
    readonly signingKey: string | null
  }
  /** Whether publishes are pushed to the branch, or proposed on branches of their own. */
  readonly mode: 'push' | 'propose' | 'both'
  /** Where proposals become pull requests; null where that is not known. */
  readonly host: HostConfig | null
  /** The files above that hold secrets. */
  readonly secretFiles: readonly string[]
}

/** The remote that options name; null for none. Options that their schema refused may have any value. */
export function toRemoteConfig(options: Options, base: string, stateFolder: string): RemoteConfig | null {
  const { git } = options.storage ?? {}
  if (typeof git?.remote !== 'string') return null
  const { remote, branch, path, interval, token_file, ssh_key_file, webhook_secret_file, clone, drafts } = git
  const at = (file: unknown): string | null => (typeof file === 'string' ? resolve(base, file) : null)
  const [tokenFile, keyFile, webhookSecretFile] = [token_file, ssh_key_file, webhook_secret_file].map(at)
  const signingKey = at(options.git?.signing_key_file)
  const folder = at(clone) ?? `${stateFolder}-clone`
  const files = {
    tokenFile: tokenFile ?? null,
    keyFile: keyFile ?? null,
    webhookSecretFile: webhookSecretFile ?? null,
  }
  const { committer_name: name, committer_email: email, mode, host: given } = options.git
  const place = toHost(options)
  const host = place && { ...place, tokenFile: at(given?.token_file) ?? files.tokenFile }
  return {
    ...{
      url: isAddress(remote) ? remote : resolve(base, remote),
      branch,
      path: String(path),
      folder,
      ...files,
    },
    seconds: interval,
    knownHosts: join(stateFolder, 'known_hosts'),
    menusFolder: join(folder, String(path)),
    hasHistory: options.dashboard?.enabled !== false,
    hasDrafts: drafts === 'remote',
    usersPath: toUsersPath(options.dashboard?.users_file),
    committer: { name, email, signingKey },
    ...{ mode, host },
    secretFiles: [...Object.values(files), signingKey, host?.tokenFile ?? null].filter(
      (file) => file !== null,
    ),
  }
}

/** What else says where the menus are: only one of both can be right. */
export function remoteConflicts(origins: ReadonlyMap<string, Origin>): readonly Problem[] {
  const { kind, where } = origins.get('storage.connections') ?? { kind: 'default', where: '' }
  if (kind === 'default') return []
  const what = `${where} names a menus folder, and storage.git.remote a repository.`
  return [toProblem({ code: 'config-conflict', path: where, what, todo: 'Remove one of them.' })]
}
