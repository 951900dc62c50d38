import { type Locale, type Locales, toLocale } from '../../model/locale.js'
import { done, failed, type Result } from '../../model/result.js'
import { notOneOf } from '../did-you-mean.js'
import { quote } from '../issue.js'
import {
  MAX_BYTES,
  type TranslationFormat,
  type TranslationRows,
  type TranslationWriter,
  toText,
} from './translation-rows.js'
import { csvWriter, readCsv } from './translations-csv.js'
import { readXliff, xliffWriter } from './translations-xliff.js'

/** What a file of each format is called, and what it is sent as (RFC 7111, and XLIFF 2.1, appendix). */
export const FILE_TYPES: Readonly<
  Record<TranslationFormat, { readonly ending: string; readonly type: string }>
> = {
  csv: { ending: 'csv', type: 'text/csv; charset=utf-8; header=present' },
  xliff12: { ending: 'xlf', type: 'application/xliff+xml; charset=utf-8' },
  xliff2: { ending: 'xlf', type: 'application/xliff+xml; charset=utf-8' },
}

/** The locales of an export: those that are asked for, else all; XLIFF has one, which is not the default locale. */
export function toColumns(
  format: TranslationFormat,
  asked: readonly string[],
  { locales, defaultLocale }: Locales,
): Result<readonly Locale[], string> {
  const unknown = asked.find((tag) => !locales.includes(toLocale(tag) ?? ''))
  if (unknown !== undefined) return failed(`${quote(unknown)} ${notOneOf(unknown, locales)}`)
  const wanted = asked.length === 0 ? locales : asked.map((tag) => toLocale(tag) ?? tag)
  const columns = [...new Set(wanted)].filter((each) => format === 'csv' || each !== defaultLocale)
  if (format === 'csv' || columns.length === 1) return done(columns)
  const others = locales.filter((each) => each !== defaultLocale).join(', ')
  return failed(`XLIFF has one target language: name one of the locales ${others || '(there is no other)'}.`)
}

/** A writer for a file with the texts of some locales, of which XLIFF has exactly one. */
export function createWriter(
  format: TranslationFormat,
  columns: readonly Locale[],
  locales: Locales,
): TranslationWriter {
  if (format === 'csv') return csvWriter(columns, locales)
  const [target = locales.defaultLocale] = columns
  return xliffWriter(format === 'xliff12' ? '1.2' : '2.0', target, locales)
}

/** Reads a translation file of any format, in slices: XLIFF begins with `<`. Never throws. */
export function* readTranslations(text: string, locales: Locales): Generator<void, TranslationRows> {
  const plain = toText(text.replace(/^\ufeff/, ''))
  if (plain.length > MAX_BYTES) return { rows: [], faults: [{ line: 0, what: TOO_LARGE }] }
  if (plain.trim() === '') return { rows: [], faults: [{ line: 0, what: 'The file is empty.' }] }
  return /^\s*</.test(plain) ? yield* readXliff(plain, locales) : yield* readCsv(plain, locales)
}

const TOO_LARGE = `The file has more than ${MAX_BYTES} bytes. Export fewer menus at a time.`
