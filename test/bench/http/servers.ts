import { join } from 'node:path'
import { startService } from '../../hostile/http/built-service.js'
import { get, type HttpAnswer } from '../../support/http.js'
import { createMenusFolder } from '../../support/menus-folder.js'
import { type Running, startProcess } from '../../support/process.js'

/** A server in a process of its own. */
export interface Server {
  readonly url: string
  /** Microseconds of the processor that its process has used, in all of its threads. */
  readonly cpu: () => Promise<number>
  readonly stop: () => Promise<void>
}

const TELLER = new URL('cpu-teller.mjs', import.meta.url).href
const RAW_SERVER = join(import.meta.dirname, 'raw-server.mjs')
/** What Node writes into each answer by itself. */
const OF_NODE = /^(date|connection|keep-alive)$/i

/** Starts `dist/cli.js serve` over these files. */
export async function startOurs(files: Readonly<Record<string, string>>): Promise<Server> {
  const service = await startService(files, { NODE_OPTIONS: `--import ${TELLER}` })
  const stop = async (): Promise<void> => {
    await service.stop()
    service.folder.close()
  }
  return { url: service.url, cpu: createCpu(service), stop }
}

/** Starts plain node:http that writes the same bytes under the same headers as an answer. */
export async function startRaw({ status, rawHeaders, body }: HttpAnswer): Promise<Server> {
  const lines = rawHeaders.filter((_, place) => !OF_NODE.test(rawHeaders[place - (place % 2)] ?? ''))
  const answer = JSON.stringify({ status, lines, body: body.toString('base64') })
  const folder = createMenusFolder({ 'answer.json': answer })
  const running = startProcess('node', ['--import', TELLER, RAW_SERVER, join(folder.dir, 'answer.json')])
  const [, url = ''] = await running.waitFor(/^listening on (\S+)$/m)
  const stop = async (): Promise<void> => {
    await running.stop()
    folder.close()
  }
  return { url, cpu: createCpu(running), stop }
}

function createCpu({ send, waitFor }: Running): Server['cpu'] {
  let asked = 0
  return async () => {
    asked++
    send('SIGUSR2')
    const [, microseconds] = await waitFor(new RegExp(`^cpu ${asked} (\\d+)$`, 'm'))
    return Number(microseconds)
  }
}

/** What a server answers once it has made all that it keeps, such as compressed bodies. */
export async function settledAnswer(
  url: string,
  target: string,
  headers: Readonly<Record<string, string>>,
): Promise<HttpAnswer> {
  for (let left = 20; left > 0; left--) await get(url, { target, headers })
  return get(url, { target, headers })
}
