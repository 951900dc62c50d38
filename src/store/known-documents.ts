import { LRUCache } from 'lru-cache'
import { type MenuDocument, readDocument } from '../document/menu-document.js'
import type { Limits } from '../model/limits.js'
import { contentHash } from './hash.js'

/** Reads the bytes of a menu file. Never throws. */
export type ReadDocument = (path: string, bytes: Uint8Array) => MenuDocument

/** The documents that were read or written last: the same bytes at the same path are parsed once. */
export interface KnownDocuments {
  readonly read: ReadDocument
  /** The document of a version of a file; null where it is not remembered. */
  readonly find: (path: string, version: string) => MenuDocument | null
  /** Remembers a document that was made otherwise. */
  readonly keep: (document: MenuDocument) => void
}

/** Bytes of all texts that are remembered; a document takes about thirty times as much memory as its text. */
const MAX_BYTES = 1_048_576
/** Documents that are remembered, however small. */
const MAX_COUNT = 64

/** They are found by path and content, so that none can be out of date; the ones used last stay. */
export function createKnownDocuments(limits: Limits): KnownDocuments {
  const known = new LRUCache<string, MenuDocument>({
    max: MAX_COUNT,
    maxSize: MAX_BYTES,
    // An empty text counts as well: a size of 0 is refused.
    sizeCalculation: ({ bytes }) => bytes.length + 1,
  })
  const keyOf = (path: string, version: string): string => `${path}\0${version}`
  return {
    read: (path, text) => {
      const key = keyOf(path, contentHash(text))
      const document = known.get(key) ?? readDocument(path, text, limits)
      known.set(key, document)
      return document
    },
    find: (path, version) => known.get(keyOf(path, version)) ?? null,
    keep: (document) => {
      known.set(keyOf(document.path, contentHash(document.bytes)), document)
    },
  }
}
