import { isMap, type JsonMap } from '../../../model/json.js'
import { createTurns } from '../../turns.js'
import type { AskHost } from './ask-host.js'
import { type Host, listPulls, openPull, type Pull, toPull, within } from './pull.js'

/** Pull requests whose comments are counted; each takes a call. */
const MAX_COUNTED = 20

/** GitHub, and GitHub Enterprise Server (REST API, version 2022-11-28, "Pulls"). */
export function githubHost(ask: AskHost, project: string): Host {
  const pulls = `/repos/${project}/pulls`
  const read = (value: JsonMap): Pull | null => {
    if (within(value['head'], 'repo', 'full_name') !== within(value['base'], 'repo', 'full_name')) return null
    // Lists have no numbers of comments.
    const [talk, review] = [value['comments'], value['review_comments']]
    return toPull({
      branch: within(value['head'], 'ref'),
      commit: within(value['head'], 'sha'),
      ...{ number: value['number'], url: value['html_url'], title: value['title'] },
      isOpen: value['state'] === 'open',
      comments: typeof talk === 'number' && typeof review === 'number' ? talk + review : undefined,
    })
  }
  const inTurn = createTurns(4)
  const counted = (pull: Pull): Promise<Pull> =>
    inTurn(async () => {
      const { value } = await ask({ path: `${pulls}/${pull.number}` })
      return (value?.status === 200 && isMap(value.json) ? read(value.json) : null) ?? pull
    })
  const states = ['open', 'closed'].map(
    (state) => `${pulls}?state=${state}&sort=updated&direction=desc&per_page=50`,
  )
  const list: Host['list'] = () => listPulls(ask, states, read)
  return {
    open: ({ branch, into, title, text }) => {
      const body = { title, head: branch, base: into, body: text }
      return openPull(ask, { path: pulls, body, exists: 422 }, read, list, branch)
    },
    list: async () => {
      const all = await list()
      if (all.fault !== null) return all
      const own = all.value.filter(({ branch }) => branch.startsWith('menus/'))
      const some = own.filter(({ isOpen }) => isOpen).slice(0, MAX_COUNTED)
      const known = new Map(await Promise.all(some.map(async (each) => [each, await counted(each)] as const)))
      return { value: own.map((each) => known.get(each) ?? each), fault: null }
    },
  }
}
