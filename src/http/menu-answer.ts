import { brotliCompress, constants, gzip } from 'node:zlib'
import { contentHash } from '../store/hash.js'
import type { Coding } from '../web/encoding.js'

/** The bytes of a tree with their validators, in every coding that is ready. */
export interface MenuAnswer {
  /** Entity tag and body of the best coding of a list that is ready; asks for the ones that are not. */
  readonly pick: (codings: readonly Coding[]) => EncodedBody
  /** The entity tags of some codings: they are all of the same tree. */
  readonly tagsOf: (codings: readonly Coding[]) => readonly string[]
}

export interface EncodedBody {
  readonly coding: Coding
  /** Strong: it changes exactly when the bytes do, and no two codings share one (RFC 9110, section 8.8.3). */
  readonly tag: string
  readonly body: Buffer
  /** Header lines by the policy, made once. */
  readonly heads: Map<string, readonly string[]>
}

/** Smaller bodies fit into one packet anyway. */
const MIN_COMPRESSED = 1_024
const BROTLI_QUALITY = 6
/** The one that every answer has comes first. */
const CODINGS: readonly Coding[] = ['identity', 'gzip', 'br']

/**
 * Prepares the answer for a tree. Compressing happens beside the request that first asks for it, which gets the plain
 * bytes; `compresses` is false where the answer serves only once.
 */
export function createMenuAnswer(body: Buffer, compresses: boolean): MenuAnswer {
  const version = contentHash(body)
  const ready = new Map<Coding, EncodedBody>()
  const add = (coding: Coding, bytes: Buffer): EncodedBody => {
    const encoded: EncodedBody = { coding, tag: toTag(version, coding), body: bytes, heads: new Map() }
    ready.set(coding, encoded)
    return encoded
  }
  const identity = add('identity', body)
  const pending = new Set<Coding>()
  const prepare = (coding: 'br' | 'gzip'): void => {
    if (pending.has(coding)) return
    pending.add(coding)
    compress(coding, body, (bytes) => add(coding, bytes))
  }
  const compressible = compresses && body.length >= MIN_COMPRESSED
  return {
    tagsOf: (codings) => CODINGS.filter((each) => codings.includes(each)).map((each) => toTag(version, each)),
    pick: (codings) => {
      if (!compressible) return identity
      for (const coding of codings) {
        const found = ready.get(coding)
        if (found !== undefined) return found
        if (coding !== 'identity') prepare(coding)
      }
      return identity
    },
  }
}

function toTag(version: string, coding: Coding): string {
  return coding === 'identity' ? `"${version}"` : `"${version}-${coding}"`
}

function compress(coding: 'br' | 'gzip', body: Buffer, done: (bytes: Buffer) => void): void {
  const finish = (error: Error | null, bytes: Buffer): void => {
    if (error === null) done(bytes)
  }
  if (coding === 'gzip') gzip(body, finish)
  else brotliCompress(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }, finish)
}
