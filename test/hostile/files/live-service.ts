import { Agent, request } from 'node:http'
import { type Service, serving } from '../../cli/command.js'
import { get } from '../../support/http.js'

export const TOKEN: string = 'a-token-of-at-least-thirty-two-characters'
const ADMIN = { headers: { authorization: `Bearer ${TOKEN}` } }

/** Serves menus, by their path in `menus/`, with an admin token and `rescan_seconds`; default: 5. */
export function withService(
  menus: Readonly<Record<string, string>>,
  test: (service: Service) => Promise<void>,
  rescanSeconds = 5,
): Promise<void> {
  const files = Object.entries(menus).map(([path, text]) => [`menus/${path}`, text] as const)
  const env = {
    MENUSCRIPT_ADMIN_TOKEN: TOKEN,
    MENUSCRIPT_STORAGE_RESCAN_SECONDS: String(rescanSeconds),
  }
  return serving(Object.fromEntries(files), test, { env })
}

/** What `/readyz` says to somebody on this machine. */
export interface Readiness {
  readonly status: string
  readonly revision: string
  readonly errors: number
  readonly stale: number
  readonly problems: readonly { readonly at: string; readonly code: string; readonly what: string }[]
}

export async function readinessOf(url: string): Promise<Readiness & { readonly httpStatus: number }> {
  const answer = await get(`${url}/readyz`)
  return { ...(answer.json() as Readiness), httpStatus: answer.status }
}

/** How many files could not be taken over since the start, as `/metrics` tells it. */
export async function failuresOf(url: string): Promise<number> {
  const { text } = await get(`${url}/metrics`, ADMIN)
  const [, count] = /^(?:menuscript_)?menu_reload_failed_total(?:\{.*\})? (\d+)$/m.exec(text) ?? []
  if (count === undefined) throw new Error(`There is no menu_reload_failed_total in:\n${text}`)
  return Number(count)
}

/** The label of the first item of a menu over HTTP; null when there is no item. */
export async function labelOf(url: string, code = 'main'): Promise<string | null> {
  return labelIn((await get(`${url}/api/menu/${code}`)).text)
}

/** The label of the first entry of an answer; null when it is empty. */
export function labelIn(text: string): string | null {
  const tree = JSON.parse(text) as readonly { readonly label: string }[]
  return tree[0]?.label ?? null
}

/** Asks for a look; answers the status. */
export async function reload(url: string, headers: Record<string, string> = ADMIN.headers): Promise<number> {
  return (await get(`${url}/-/reload`, { method: 'POST', headers, within: 60_000 })).status
}

/** Requests one after another on one connection, until it is ended. */
export interface Visitor {
  /** Milliseconds that each request took. */
  readonly times: readonly number[]
  /** Each answer that was another one than that before it. */
  readonly answers: readonly VisitorAnswer[]
  readonly end: () => Promise<void>
}

export interface VisitorAnswer {
  readonly status: number
  readonly etag: string
  readonly version: string
  readonly text: string
}

/** Asks for a path again and again, with a pause in milliseconds between two requests. */
export function createVisitor(url: string, path: string, pause = 0): Visitor {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: number[] = []
  const answers: VisitorAnswer[] = []
  let ending = false
  const visit = async (): Promise<void> => {
    // The last visit begins once the end was asked for: it sees what was live by then.
    for (let isLast = false; !isLast; ) {
      isLast = ending
      const start = performance.now()
      const answer = await askOn(agent, url + path)
      times.push(performance.now() - start)
      const last = answers.at(-1)
      if (last?.text !== answer.text || last.status !== answer.status || last.etag !== answer.etag) {
        answers.push(answer)
      }
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause))
    }
    agent.destroy()
  }
  const visiting = visit()
  const end = (): Promise<void> => {
    ending = true
    return visiting
  }
  // Whoever ends it hears of a failure; until then it is kept.
  visiting.catch(() => {})
  return { times, answers, end }
}

function askOn(agent: Agent, url: string): Promise<VisitorAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent }, (message) => {
      let text = ''
      message.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      message.on('error', reject)
      message.on('end', () => {
        const { etag = '', 'menu-version': version = '' } = message.headers
        resolve({ status: message.statusCode ?? 0, etag, version: String(version), text })
      })
    })
    sent.on('error', reject)
    sent.setTimeout(30_000, () => sent.destroy(new Error(`No answer of ${url} within 30 s.`)))
    sent.end()
  })
}
