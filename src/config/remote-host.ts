import type { HostKind, Options } from './options.js'
import { isAddress, isPrivate } from './remote-address.js'

/** Where the pull requests of a repository are. */
export interface HostConfig {
  readonly kind: HostKind
  /** The base address of its API, without a slash at its end. */
  readonly api: string
  /** The base address of its pages. */
  readonly web: string
  /** The repository there, such as `shop/site`. */
  readonly project: string
  /** The absolute path of a file with an access token; without one, there are only links. */
  readonly tokenFile: string | null
}

const KNOWN: ReadonlyMap<string, HostKind> = new Map([
  ['github.com', 'github'],
  ['gitlab.com', 'gitlab'],
  ['codeberg.org', 'forgejo'],
])
const API: Readonly<Record<HostKind, string>> = {
  github: '/api/v3',
  gitlab: '/api/v4',
  gitea: '/api/v1',
  forgejo: '/api/v1',
}
const GITHUB = { web: 'https://github.com', api: 'https://api.github.com' }

/** The host that options name, or that the address of the repository does; null for none. Refused options may have any value. */
export function toHost({ storage, git }: Options): Omit<HostConfig, 'tokenFile'> | null {
  const place = toPlace(storage?.git?.remote)
  const kind = git?.host?.kind ?? KNOWN.get(place?.name ?? '') ?? null
  if (place === null || kind === null) return null
  // Groups of GitLab can be nested; elsewhere a repository has one owner, and what is before it is the path of the host.
  const [path, project] =
    kind === 'gitlab' ? [[], place.steps] : [place.steps.slice(0, -2), place.steps.slice(-2)]
  const home = [place.origin, ...path].join('/')
  const own = home === GITHUB.web ? GITHUB.api : home + API[kind]
  const api = String(git.host.api ?? own).replace(/\/$/, '')
  const web = api === GITHUB.api ? GITHUB.web : api.replace(/\/api\/v\d+$/, '')
  return { kind, api, web, project: project.join('/') }
}

/** What is wrong with options about proposals, with their names. */
export function* judgeHost(options: Options): Generator<{ names: string[]; what: string }> {
  const { mode, host } = options.git
  const { remote } = options.storage.git
  const given = (['kind', 'api', 'token_file'] as const).filter((name) => host[name] !== null)
  const names = given.map((name) => `git.host.${name}`)
  const NONE = 'storage.git.remote names no repository.'
  if (remote === null) {
    if (mode !== 'push') yield { names: ['git.mode'], what: `git.mode is ${mode}, and ${NONE}` }
    if (names.length > 0) yield { names, what: `${names.join(' and ')} would have no effect: ${NONE}` }
  } else if (names.length > 0 && toPlace(remote) === null)
    yield { names, what: 'The repository in storage.git.remote is a folder, which is on no host.' }
  else if (names.length > 0 && toHost(options) === null)
    yield { names, what: 'The kind of the host is not known: set git.host.kind.' }
  if (host.api !== null && !isSafe(host.api))
    yield { names: ['git.host.api'], what: 'git.host.api is not an https address without a user.' }
}

/** The host of a repository and the path on it; null for a folder. */
function toPlace(
  remote: unknown,
): { readonly name: string; readonly origin: string; readonly steps: string[] } | null {
  if (typeof remote !== 'string') return null
  // `git@host:path`, the short form of ssh.
  const colon = remote.includes('://') || !isAddress(remote) ? -1 : remote.indexOf(':')
  const full = colon === -1 ? remote : `ssh://${remote.slice(0, colon)}/${remote.slice(colon + 1)}`
  if (!URL.canParse(full)) return null
  const { protocol, hostname: name, origin, pathname } = new URL(full)
  const steps = pathname.split('/').filter(Boolean)
  steps.push((steps.pop() ?? '').replace(/\.git$/, ''))
  if (name === '' || steps.length < 2) return null
  return { name, origin: /^https?:$/.test(protocol) ? origin : `https://${name}`, steps }
}

function isSafe(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { username, password, search, hash } = new URL(address)
  return isPrivate(new URL(address)) && username + password + search + hash === ''
}
