import type { Steps } from '../model/pointer.js'
import type { ProblemCode } from '../model/problem-codes.js'
import type { Range } from './source.js'

/** A finding about a value, before its place in the text is known. */
export interface Issue {
  readonly code: ProblemCode
  readonly pointer: Steps
  /** Whether the key or the value is meant; the value by default. */
  readonly part?: 'key' | 'value'
  readonly what: string
  readonly todo?: string
  readonly suggestion?: string | null
  /** Finds the suggestion when the issue is reported: the search is long, and most issues are not reported. */
  readonly suggest?: () => string | null
}

/** A finding at a place of a text. Its words are made when it is reported: of a hundred thousand, few are. */
export type Found = Omit<Issue, 'pointer' | 'part'> & { readonly range: Range; readonly pointer?: Steps }

/** A value in a message: as JSON, cut where it gets long. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  // Does not cut a character in halves.
  return text.length > 80 ? `${text.slice(0, 77).replace(/[\ud800-\udbff]$/, '')}…` : text
}
