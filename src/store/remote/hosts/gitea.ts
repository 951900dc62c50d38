import type { AskHost } from './ask-host.js'
import { createPulls, type Host, toPull, within } from './pull.js'

/** Gitea and Forgejo (API v1, "repository"). */
export function giteaHost(ask: AskHost, project: string): Host {
  return createPulls(ask, {
    path: `/repos/${project}/pulls`,
    queries: ['open', 'closed'].map((state) => `?state=${state}&sort=recentupdate&limit=50`),
    toBody: ({ branch, into, title, text }) => ({ title, head: branch, base: into, body: text }),
    read: ({ head, base, number, html_url: url, title, state, comments }) => {
      if (within(head, 'repo_id') !== within(base, 'repo_id')) return null
      // Once its branch is deleted, `ref` names the pull request.
      const [branch, commit] = [within(head, 'label'), within(head, 'sha')]
      return toPull({ branch, commit, number, url, title, isOpen: state === 'open', comments })
    },
    exists: 409,
  })
}
