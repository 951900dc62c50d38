import { createHash } from 'node:crypto'

/** The content hash behind versions and revisions: 128 bits of SHA-256, in hexadecimal; never a part of a longer text. */
export function contentHash(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest().toString('hex', 0, 16)
}
