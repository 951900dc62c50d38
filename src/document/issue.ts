import type { ProblemCode } from '../model/problem-codes.js'
import type { Pointer } from './value.js'

/** A finding about a value, before its place in the text is known. */
export interface Issue {
  readonly code: ProblemCode
  readonly pointer: Pointer
  /** Whether the key or the value is meant; the value by default. */
  readonly part?: 'key' | 'value'
  readonly what: string
  readonly todo?: string
  readonly suggestion?: string | null
  /** Looks for the suggestion when the issue is reported: few of a hundred thousand are, and the search is long. */
  readonly suggest?: () => string | null
}

/** A value in a message: as JSON, cut where it gets long. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  // Not between the halves of a character.
  return text.length > 80 ? `${text.slice(0, 77).replace(/[\ud800-\udbff]$/, '')}…` : text
}
