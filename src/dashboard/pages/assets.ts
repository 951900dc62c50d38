import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { contentHash } from '../../store/hash.js'
import { acceptedCodings, type Coding } from '../../web/encoding.js'
import { sendHead, toLines } from '../../web/head.js'
import { hasMethod, NOT_FOUND, READ_METHODS, sendProblem } from '../../web/problem-json.js'
import { SCRIPT, STYLE } from './compiled.js'

/** The mark of the product: three lines of a menu. */
const MARK =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1d55ab"/>' +
  '<path d="M8 10h16M8 16h11M8 22h14" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/></svg>'

interface Asset {
  /** With a part of the hash of its content, so that it can be cached for good. */
  readonly name: string
  readonly type: string
  readonly bodies: Readonly<Record<Coding, Buffer>>
}

/** The files that pages load, held in memory. */
export interface Assets {
  /** The address of each. */
  readonly style: string
  readonly script: string
  readonly mark: string
  /** Answers a request for the asset of a name. */
  readonly answer: (request: IncomingMessage, response: ServerResponse, name: string) => void
}

/** @param folder the path in front of their names */
export async function createAssets(folder: string): Promise<Assets> {
  const [style, script, mark] = await Promise.all([
    toAsset('style', 'css', 'text/css; charset=utf-8', STYLE),
    toAsset('script', 'js', 'text/javascript; charset=utf-8', SCRIPT),
    toAsset('mark', 'svg', 'image/svg+xml', MARK),
  ])
  const assets = new Map([style, script, mark].map((asset) => [asset.name, asset]))
  return {
    style: `${folder}/${style.name}`,
    script: `${folder}/${script.name}`,
    mark: `${folder}/${mark.name}`,
    answer: (request, response, name) => {
      const asset = assets.get(name)
      if (asset === undefined) sendProblem(request, response, NOT_FOUND)
      else if (hasMethod(request, response, READ_METHODS)) send(request, response, asset)
    },
  }
}

function send(request: IncomingMessage, response: ServerResponse, { type, bodies }: Asset): void {
  const [coding = 'identity'] = acceptedCodings(request.headers['accept-encoding'] as string | undefined)
  const body = bodies[coding]
  const headers = {
    'content-type': type,
    'content-length': body.length,
    ...(coding !== 'identity' && { 'content-encoding': coding }),
    vary: 'Accept-Encoding',
    'cache-control': 'public, max-age=31536000, immutable',
  }
  sendHead(response, 200, toLines(headers))
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** Compressing takes as long as the rest of the start, and is done in another thread. */
async function toAsset(stem: string, ending: string, type: string, text: string): Promise<Asset> {
  const identity = Buffer.from(text)
  const [zipped, br] = await Promise.all([
    promisify(gzip)(identity, { level: 9 }),
    promisify(brotliCompress)(identity),
  ])
  return {
    name: `${stem}-${contentHash(identity).slice(0, 12)}.${ending}`,
    type,
    bodies: { identity, gzip: zipped, br },
  }
}
