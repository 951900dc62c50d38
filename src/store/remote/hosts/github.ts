import { isMap } from '../../../model/json.js'
import { createTurns } from '../../turns.js'
import type { AskHost } from './ask-host.js'
import { createPulls, type Dialect, type Host, type Pull, toPull, within } from './pull.js'

/** Pull requests whose comments are counted: lists have no numbers of comments, and each takes a call. */
const MAX_COUNTED = 20

/** GitHub, and GitHub Enterprise Server (REST API, version 2022-11-28, "Pulls"). */
export function githubHost(ask: AskHost, project: string): Host {
  const path = `/repos/${project}/pulls`
  const read: Dialect['read'] = ({ head, base, number, html_url: url, title, state, ...talk }) => {
    if (within(head, 'repo', 'full_name') !== within(base, 'repo', 'full_name')) return null
    const [branch, commit] = [within(head, 'ref'), within(head, 'sha')]
    const counts = [talk['comments'], talk['review_comments']].map(Number)
    const comments = counts.reduce((sum, each) => sum + each, 0)
    const isKnown = Number.isInteger(comments)
    return toPull({
      ...{ branch, commit, number, url, title, isOpen: state === 'open' },
      comments: isKnown ? comments : null,
    })
  }
  const host = createPulls(ask, {
    ...{ path, read, exists: 422 },
    queries: ['open', 'closed'].map((state) => `?state=${state}&sort=updated&direction=desc&per_page=50`),
    toBody: ({ branch, into, title, text }) => ({ title, head: branch, base: into, body: text }),
  })
  const inTurn = createTurns(4)
  const counted = async (pull: Pull): Promise<Pull> => {
    const { value } = await ask({ path: `${path}/${pull.number}` })
    return (value?.status === 200 && isMap(value.json) ? read(value.json) : null) ?? pull
  }
  return {
    ...host,
    list: async () => {
      const { value: pulls, fault } = await host.list()
      if (fault !== null) return { value: null, fault }
      const some = new Set(pulls.filter(({ isOpen }) => isOpen).slice(0, MAX_COUNTED))
      const all = pulls.map((pull) => (some.has(pull) ? inTurn(() => counted(pull)) : pull))
      return { value: await Promise.all(all), fault: null }
    },
  }
}
