import { LRUCache } from 'lru-cache'
import Negotiator from 'negotiator'

export type Coding = 'br' | 'gzip' | 'identity'

const PREFERENCE: readonly Coding[] = ['br', 'gzip', 'identity']
const MAX_KEPT = 200
const MAX_LENGTH = 300

const kept = new LRUCache<string, readonly Coding[]>({ max: MAX_KEPT })
const IDENTITY_ONLY: readonly Coding[] = ['identity']

/** What the types of negotiator lack: which of several that are equally welcome comes first. */
interface EncodingNegotiator {
  encodings(available: string[], options: { readonly preferred: readonly string[] }): string[]
}

/** The codings that an Accept-Encoding header accepts, best first (RFC 9110, section 12.5.3). */
export function acceptedCodings(header: string | undefined): readonly Coding[] {
  if (header === undefined || header.length > MAX_LENGTH) return IDENTITY_ONLY
  const known = kept.get(header)
  if (known !== undefined) return known
  const negotiator: EncodingNegotiator = new Negotiator({ headers: { 'accept-encoding': header } })
  const accepted = negotiator.encodings([...PREFERENCE], { preferred: PREFERENCE }) as Coding[]
  // A client that refuses everything gets it plain, which is of more use than a 406 (RFC 9110, section 12.5.3).
  const codings = accepted.length > 0 ? accepted : IDENTITY_ONLY
  kept.set(header, codings)
  return codings
}
