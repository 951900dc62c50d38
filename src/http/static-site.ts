import { closeSync, createReadStream, fstatSync, type ReadStream } from 'node:fs'
import { type IncomingMessage, ServerResponse } from 'node:http'
import { basename, relative } from 'node:path'
import { pipeline } from 'node:stream'
import sirv from 'sirv'
import { isHashedName } from '../export/manifest.js'
import { type Bounds, openInside } from '../store/inside.js'
import { matchEntityTag } from '../web/conditional.js'
import { acceptedCodings } from '../web/encoding.js'
import { sendHead, toLines } from '../web/head.js'
import { malformedPercentAt } from '../web/percent.js'
import { NOT_FOUND, sendProblem } from '../web/problem-json.js'
import { splitTarget } from '../web/target.js'
import type { Answer } from './app.js'

/**
 * Serves the files of a folder as they are now: sirv finds the file, its type and its compressed form. It looks at the disk for
 * each request, because its list in memory would serve new files under the sizes of old ones, and others not at all.
 *
 * It would also follow links out of the folder, leave files open whose reader has gone, and send more or fewer bytes than
 * announced of a file that changes. So it answers into a response without a socket, and the file is sent from here.
 */
export function createStaticSite(folder: Bounds): Answer {
  const { root } = folder
  const find = sirv(root, {
    dev: true,
    etag: true,
    brotli: true,
    gzip: true,
    extensions: ['html'],
    setHeaders: (_response, _path, stats) => {
      // To open a pipe would wait for its writer.
      if (!stats.isFile()) throw new Error('it is not a regular file')
    },
  })
  return (request, response) => {
    const { path } = splitTarget(request.url ?? '/')
    const file = isServable(path) ? findFile(request, path) : null
    const descriptor = file === null ? null : open(file.path)
    if (file === null || descriptor === null) return sendProblem(request, response, NOT_FOUND)
    sendFile(request, response, descriptor, file)
  }

  function findFile({ headers }: IncomingMessage, url: string): FoundFile | null {
    const codings = acceptedCodings(headers['accept-encoding'] as string | undefined)
    const asked = { url, method: 'GET', headers: { 'accept-encoding': codings.join() } }
    const draft = new ServerResponse(asked as IncomingMessage)
    let source: ReadStream | null = null
    draft.once('pipe', (piped: ReadStream) => {
      source = piped.on('error', () => {}).destroy()
    })
    try {
      find(asked as IncomingMessage, draft, () => {})
    } catch {
      // It went just now, or is none that can be served.
    }
    const found = source as ReadStream | null
    if (found === null) return null
    // To sirv, `/a.js/` is `/a.js`.
    const isFolder = url.endsWith('/')
    if (isFolder && !basename(String(found.path)).startsWith('index.')) return null
    return { path: String(found.path), headers: draft.getHeaders() }
  }

  /** Opens a regular file of the folder; null for any other, and for one outside. */
  function open(path: string): number | null {
    try {
      const descriptor = openInside(folder, relative(root, path))
      if (fstatSync(descriptor).isFile()) return descriptor
      closeSync(descriptor)
    } catch {
      // It is gone, leads out of the folder, or may not be read.
    }
    return null
  }
}

interface FoundFile {
  readonly path: string
  readonly headers: ReturnType<ServerResponse['getHeaders']>
}

/** What is never served: what begins with a dot, but for RFC 8615, and an encoded separator. */
function isServable(path: string): boolean {
  if (malformedPercentAt(path) !== null || /%(?:2f|5c)|\\/i.test(path)) return false
  const [, ...names] = decodeURIComponent(path).split('/')
  return names.every((name, place) => {
    const isHidden = name.startsWith('.') && !(place === 0 && name === '.well-known')
    return !isHidden && !name.includes('\0')
  })
}

function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  descriptor: number,
  { path, headers }: FoundFile,
): void {
  const { size } = fstatSync(descriptor)
  const { 'content-type': type, 'content-encoding': coding, etag, 'last-modified': modified } = headers
  const isForever = isHashedName(basename(path).replace(/\.(?:br|gz)$/, ''))
  const tag = String(etag)
  const known = request.headers['if-none-match']
  const isSame = known !== undefined && matchEntityTag(known, [tag, tag.replace('W/', '')]) !== null
  const lines = toLines({
    'Cache-Control': isForever ? 'public, max-age=31536000, immutable' : 'no-cache',
    Vary: 'Accept-Encoding',
    ETag: tag,
    ...(!isSame && {
      'Content-Type': String(type || 'application/octet-stream'),
      'Content-Length': size,
      ...(coding !== undefined && { 'Content-Encoding': String(coding) }),
      'Last-Modified': String(modified),
      'X-Content-Type-Options': 'nosniff',
    }),
  })
  sendHead(response, isSame ? 304 : 200, lines)
  if (isSame || request.method === 'HEAD' || size === 0) {
    closeSync(descriptor)
    return void response.end()
  }
  const source = createReadStream('', { fd: descriptor, start: 0, end: size - 1 })
  source.once('end', () => {
    // A client would wait for the rest of a file that was cut.
    if (source.bytesRead < size) response.destroy()
  })
  pipeline(source, response, () => {})
}
