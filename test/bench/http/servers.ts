import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startService } from '../../hostile/http/built-service.js'
import { get, type HttpAnswer } from '../../support/http.js'
import { createMenusFolder } from '../../support/menus-folder.js'
import { startProcess } from '../../support/process.js'
import { processTime, threadTime } from '../processor.js'

/** A server in a process of its own. */
export interface Server {
  readonly url: string
  /** Microseconds of the processor that its process has used, in all of its threads. */
  readonly cpu: () => number
  readonly stop: () => Promise<void>
}

const RAW_SERVER = join(import.meta.dirname, 'raw-server.mjs')
/** What Node writes into each answer by itself. */
const OF_NODE = /^(date|connection|keep-alive)$/i

/** Milliseconds until a service has loaded what it does not need for its first answers, and collected the garbage of that. */
const UNTIL_LOADED = 1_500

/** A service of ours. */
export interface OurServer extends Server {
  /** Milliseconds of the processor from its start until it listened. */
  readonly starting: number
  /** Bytes of memory that it has now. */
  readonly resident: () => number
}

/** Starts `dist/cli.js serve` over these files. */
export async function startOurs(files: Readonly<Record<string, string>>): Promise<OurServer> {
  const service = await startService(files, { NODE_OPTIONS: '' })
  const stop = async (): Promise<void> => {
    await service.stop()
    service.folder.close()
  }
  const { url, pid, resident } = service
  const starting = processTime(pid)
  await sleep(UNTIL_LOADED)
  return { url, cpu: () => threadTime(pid), starting, resident, stop }
}

/** Starts plain node:http that writes the same bytes under the same headers as an answer. */
export async function startRaw({ status, rawHeaders, body }: HttpAnswer): Promise<Server> {
  const lines = rawHeaders.filter((_, place) => !OF_NODE.test(rawHeaders[place - (place % 2)] ?? ''))
  const answer = JSON.stringify({ status, lines, body: body.toString('base64') })
  const folder = createMenusFolder({ 'answer.json': answer })
  const running = startProcess('node', [RAW_SERVER, join(folder.dir, 'answer.json')])
  const [, url = ''] = await running.waitFor(/^listening on (\S+)$/m)
  const stop = async (): Promise<void> => {
    await running.stop()
    folder.close()
  }
  return { url, cpu: () => threadTime(running.pid), stop }
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
