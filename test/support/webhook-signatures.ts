import { createHmac } from 'node:crypto'

/** What GitHub, Forgejo and Gitea send as a signature of a body. */
export function hexOf(secret: string, body: string | Uint8Array): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}

/** The headers of Standard Webhooks (its specification, "Signature scheme"), as GitLab sends them. */
export function standardHeaders(
  secret: string,
  body: string,
  seconds: number = Math.floor(Date.now() / 1_000),
): Readonly<Record<string, string>> {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signature = createHmac('sha256', key).update(`msg_1.${seconds}.${body}`).digest('base64')
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${'A'.repeat(43)}= v1a,x v1,${signature}`,
  }
}
