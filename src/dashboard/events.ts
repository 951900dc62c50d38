import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Snapshot } from '../model/snapshot.js'
import type { Drafts } from '../store/drafts/open-drafts.js'
import { sendHead, toLines } from '../web/head.js'
import { type Headers, type HttpProblem, sendProblem } from '../web/problem-json.js'
import { stateOf, toEditors } from './deeds/file-states.js'
import { problemOf } from './refusal.js'

/** A request for events by someone who may have them. */
export interface Listener {
  readonly request: IncomingMessage
  readonly user: string
  /** Whether they are still allowed to; rejects if that cannot be determined. */
  readonly mayStay: () => Promise<boolean>
}

/** The open streams of server-sent events (HTML, "Server-sent events"): what is served now, and who edits what. */
export interface EventStreams {
  /** Answers a request with events until it ends. */
  readonly open: (listener: Listener, response: ServerResponse) => void
  /** Somebody may have changed a draft here. */
  readonly noteDrafts: () => void
  /** How many are open. */
  readonly count: () => number
  /** Ends all of them, and refuses later ones. */
  readonly close: () => void
}

export interface EventStreamsDeps {
  readonly current: () => Snapshot
  readonly onChange: (listener: (snapshot: Snapshot) => void) => () => void
  readonly drafts: Drafts
  /** Connections that a server may have open: streams leave most of them to others. */
  readonly connections: number
  /** Default: EVENT_LIMITS. */
  readonly limits?: EventLimits
}

/** Times in milliseconds. */
export interface EventLimits {
  /** How often the folder of drafts is read: other processes change it without a signal. */
  readonly poll: number
  /** Between two signs of life: less than the silence after which servers and proxies close a connection. */
  readonly beat: number
  /** The timeout for a client that stops reading; Node waits twice, because what the kernel took is progress. */
  readonly stalled: number
  /** After which a client must come back. */
  readonly age: number
  /** Bytes that all clients together have not taken yet. */
  readonly unread: number
}

export const EVENT_LIMITS: EventLimits = {
  ...{ poll: 2_500, beat: 10_000, stalled: 15_000, age: 3_600_000 },
  unread: 8_388_608,
}
const NOTED_MS = 100
/** After which browsers come back. */
const RETRY_MS = 3_000
const MAX_STREAMS = 100
/** A person has a few tabs open, in a few browsers. */
const MAX_OF_USER = 20

const HEADERS: Headers = {
  'content-type': 'text/event-stream',
  // Compression would keep events back until there are enough of them.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
}

interface Stream extends Omit<Listener, 'request'> {
  readonly response: ServerResponse
  readonly since: number
  isAsked: boolean
}

