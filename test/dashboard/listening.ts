import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { eventually } from '../support/eventually.js'

/** An event as it was sent. */
export interface SentEvent {
  readonly event: string
  readonly id: string | null
  readonly data: Readonly<Record<string, unknown>>
}

/** A client of server-sent events while it listens. */
export interface Listening {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly events: readonly SentEvent[]
  /** All that came. */
  readonly text: () => string
  /** Waits for the next event of a kind that nobody waited for yet. */
  readonly next: (event: string) => Promise<SentEvent['data']>
  /** Resolves when the answer is over: whether it came to its end. */
  readonly ended: Promise<boolean>
  readonly leave: () => void
}

/** Asks for events, on a connection of its own. */
export function listenTo(
  url: string,
  headers: OutgoingHttpHeaders = {},
  method: string = 'GET',
): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, method, agent: false }, (answer) => {
      let text = ''
      const events: SentEvent[] = []
      let rest = ''
      const taken = new Map<string, number>()
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part
        const blocks = (rest + part).split('\n\n')
        rest = blocks.pop() ?? ''
        events.push(...blocks.flatMap((block) => toSent(block) ?? []))
      })
      const next: Listening['next'] = async (event) => {
        const count = taken.get(event) ?? 0
        const found = await eventually(() => {
          const each = events.filter((sent) => sent.event === event)[count]
          if (each === undefined) throw new Error(`no ${event} among ${JSON.stringify(events)}`)
          return each
        })
        taken.set(event, count + 1)
        return found.data
      }
      const ended = new Promise<boolean>((over) => {
        answer.on('error', () => {}).on('close', () => over(answer.complete))
      })
      const { statusCode: status = 0 } = answer
      const leave = () => void sent.destroy()
      resolve({ status, headers: answer.headers, events, text: () => text, next, ended, leave })
    })
    sent.on('error', reject).end()
  })
}

/** Null for what is no event, such as a comment. */
function toSent(block: string): SentEvent | null {
  const fields = new Map(
    block.split('\n').map((line) => {
      const [, name = '', value = ''] = /^(\w*): ?(.*)$/.exec(line) ?? []
      return [name, value] as const
    }),
  )
  const [event, data] = [fields.get('event'), fields.get('data')]
  if (event === undefined || data === undefined) return null
  return { event, id: fields.get('id') ?? null, data: JSON.parse(data) }
}
