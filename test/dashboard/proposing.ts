import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { createJudge, descriptionOf } from '../http/description.js'
import { type OpenSite, openSite } from '../http/sites.js'
import type { HttpAnswer } from '../support/http.js'
import { createHub, type Hub } from '../support/hub.js'
import { type HostKind, type ReplayedHost, replayHost } from '../support/replayed-host.js'
import { gitIn } from '../support/repository.js'
import { closing } from '../support/test.js'
import { ADMIN, API, draftOf, MENU, PROXIED, renamed, type Script, scriptAs } from './managing.js'

/** The menu of a hub. */
export const FILE = 'menus/main.yaml'

/** A service that proposes changes of the menus of a hub, and scripts of its users. */
export async function openOn(
  hub: Hub,
  git: object = {},
  storage: object = {},
): Promise<readonly [as: (user: string) => Promise<Script>, site: OpenSite]> {
  const config = {
    ...PROXIED.config,
    storage: { git: { remote: hub.url, ...storage } },
    git: { mode: 'propose', ...git },
  }
  const site = closing(await openSite({}, { config, adminToken: ADMIN, hasDashboard: true }))
  const judge = createJudge(await descriptionOf(site))
  const as = async (user: string): Promise<Script> => {
    const script = await scriptAs(user, site)
    // Each answer is one that the description declares.
    return async (method, path, asked) => {
      const answer = await script(method, path, asked)
      const place = path.replace(/\?.*/, '').replace(/^\/drafts\/[^/]+/, '/drafts/{id}')
      judge(`${method} ${API}${place}`, answer)
      return answer
    }
  }
  return [as, site]
}

export function hubWith(files: Readonly<Record<string, string>> = {}): Hub {
  return closing(createHub({ [FILE]: MENU, ...files }))
}

/** The same on a host with an API. */
export async function openOnHost(
  kind: HostKind,
  git: object = {},
): Promise<{
  readonly ana: Script
  readonly hub: Hub
  readonly site: OpenSite
  readonly host: ReplayedHost
}> {
  const hub = hubWith()
  const host = await replayHost(kind, hub.url)
  const [as, site] = await openOn(
    hub,
    { host: { kind }, ...git },
    { remote: host.remote, token_file: host.tokenFile },
  )
  return { ana: await as('Ana'), hub, site, host }
}

export interface Proposal {
  readonly branch: string
  readonly commit: string
  readonly title: string
  readonly author: string
  readonly files: readonly string[]
  readonly state: string
  readonly url: string | null
  readonly link: string | null
  readonly comments: number | null
}

export interface Listed {
  readonly proposals: readonly Proposal[]
  readonly away: { readonly what: string; readonly reason: string } | null
}

export async function listOf(script: Script): Promise<Listed> {
  return (await script('GET', '/proposals')).json() as Listed
}

export function propose(script: Script, draft: string, body: object): Promise<HttpAnswer> {
  return script('POST', `${draft}/propose`, { body })
}

/** Proposes that the menu gets a name. */
export async function proposed(script: Script, name: string, title: string): Promise<Proposal> {
  const answer = await propose(script, await draftOf(script, renamed(name)), { title })
  assert.is(answer.status, 201, answer.text)
  return answer.json() as Proposal
}

export function textOn({ git }: Hub, branch: string): string {
  return `${git('show', `${branch}:${FILE}`)}\n`
}

/** Commits a change of the menu on a branch, as a developer does. */
export function pushTo(hub: Hub, branch: string, change: (text: string) => string): void {
  const text = textOn(hub, branch)
  gitIn(hub.work, 'fetch', '--quiet', 'origin', branch)
  gitIn(hub.work, 'checkout', '--quiet', '--detach', 'FETCH_HEAD')
  writeFileSync(join(hub.work, FILE), change(text))
  gitIn(hub.work, 'commit', '--quiet', '--all', '--message', 'By a developer')
  gitIn(hub.work, 'push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`)
  gitIn(hub.work, 'checkout', '--quiet', 'main')
}
