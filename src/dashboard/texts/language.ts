import type { IncomingMessage } from 'node:http'
import { negotiate } from '../../service/request-locale.js'
import { BROWSER_DE } from './browser-de.js'
import { BROWSER_EN } from './browser-en.js'
import { DE } from './de.js'
import { EDITING_DE } from './editing-de.js'
import { EDITING_EN } from './editing-en.js'
import { EN, type Texts } from './en.js'
import { FILES_DE } from './files-de.js'
import { FILES_EN } from './files-en.js'

/** What the pages speak; the first is for browsers that ask for none of them. */
export const LANGUAGES: readonly [Texts, ...Texts[]] = [
  { ...EN, ...EDITING_EN, ...FILES_EN, ...BROWSER_EN },
  { ...DE, ...EDITING_DE, ...FILES_DE, ...BROWSER_DE },
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
