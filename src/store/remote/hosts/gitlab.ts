import type { JsonMap } from '../../../model/json.js'
import type { AskHost } from './ask-host.js'
import { type Host, listPulls, openPull, type Pull, toPull } from './pull.js'

/** GitLab (REST API v4, "Merge requests"). */
export function gitlabHost(ask: AskHost, project: string): Host {
  const merges = `/projects/${encodeURIComponent(project)}/merge_requests`
  const read = (value: JsonMap): Pull | null =>
    value['source_project_id'] === value['target_project_id']
      ? toPull({
          ...{ branch: value['source_branch'], commit: value['sha'], number: value['iid'] },
          ...{ url: value['web_url'], title: value['title'], comments: value['user_notes_count'] },
          isOpen: value['state'] === 'opened',
        })
      : null
  const states = ['opened', 'closed', 'merged'].map(
    (state) => `${merges}?state=${state}&order_by=updated_at&per_page=50`,
  )
  const list: Host['list'] = () => listPulls(ask, states, read)
  return {
    open: ({ branch, into, title, text }) => {
      const body = { title, source_branch: branch, target_branch: into, description: text }
      return openPull(ask, { path: merges, body, exists: 409 }, read, list, branch)
    },
    list,
  }
}
