import type { JsonMap } from '../../../model/json.js'
import type { AskHost } from './ask-host.js'
import { type Host, listPulls, openPull, type Pull, toPull, within } from './pull.js'

/** Gitea and Forgejo (API v1, "repository"). */
export function giteaHost(ask: AskHost, project: string): Host {
  const pulls = `/repos/${project}/pulls`
  const read = (value: JsonMap): Pull | null =>
    within(value['head'], 'repo_id') === within(value['base'], 'repo_id')
      ? toPull({
          // Once its branch is deleted, `ref` names the pull request.
          branch: within(value['head'], 'label'),
          commit: within(value['head'], 'sha'),
          ...{ number: value['number'], url: value['html_url'], title: value['title'] },
          ...{ isOpen: value['state'] === 'open', comments: value['comments'] },
        })
      : null
  const states = ['open', 'closed'].map((state) => `${pulls}?state=${state}&sort=recentupdate&limit=50`)
  const list: Host['list'] = () => listPulls(ask, states, read)
  return {
    open: ({ branch, into, title, text }) => {
      const body = { title, head: branch, base: into, body: text }
      return openPull(ask, { path: pulls, body, exists: 409 }, read, list, branch)
    },
    list,
  }
}
