import type { Result } from '../../../model/result.js'
import { createAsk } from './ask-host.js'
import { giteaHost } from './gitea.js'
import { githubHost } from './github.js'
import { gitlabHost } from './gitlab.js'
import type { Pull } from './pull.js'

/** Where pull requests of the repository are; addresses have no slash at their end. */
export interface HostPlace {
  readonly kind: 'github' | 'gitlab' | 'gitea' | 'forgejo'
  readonly api: string
  readonly web: string
  /** Such as `shop/site`. */
  readonly project: string
  /** Null where no API can be used. */
  readonly tokenFile: string | null
}

/** A pull request that is to be opened. */
export interface PullWish {
  readonly branch: string
  /** The branch that it is for. */
  readonly into: string
  readonly title: string
  /** In Markdown. */
  readonly text: string
}

/** The pull requests of a repository. Faults are words for people. */
export interface Host {
  /** Opens a pull request; where there is an open one already, that is returned. */
  readonly open: (wish: PullWish) => Promise<Result<Pull, string>>
  /** The open ones from branches of the repository itself, and those that were closed lately. */
  readonly list: () => Promise<Result<readonly Pull[], string>>
}

/** Milliseconds for one call. */
const TIMEOUT_MS = 10_000

/** The API of a host; null where no token allows its use. */
export function createHost(
  { kind, api, project, tokenFile }: HostPlace,
  timeout: number = TIMEOUT_MS,
): Host | null {
  if (tokenFile === null) return null
  const [create, scheme] = {
    github: [githubHost, 'Bearer'] as const,
    gitlab: [gitlabHost, 'Bearer'] as const,
    gitea: [giteaHost, 'token'] as const,
    forgejo: [giteaHost, 'token'] as const,
  }[kind]
  return create(createAsk({ api, tokenFile, scheme, timeout }), project)
}

/** The page on which a person opens the pull request of a branch. */
export function toOpeningLink(
  { kind, web, project }: Pick<HostPlace, 'kind' | 'web' | 'project'>,
  { branch, into }: Pick<PullWish, 'branch' | 'into'>,
): string {
  const [from, to] = [branch, into].map((name) => name.split('/').map(encodeURIComponent).join('/'))
  if (kind === 'gitlab') {
    const query = { 'merge_request[source_branch]': branch, 'merge_request[target_branch]': into }
    return `${web}/${project}/-/merge_requests/new?${new URLSearchParams(query)}`
  }
  return `${web}/${project}/compare/${to}...${from}${kind === 'github' ? '?expand=1' : ''}`
}
