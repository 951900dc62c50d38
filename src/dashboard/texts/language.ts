import type { IncomingMessage } from 'node:http'
import type { FieldChange } from '../../change/compare/field-changes.js'
import { FIELD_WORDS, type FieldWords } from '../../change/compare/field-words.js'
import { createFill, type Plurals } from '../../change/fill.js'
import { negotiate } from '../../service/request-locale.js'
import * as all from './all.js'

/** All that the pages say in a language. */
export type Texts = Omit<typeof all.en, 'changes'> & {
  readonly changes: ChangeWords
  /** Puts values where a text has their names in braces. */
  readonly fill: ReturnType<typeof createFill>
}

/** What the pages say of changes. */
export type ChangeWords = FieldWords &
  Omit<typeof all.en.changes, 'names' | 'withItems'> & {
    readonly withItems: Plurals
    /** What a change means for visitors now. Default: nothing is said. */
    readonly remark?: (field: FieldChange) => string | null
  }

/** What the pages speak; the first is for browsers that ask for none of them. */
export const LANGUAGES: readonly [Texts, ...Texts[]] = [
  toTexts(all.en),
  ...Object.values(all)
    .filter(({ lang }) => lang !== all.en.lang)
    .map(toTexts),
]
const TAGS: readonly string[] = LANGUAGES.map(({ lang }) => lang)
/** Characters of a header; no browser sends more. */
const MAX_LENGTH = 500

/** The texts in the language that an operator's browser asks for. */
export function textsFor({ headers }: IncomingMessage): Texts {
  const header = headers['accept-language'] ?? ''
  const tag = header.length > MAX_LENGTH ? null : negotiate(header, TAGS)
  return LANGUAGES.find(({ lang }) => lang === tag) ?? LANGUAGES[0]
}

/** The commands have the English words for fields. */
function toTexts(texts: (typeof all)[keyof typeof all]): Texts {
  return { ...texts, changes: { ...FIELD_WORDS, ...texts.changes }, fill: createFill(texts.lang) }
}
