import { createAsk } from './ask-host.js'
import { giteaHost } from './gitea.js'
import { githubHost } from './github.js'
import { gitlabHost } from './gitlab.js'
import type { Host, PullWish } from './pull.js'

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
