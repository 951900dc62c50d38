import { brotliCompress, constants, gzip } from 'node:zlib'
import { derived } from '../model/derived.js'
import type { TreeView } from '../service/trees.js'
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
  /** Of the body in bytes, as its header has it. */
  readonly length: string
}

/** Smaller bodies fit into one packet anyway. */
const MIN_COMPRESSED = 1_024
const BROTLI_QUALITY = 6
/** The one that every answer has comes first. */
const CODINGS: readonly Coding[] = ['identity', 'gzip', 'br']

/** The answer for what a viewer sees, made once where the view is kept. */
export function answerOf(view: TreeView): MenuAnswer {
  return view.kept ? keptAnswerOf(view) : createMenuAnswer(view)
}

const keptAnswerOf = derived(createMenuAnswer)

/** Compressing happens beside the request that first asks for it, which gets the plain bytes. */
function createMenuAnswer({ tree, kept }: TreeView): MenuAnswer {
  const plain = Buffer.from(JSON.stringify(tree))
  const version = contentHash(plain)
  const ready = new Map<Coding, EncodedBody>()
  const add = (coding: Coding, body: Buffer): EncodedBody => {
    const encoded: EncodedBody = { coding, tag: toTag(version, coding), body, length: String(body.length) }
    ready.set(coding, encoded)
    return encoded
  }
  const identity = add('identity', plain)
  const pending = new Set<Coding>()
  const compress = (coding: 'br' | 'gzip'): void => {
    if (pending.has(coding)) return
    pending.add(coding)
    const finish = (error: Error | null, bytes: Buffer): void => {
      if (error === null) add(coding, bytes)
    }
    if (coding === 'gzip') gzip(plain, finish)
    else brotliCompress(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }, finish)
  }
  // What serves only once is not worth it.
  const compressible = kept && plain.length >= MIN_COMPRESSED
  return {
    tagsOf: derived((codings) =>
      CODINGS.filter((each) => codings.includes(each)).map((each) => toTag(version, each)),
    ),
    pick: (codings) => {
      if (!compressible) return identity
      for (const coding of codings) {
        const found = ready.get(coding)
        if (found !== undefined) return found
        if (coding !== 'identity') compress(coding)
      }
      return identity
    },
  }
}

function toTag(version: string, coding: Coding): string {
  return coding === 'identity' ? `"${version}"` : `"${version}-${coding}"`
}
