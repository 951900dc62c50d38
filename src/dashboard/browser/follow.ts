import { isMap } from '../../model/json.js'
import type { EditorSession } from './editor-session.js'
import { waitFor } from './retry-delay.js'

/** How long events are collected before the page looks, in milliseconds. */
const PAUSE_MS = 300

/** Looks whenever somebody changes the file of a page or a draft of it, be it the same operator in another tab. */
export function followEvents(home: string, session: EditorSession): void {
  const { file, user } = session.data()
  let others: string | null = null
  let timer = 0
  const look = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void session.look(), PAUSE_MS)
  }
  const open = (attempt: number): EventSource => {
    const stream = new EventSource(`${home}/api/events`)
    stream.addEventListener('revision', ({ data }) => {
      const change = listIn(data, 'files').find((each) => each['file'] === file)
      if (change !== undefined && change['version'] !== session.data().disk) look()
    })
    stream.addEventListener('drafts', ({ data }) => {
      const drafts = listIn(data, 'drafts').filter((each) => each['file'] === file)
      const own = drafts.find((each) => each['user'] === user)
      const now = JSON.stringify(drafts.filter((each) => each !== own))
      const isBehind =
        !session.isUnsaved() && !session.isAt(own === undefined ? null : Number(own['revision']))
      if (isBehind || (others !== null && others !== now)) look()
      others = now
    })
    stream.addEventListener('open', () => {
      attempt = 0
    })
    stream.addEventListener('error', async () => {
      // Browsers come back to a stream that broke, but not to one that was refused.
      if (stream.readyState !== EventSource.CLOSED) return
      await waitFor(attempt)
      if (events === stream) events = open(attempt + 1)
    })
    return stream
  }
  let events: EventSource | null = open(0)
  // What is kept of a page that is left ends here, and begins again where it is shown again.
  addEventListener('pagehide', () => {
    events?.close()
    events = null
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload()
  })
}

function listIn(data: string, member: string): readonly Readonly<Record<string, unknown>>[] {
  const value: unknown = JSON.parse(data)
  const list = isMap(value) ? value[member] : null
  return Array.isArray(list) ? list.filter((each) => isMap(each)) : []
}
