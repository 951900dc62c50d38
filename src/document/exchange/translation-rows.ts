import type { Locale } from '../../model/locale.js'
import type { Translatable } from './translations.js'

export const TRANSLATION_FORMATS = ['csv', 'xliff12', 'xliff2'] as const
export type TranslationFormat = (typeof TRANSLATION_FORMATS)[number]

/** Writes a translation file, menu by menu. */
export interface TranslationWriter {
  readonly head: string
  readonly menu: (file: string, texts: readonly Translatable[]) => string
  readonly tail: string
}

/** One text of a translation file, as it was read. */
export interface TranslationRow {
  /** Its first line in the file, from 1. */
  readonly line: number
  readonly file: string
  readonly key: string
  readonly field: string
  /** The text of the default locale when the file was exported. */
  readonly source: string
  /** The translations that are not blank. */
  readonly texts: ReadonlyMap<Locale, string>
}

/** What is wrong with a line of a translation file; line 0 is the whole file. */
export interface TranslationFault {
  readonly line: number
  readonly what: string
}

/** A translation file as it was read. One that cannot be read to its end has no rows. */
export interface TranslationRows {
  readonly rows: readonly TranslationRow[]
  readonly faults: readonly TranslationFault[]
}

/** Bytes of a file. CSV is read in one go, which must not take long. */
export const MAX_BYTES = 4_194_304
/** Rows of a file, as many as fifty menus with a thousand texts have. */
export const MAX_ROWS = 50_000
/** Characters of a text: a label has no more. */
export const MAX_TEXT = 1_000

export const TOO_MANY_ROWS: TranslationFault = {
  line: 0,
  what: `The file has more than ${MAX_ROWS} texts. Export fewer menus at a time.`,
}

/** A text with the line breaks of menus: spreadsheets and XML editors write those of their system. */
export function toText(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}