/** Opens no stream yet, and keeps no timer while there is none. */
export function createEventStreams({
  current,
  onChange,
  drafts,
  connections,
  limits = EVENT_LIMITS,
}: EventStreamsDeps): EventStreams {
  const streams = new Set<Stream>()
  const max = Math.max(1, Math.min(MAX_STREAMS, Math.floor(connections / 4)))
  let seen = current()
  let editors = ''
  let timers: readonly NodeJS.Timeout[] = []
  let noted: NodeJS.Timeout | undefined
  let isClosed = false

  const send = ({ response }: Stream, text: string): void => {
    if (response.destroyed || response.writableEnded) return
    response.write(text)
  }
  /** Drops those who have most to take yet, until the rest is not too much. They come back and get what is served then. */
  const relieve = (): void => {
    const waiting = [...streams].map(({ response }) => response).filter(({ destroyed }) => !destroyed)
    let unread = waiting.reduce((sum, { writableLength }) => sum + writableLength, 0)
    for (const response of waiting.sort((a, b) => b.writableLength - a.writableLength)) {
      if (unread <= limits.unread) return
      unread -= response.writableLength
      response.destroy()
    }
  }
  const sendAll = (text: string): void => {
    for (const stream of streams) send(stream, text)
    // Node holds the bytes back until the end of this turn.
    setImmediate(relieve)
  }
  const poll = (): void => {
    try {
      const now = toEvent('drafts', { drafts: toEditors(drafts.list()) })
      if (now === editors) return
      editors = now
      sendAll(now)
    } catch {
      // The folder cannot be read at the moment. Requests for a draft report that.
    }
  }
  const beat = (): void => {
    for (const stream of streams) {
      // A stream that cannot be checked in that time ends.
      if (performance.now() - stream.since > limits.age || stream.isAsked) stream.response.end()
      else void ask(stream)
      send(stream, ':\n\n')
    }
  }
  onChange((snapshot) => {
    const before = seen
    seen = snapshot
    if (streams.size > 0) sendAll(toRevision(snapshot, before))
  })
  const start = (): void => {
    if (timers.length === 0) timers = [setInterval(poll, limits.poll), setInterval(beat, limits.beat)]
  }
  const stop = (): void => {
    for (const timer of timers) clearInterval(timer)
    clearTimeout(noted)
    timers = []
    noted = undefined
  }

  return {
    open: ({ request, user, mayStay }, response) => {
      const own = [...streams].filter((stream) => stream.user === user).length
      const fault = isClosed || streams.size >= max ? TOO_MANY : own >= MAX_OF_USER ? TOO_MANY_OF_ONE : null
      if (fault !== null && request.method !== 'HEAD') return sendProblem(request, response, fault)
      sendHead(response, 200, toLines(HEADERS))
      if (request.method === 'HEAD') return void response.end()
      const stream: Stream = { response, user, mayStay, since: performance.now(), isAsked: false }
      response.setTimeout(limits.stalled, () => response.writableLength > 0 && response.destroy())
      response.once('close', () => {
        streams.delete(stream)
        if (streams.size === 0) stop()
      })
      poll()
      streams.add(stream)
      start()
      send(stream, `retry: ${RETRY_MS}\n\n`)
      if (request.headers['last-event-id'] !== seen.revision) send(stream, toRevision(seen, null))
      send(stream, editors)
      setImmediate(relieve)
    },
    noteDrafts: () => {
      if (streams.size === 0) return
      noted ??= setTimeout(() => {
        noted = undefined
        poll()
      }, NOTED_MS)
    },
    count: () => streams.size,
    close: () => {
      isClosed = true
      stop()
      for (const { response } of streams) {
        // What waits for its client would hold the end up.
        if (response.writableLength > 0) response.destroy()
        else response.end()
      }
    },
  }
}

async function ask(stream: Stream): Promise<void> {
  stream.isAsked = true
  const mayStay = await stream.mayStay().catch(() => false)
  stream.isAsked = false
  if (!mayStay) stream.response.end()
}

/** What is served, where `before` is null; else the files that changed since, of which those with null are gone. */
function toRevision(now: Snapshot, before: Snapshot | null): string {
  const known = new Map(before === null ? [] : toFiles(before))
  const files = toFiles(now).filter(([path, { version, state }]) => {
    const other = known.get(path)
    known.delete(path)
    return version !== other?.version || state !== other.state
  })
  const gone = [...known.keys()].map((file) => ({ file, version: null, state: null }))
  const { revision } = now
  const data = { revision, isWhole: before === null, files: [...files.map(([, file]) => file), ...gone] }
  return `id: ${revision}\n${toEvent('revision', data)}`
}

function toFiles(snapshot: Snapshot) {
  return snapshot.files.map(
    ({ path, version }) => [path, { file: path, version, state: stateOf(snapshot, path) }] as const,
  )
}

/** JSON has no line breaks, so the data is one line. */
function toEvent(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

const TOO_MANY_OF_ONE: HttpProblem = problemOf('too-many-streams')
const TOO_MANY: HttpProblem = {
  ...TOO_MANY_OF_ONE,
  status: 503,
  detail: 'Too many clients follow events, or the service is stopping. Poll the menus instead.',
}
