import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

/** A host of files, as any web server is one: it sends and knows ETags. */
export interface StaticSite {
  readonly url: string
  /** What it was asked for, with the status of each response. */
  readonly log: readonly string[]
  readonly close: () => Promise<void>
}

/** Serves the files of some folders, by the first part of the path; `answers` goes first and may refuse with a status. */
export async function openStaticSite(
  folders: Readonly<Record<string, string>>,
  refuses: (request: IncomingMessage) => number | null = () => null,
): Promise<StaticSite> {
  const log: string[] = []
  const server: Server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://a')
    const end = (status: number, body?: Buffer) => {
      log.push(`${pathname} ${status}`)
      response.writeHead(status).end(body)
    }
    const refused = refuses(request)
    if (refused !== null) return end(refused)
    const [, name = '', ...rest] = pathname.split('/')
    try {
      const body = readFileSync(join(folders[name] ?? '/nowhere', ...rest))
      const tag = `"${createHash('sha256').update(body).digest('hex')}"`
      response.setHeader('ETag', tag)
      if (request.headers['if-none-match'] === tag) return end(304)
      response.setHeader(
        'Content-Type',
        TYPES[/\.\w+$/.exec(pathname)?.[0] ?? ''] ?? 'application/octet-stream',
      )
      end(200, body)
    } catch {
      end(404)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, log, close }
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
}
