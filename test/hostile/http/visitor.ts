import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** What a visitor got, who asks again and again. */
export interface Visits {
  /** Milliseconds of each answered request. */
  readonly times: number[]
  /** What was not a whole 200, in words. */
  readonly failures: string[]
}

/** Asks for a path on a connection that is kept, every some milliseconds, while some work lasts. */
export async function visitDuring(
  url: string,
  work: () => Promise<void>,
  {
    pause = 10,
    agent = new Agent({ keepAlive: true, maxSockets: 1 }),
  }: { pause?: number; agent?: Agent } = {},
): Promise<Visits> {
  const visits: Visits = { times: [], failures: [] }
  let over = false
  const visiting = (async () => {
    while (!over) {
      const begun = performance.now()
      const outcome = await statusOf(url, agent)
      if (outcome === '200') visits.times.push(performance.now() - begun)
      else visits.failures.push(outcome)
      await sleep(pause)
    }
  })()
  try {
    await work()
  } finally {
    over = true
    await visiting
    agent.destroy()
  }
  return visits
}

/** The status of an answer that came whole; else what went wrong. */
export function statusOf(
  url: string,
  agent: Agent,
  onSent: (isKept: boolean) => void = () => {},
): Promise<string> {
  return new Promise((resolve) => {
    const sent = request(url, { agent }, (message) => {
      message.resume()
      message.on('error', (error: NodeJS.ErrnoException) => resolve(`torn: ${error.code}`))
      message.on('end', () => resolve(message.complete ? String(message.statusCode) : 'torn'))
    })
    sent.on('finish', () => onSent(sent.reusedSocket))
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    sent.setTimeout(60_000, () => sent.destroy(new Error('no answer within a minute')))
    sent.end()
  })
}
