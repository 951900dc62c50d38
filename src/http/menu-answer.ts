import { brotliCompress, constants, gzip } from 'node:zlib'
import { type TreeNode, toTreeJson } from '../model/tree.js'
import { contentHash } from '../store/hash.js'
import type { Coding } from '../web/encoding.js'

export interface EncodedBody {
  readonly coding: Coding
  /** Strong: it changes exactly when the bytes do, and no two codings share one (RFC 9110, section 8.8.3). */
  readonly tag: string
  readonly body: Buffer
}

/**
 * The bytes of a tree with their validators. A coding has the plain ones until its own are ready, and null before it is
 * first asked for. A service has thousands of these: no closures, and nothing that can be computed.
 */
export interface MenuAnswer extends Record<Exclude<Coding, 'identity'>, EncodedBody | null> {
  readonly identity: EncodedBody
}

/** Smaller bodies fit into one packet anyway. */
const MIN_COMPRESSED = 1_024
const BROTLI_QUALITY = 6
/** The one that every answer has comes first. */
const CODINGS: readonly Coding[] = ['identity', 'gzip', 'br']

/** The response with a tree; one that serves only once is not worth compressing. */
export function toMenuAnswer(tree: readonly TreeNode[], kept: boolean): MenuAnswer {
  const body = Buffer.from(toTreeJson(tree))
  const identity: EncodedBody = { coding: 'identity', tag: `"${contentHash(body)}"`, body }
  const first = kept && body.length >= MIN_COMPRESSED ? null : identity
  return { identity, gzip: first, br: first }
}

/** The best coding of a list that is ready; compresses, beside the requests, into the ones before it. */
export function pickBody(answer: MenuAnswer, codings: readonly Coding[]): EncodedBody {
  for (const coding of codings) {
    const found = answer[coding]
    if (found?.coding === coding) return found
    if (found === null && coding !== 'identity') compress(answer, coding)
  }
  return answer.identity
}

/** The entity tags of some codings: they are all of the same tree. */
export function tagsOf({ identity }: MenuAnswer, codings: readonly Coding[]): readonly string[] {
  return CODINGS.filter((each) => codings.includes(each)).map((each) => toTag(identity, each))
}

function compress(answer: MenuAnswer, coding: 'br' | 'gzip'): void {
  const { identity } = answer
  answer[coding] = identity
  const finish = (error: Error | null, bytes: Buffer): void => {
    // A copy: what zlib gives is a part of 16 KB that it would keep.
    if (error === null) answer[coding] = { coding, tag: toTag(identity, coding), body: Buffer.from(bytes) }
  }
  if (coding === 'gzip') gzip(identity.body, finish)
  else brotliCompress(identity.body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }, finish)
}

function toTag({ tag }: EncodedBody, coding: Coding): string {
  return coding === 'identity' ? tag : `${tag.slice(0, -1)}-${coding}"`
}
