import { readFileSync } from 'node:fs'
import { isMap, type Json } from '../../../model/json.js'
import { done, failed, type Result } from '../../../model/result.js'
import { toReason } from '../../../service/log.js'

/** What a host sent. */
export interface HostAnswer {
  readonly status: number
  readonly json: Json
  /** What it says of a refusal, in words. */
  readonly reason: string
}

/** Calls the API of a host, with POST where there is a body. The fault is words for people, without secrets. */
export type AskHost = (call: {
  /** From the base address. */
  readonly path: string
  readonly body?: object
}) => Promise<Result<HostAnswer, string>>

interface Calling {
  readonly api: string
  readonly tokenFile: string
  /** That of the Authorization header. */
  readonly scheme: 'Bearer' | 'token'
  /** Milliseconds. */
  readonly timeout: number
}

/** Bytes of an answer: fifty pull requests with long texts. */
const MAX_BYTES = 8 << 20
/** Characters of a reason. */
const MAX_REASON = 200

/** Makes the function that calls an API. The token is read for each call, and sent nowhere else: redirects are not followed. */
export function createAsk({ api, tokenFile, scheme, timeout }: Calling): AskHost {
  return async ({ path, body }) => {
    let token = ''
    try {
      token = readFileSync(tokenFile, 'utf8').trim()
      // The message about a header that cannot be sent would have it in it.
      if (!/^[\x21-\x7e]+$/.test(token)) return failed('the file of its token holds something else')
      const response = await fetch(api + path, {
        redirect: 'manual',
        signal: AbortSignal.timeout(timeout),
        headers: {
          authorization: `${scheme} ${token}`,
          accept: 'application/json',
          'user-agent': 'menuscript',
          'x-github-api-version': '2022-11-28',
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      })
      const text = await readText(response)
      if (text === null) return failed('its answer is too long')
      const json = parse(text)
      if (json === undefined && response.status < 300) return failed('its answer is not JSON')
      const reason = toWords(`${response.status} ${toMessage(json)}`).replaceAll(token, '(secret)')
      return done({ status: response.status, json: json ?? null, reason })
    } catch (thrown) {
      const { cause } = Object(thrown) as { readonly cause?: unknown }
      const reason = toWords(toReason(cause ?? thrown))
      return failed(token === '' ? reason : reason.replaceAll(token, '(secret)'))
    }
  }
}

/** The text of a response; null where it is too long. */
async function readText({ body }: Response): Promise<string | null> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body ?? []) {
    bytes += part.byteLength
    if (bytes > MAX_BYTES) return null
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** What a host says of an error: GitHub and GitLab have `message`, with details in `errors` or in itself. */
function toMessage(json: Json | undefined): string {
  if (!isMap(json ?? null)) return ''
  const { message, error, errors } = json as { readonly [name: string]: Json }
  return [message ?? error, errors]
    .filter((each) => each != null)
    .map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
    .join(': ')
}

function toWords(text: string): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_REASON)
}
