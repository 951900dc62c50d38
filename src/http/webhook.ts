import { createHmac, type Hmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { type Log, toReason } from '../service/log.js'
import { takeBody } from '../web/body.js'
import { isSameSecret } from '../web/insider.js'
import { type HttpProblem, sendJson, sendProblem } from '../web/problem-json.js'
import { createUnfinished } from '../web/unfinished.js'
import type { Answer } from './app.js'

interface WebhookDeps {
  /** The absolute path of the file with the secret, which is read for each request: it can be replaced. */
  readonly secretFile: string
  /** Looks at the remote repository; calls that wait share one look. */
  readonly follow: () => Promise<unknown>
  readonly log: Log
}

/** Bytes of the largest payload of GitHub. */
const MAX_BYTES = 25 * 1_048_576
/** Bodies that are awaited at a time: anyone can send them. */
const MAX_AWAITED = 16
/** Seconds by which the time of a signature may differ from ours. */
const TOLERANCE = 300

/**
 * Creates the endpoint that the host of a remote repository calls after a push. A request signed with the secret makes the service
 * check the repository; nothing else in it is used.
 */
export function createWebhook({ secretFile, follow, log }: WebhookDeps): Answer {
  const noteAwaited = createUnfinished(MAX_AWAITED)
  let isReadable = true
  const readSecret = (): string | null => {
    let reason = 'it is empty'
    try {
      const secret = readFileSync(secretFile, 'utf8').trim()
      isReadable ||= secret !== ''
      if (secret !== '') return secret
    } catch (thrown) {
      reason = toReason(thrown)
    }
    if (isReadable) log.error('webhook_secret_unreadable', { path: secretFile, reason })
    isReadable = false
    return null
  }
  return async (request, response) => {
    const secret = readSecret()
    if (secret === null) return sendProblem(request, response, UNAVAILABLE)
    const { headers } = request
    const token = headers['x-gitlab-token']
    const signatures = toSignatures(headers, secret, Date.now() / 1_000)
    const isKnown = typeof token === 'string' && isSameSecret(token, secret)
    let isValid = isKnown
    if (isKnown || signatures.length > 0) {
      noteAwaited('', request)
      const { fault } = await takeBody(request, MAX_BYTES, (chunk) => {
        for (const { hmac } of signatures) hmac.update(chunk)
        return null
      })
      if (fault !== null) return sendProblem(request, response, fault)
      isValid ||= signatures.some(({ hmac, coding, given }) => {
        const expected = hmac.digest(coding)
        return given.some((each) => isSameSecret(each, expected))
      })
    }
    if (!isValid) return sendProblem(request, response, UNSIGNED)
    follow().catch(() => {})
    sendJson(request, response, { status: 'accepted' }, 202)
  }
}

/** An HMAC that the body still has to go through, and the digests of which one must be equal. */
interface Signature {
  readonly hmac: Hmac
  readonly coding: 'hex' | 'base64'
  readonly given: readonly string[]
}

/** The headers with a hexadecimal signature of the body: of GitHub, Forgejo, and Gitea. */
const HEX = ['x-hub-signature-256', 'x-forgejo-signature', 'x-gitea-signature']
/** A secret of this form is a key (Standard Webhooks), as GitLab's signing tokens are. */
const KEY = /^whsec_([\w+/-]+=*)$/
/** Signatures in one header: one for each secret during its replacement. */
const MAX_GIVEN = 8

function toSignatures(headers: IncomingHttpHeaders, secret: string, now: number): readonly Signature[] {
  const hex = HEX.flatMap((name) => /^(?:sha256=)?([0-9a-f]{64})$/i.exec(String(headers[name]))?.[1] ?? [])
  const signatures: Signature[] = []
  if (hex.length > 0)
    signatures.push({
      hmac: createHmac('sha256', secret),
      coding: 'hex',
      given: hex.map((each) => each.toLowerCase()),
    })
  const [, key] = KEY.exec(secret) ?? []
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': list } = headers
  const isNow =
    typeof time === 'string' && /^\d{1,12}$/.test(time) && Math.abs(Number(time) - now) <= TOLERANCE
  if (key === undefined || !isNow || typeof list !== 'string') return signatures
  const hmac = createHmac('sha256', Buffer.from(key, 'base64')).update(`${id}.${time}.`)
  const given = list.split(' ', MAX_GIVEN).flatMap((each) => /^v1,(\S+)$/.exec(each)?.[1] ?? [])
  return [...signatures, { hmac, coding: 'base64', given }]
}

const UNAVAILABLE: HttpProblem = {
  status: 503,
  code: 'webhook-unavailable',
  detail: 'The service cannot check signatures now.',
}
const UNSIGNED: HttpProblem = {
  status: 401,
  code: 'webhook-unsigned',
  detail: 'The request has no valid signature with the secret of the webhook.',
  headers: { 'www-authenticate': 'Webhook' },
}
