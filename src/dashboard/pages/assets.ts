import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { contentHash } from '../../store/hash.js'
import { acceptedCodings, type Coding } from '../../web/encoding.js'
import { sendHead, toLines } from '../../web/head.js'
import { hasMethod, NOT_FOUND, READ_METHODS, sendProblem } from '../../web/problem-json.js'
import { FONT, SCRIPT, STYLE } from './compiled.js'

/** The mark of the product: three lines of a menu. */
const MARK =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1d55ab"/>' +
  '<path d="M8 10h16M8 16h11M8 22h14" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/></svg>'

const CSS = 'text/css; charset=utf-8'

interface Asset {
  /** With a part of the hash of its content, so that it can be cached for good. */
  readonly name: string
  readonly type: string
  readonly plain: Buffer
  readonly zipped?: Readonly<Record<Exclude<Coding, 'identity'>, Buffer>>
}

/** The files that pages load, held in memory. */
export interface Assets {
  /** The address of each. */
  readonly style: string
  readonly script: string
  readonly mark: string
  readonly font: string
  /** That of previews; null where no file has it. */
  readonly preview: string | null
  /** Answers a request for the asset of a name. */
  readonly answer: (request: IncomingMessage, response: ServerResponse, name: string) => void
}

/** @param folder the path in front of their names */
export async function createAssets(folder: string, previewStyle: Uint8Array | null): Promise<Assets> {
  // Its format is compressed in itself.
  const font = toAsset('font', 'woff2', 'font/woff2', Buffer.from(FONT, 'base64'))
  const [style, script, mark] = await Promise.all([
    toZipped('style', 'css', CSS, STYLE.replace('font.woff2', font.name)),
    toZipped('script', 'js', 'text/javascript; charset=utf-8', SCRIPT),
    toZipped('mark', 'svg', 'image/svg+xml', MARK),
  ])
  const preview = previewStyle && toAsset('preview', 'css', CSS, Buffer.from(previewStyle))
  const all = [style, script, mark, font, ...(preview === null ? [] : [preview])]
  const assets = new Map(all.map((asset) => [asset.name, asset]))
  return {
    style: `${folder}/${style.name}`,
    script: `${folder}/${script.name}`,
    mark: `${folder}/${mark.name}`,
    font: `${folder}/${font.name}`,
    preview: preview && `${folder}/${preview.name}`,
    answer: (request, response, name) => {
      const asset = assets.get(name)
      if (asset === undefined) sendProblem(request, response, NOT_FOUND)
      else if (hasMethod(request, response, READ_METHODS)) send(request, response, asset)
    },
  }
}

function send(request: IncomingMessage, response: ServerResponse, { type, plain, zipped }: Asset): void {
  const [accepted = 'identity'] = acceptedCodings(request.headers['accept-encoding'] as string | undefined)
  const coding = zipped === undefined ? 'identity' : accepted
  const body = (coding !== 'identity' && zipped?.[coding]) || plain
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

const toAsset = (stem: string, ending: string, type: string, plain: Buffer): Asset => ({
  name: `${stem}-${contentHash(plain).slice(0, 12)}.${ending}`,
  type,
  plain,
})

/** Compressing takes as long as the rest of the start, and is done in another thread. */
async function toZipped(stem: string, ending: string, type: string, text: string): Promise<Asset> {
  const plain = Buffer.from(text)
  const [zipped, br] = await Promise.all([
    promisify(gzip)(plain, { level: 9 }),
    promisify(brotliCompress)(plain),
  ])
  return { ...toAsset(stem, ending, type, plain), zipped: { gzip: zipped, br } }
}
