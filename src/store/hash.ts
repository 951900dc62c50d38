import { createHash } from 'node:crypto'

/** The content hash behind versions and revisions: 128 bits of SHA-256, in hexadecimal. */
export function contentHash(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 32)
}
