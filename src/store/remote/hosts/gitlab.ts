import type { AskHost } from './ask-host.js'
import { createPulls, type Host, toPull } from './pull.js'

/** GitLab (REST API v4, "Merge requests"). */
export function gitlabHost(ask: AskHost, project: string): Host {
  return createPulls(ask, {
    path: `/projects/${encodeURIComponent(project)}/merge_requests`,
    queries: ['opened', 'closed', 'merged'].map((state) => `?state=${state}&order_by=updated_at&per_page=50`),
    toBody: ({ branch, into, title, text }) => {
      return { title, source_branch: branch, target_branch: into, description: text }
    },
    read: (value) => {
      if (value['source_project_id'] !== value['target_project_id']) return null
      const { source_branch: branch, sha: commit, iid: number, web_url: url, title, state } = value
      const { user_notes_count: comments } = value
      return toPull({ branch, commit, number, url, title, isOpen: state === 'opened', comments })
    },
    exists: 409,
  })
}
