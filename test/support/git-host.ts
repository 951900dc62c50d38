import { spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createHub, type Hub } from './hub.js'

/** A hub that clients reach over HTTP with a user name and a token, served by `git http-backend`. */
export interface GitHost {
  readonly hub: Hub
  /** The address of the repository. */
  readonly url: string
  /** The `Authorization` headers that came, in order; an empty one for none. */
  readonly seen: readonly string[]
  /** Has the host accept another token from now on. */
  readonly setToken: (token: string) => void
  /** Has the host accept requests and never answer them, or no longer. */
  readonly hang: (hangs: boolean) => void
  /** Has the host send clients to another address, or no longer. */
  readonly redirect: (url: string | null) => void
  readonly close: () => Promise<void>
}

/** Opens a host with these files on `main`; with `tls`, the PEM texts of a key and its certificate, for https. */
export async function openGitHost(
  files: Readonly<Record<string, string>>,
  firstToken: string,
  tls: { readonly key: string; readonly cert: string } | null = null,
): Promise<GitHost> {
  const hub = createHub(files)
  hub.git('config', 'http.receivepack', 'true')
  hub.git('config', 'uploadpack.allowFilter', 'true')
  const seen: string[] = []
  let token = firstToken
  let target: string | null = null
  let isHanging = false
  const answer: RequestListener = (request, response) => {
    const { authorization = '' } = request.headers
    seen.push(authorization)
    if (isHanging) return
    if (target !== null) {
      response.writeHead(302, { location: `${target}${request.url}` }).end()
      return
    }
    const [, password] = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString().split(':')
    if (password !== token) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
      return
    }
    runBackend(hub.url, request, response)
  }
  const server = tls === null ? createServer(answer) : createTlsServer(tls, answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    hub,
    url: `http${tls === null ? '' : 's'}://127.0.0.1:${port}/hub.git`,
    seen,
    setToken: (next) => {
      token = next
    },
    hang: (next) => {
      isHanging = next
    },
    redirect: (next) => {
      target = next
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => {
          hub.close()
          resolve()
        })
      }),
  }
}

/** Runs the program as a server with CGI does (RFC 3875). */
function runBackend(repository: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? '/', 'http://localhost')
  const env = {
    ...process.env,
    GIT_HTTP_EXPORT_ALL: '1',
    GIT_PROJECT_ROOT: repository.replace(/\/hub\.git$/, ''),
    PATH_INFO: pathname,
    QUERY_STRING: search.slice(1),
    REQUEST_METHOD: request.method,
    CONTENT_TYPE: request.headers['content-type'] ?? '',
    HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
    GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    REMOTE_USER: 'service',
    REMOTE_ADDR: '127.0.0.1',
  }
  const child = spawn('git', ['http-backend'], { env, stdio: ['pipe', 'pipe', 'ignore'] })
  request.pipe(child.stdin).on('error', () => {})
  let head = ''
  child.stdout.on('data', function begin(chunk: Buffer) {
    if (response.headersSent) return void response.write(chunk)
    head += chunk.toString('latin1')
    const end = head.indexOf('\r\n\r\n')
    if (end < 0) return
    const headers = head
      .slice(0, end)
      .split('\r\n')
      .map((line) => line.split(': ') as [string, string])
    const status = Number(headers.find(([name]) => name === 'Status')?.[1].slice(0, 3) ?? 200)
    response.writeHead(status, headers.filter(([name]) => name !== 'Status').flat())
    response.write(Buffer.from(head.slice(end + 4), 'latin1'))
  })
  child.stdout.on('end', () => response.end())
}
