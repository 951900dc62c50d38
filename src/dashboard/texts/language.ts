import type { IncomingMessage } from 'node:http'
import { createFill } from '../../change/fill.js'
import { CHANGE_SENTENCES, type ChangeSentences } from '../../review/diff/change-sentences.js'
import { negotiate } from '../../service/request-locale.js'
import de from './de.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }

/** All that the pages say in a language. */
export type Texts = typeof en & {
  readonly changes: ChangeSentences
  /** Puts values where a text has their names in braces. */
  readonly fill: ReturnType<typeof createFill>
}

/** What the pages speak; the first is for browsers that ask for none of them. */
export const LANGUAGES: readonly [Texts, ...Texts[]] = [
  { ...en, changes: { ...CHANGE_SENTENCES, ...en.changes }, fill: createFill(en.lang) },
  { ...de, fill: createFill(de.lang) },
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
