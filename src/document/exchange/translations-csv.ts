import { CsvError, parse } from 'csv-parse/sync'
import { type Locale, type Locales, toLocale } from '../../model/locale.js'
import { notOneOf } from '../did-you-mean.js'
import { quote } from '../issue.js'
import {
  MAX_ROWS,
  TOO_MANY_ROWS,
  type TranslationFault,
  type TranslationRow,
  type TranslationRows,
  type TranslationWriter,
} from './translation-rows.js'
import { textIn } from './translations.js'

/** The columns before those of the locales. */
const COLUMNS = ['file', 'key', 'field', 'source'] as const
/** Spreadsheets of many countries write semicolons, because their numbers have commas. */
const DELIMITERS = [',', ';', '\t']
/** Bytes of a record: 200 locales with the longest texts have fewer. */
const MAX_RECORD = 1_048_576
/** Columns of the header: no more locales can be configured. */
const MAX_COLUMNS = 204
/** Cells of a file, which the parser reads in one go: a second is too long for other requests. */
const MAX_CELLS = 400_000

/**
 * A cell that a spreadsheet would take for a formula (OWASP, CSV injection) begins with an apostrophe; so does one that has such
 * an apostrophe already, so that the import takes off one that was added here.
 */
const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/
const ESCAPED = /^'+[=+\-@\t\r＝＋－＠]/

/** CSV (RFC 4180) with a byte order mark, without which spreadsheets read UTF-8 as something else. */
export function csvWriter(columns: readonly Locale[], locales: Locales): TranslationWriter {
  return {
    head: `\ufeff${toRecord([...COLUMNS, ...columns])}`,
    menu: (file, texts) =>
      texts
        .map(({ key, field, label, source }) =>
          toRecord([file, key, field, source, ...columns.map((each) => textIn(label, each, locales) ?? '')]),
        )
        .join(''),
    tail: '',
  }
}

function toRecord(cells: readonly string[]): string {
  return `${cells.map(toCell).join(',')}\r\n`
}

function toCell(text: string): string {
  const inert = FORMULA.test(text) ? `'${text}` : text
  return /[",;\r\n\t]|^\s|\s$/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}

function fromCell(cell: string): string {
  return ESCAPED.test(cell) ? cell.slice(1) : cell
}

interface Record {
  readonly record: readonly string[]
  readonly info: { readonly lines: number }
}

/** Reads the rows of CSV, in slices but for the parser. Never throws. */
export function* readCsv(text: string, locales: Locales): Generator<void, TranslationRows> {
  const delimiter = delimiterOf(text)
  if (text.split(delimiter, MAX_CELLS + 2).length > MAX_CELLS + 1)
    return { rows: [], faults: [TOO_MANY_CELLS] }
  let records: readonly Record[]
  try {
    const bounds = { to: MAX_ROWS + 2, max_record_size: MAX_RECORD }
    const lenient = { relax_column_count: true, skip_empty_lines: true, info: true }
    records = parse(text, { bom: true, delimiter, ...lenient, ...bounds }) as unknown as readonly Record[]
  } catch (thrown) {
    if (!(thrown instanceof CsvError)) throw thrown
    return { rows: [], faults: [toFault(thrown)] }
  }
  const [head, ...body] = records
  if (body.length > MAX_ROWS) return { rows: [], faults: [TOO_MANY_ROWS] }
  const { places, faults } = readHeader(head?.record ?? [], locales)
  if (faults.length > 0) return { rows: [], faults }
  const rows: TranslationRow[] = []
  const wrong: TranslationFault[] = []
  // The record of a cell with line breaks ends on a later line than it begins on.
  let last = head?.info.lines ?? 0
  for (const { record, info } of body) {
    const [line, cells] = [last + 1, record.map(fromCell)]
    last = info.lines
    if (cells.every((cell) => cell.trim() === '')) continue
    if (cells.slice(places.size).some((cell) => cell.trim() !== ''))
      wrong.push({ line, what: `The row has more cells than the header, which has ${places.size}.` })
    else rows.push(toRow(line, cells, places))
  }
  return { rows, faults: wrong }
}

function toRow(line: number, cells: readonly string[], places: Places): TranslationRow {
  const [file = '', key = '', field = '', source = ''] = COLUMNS.map((name) => cells[places.get(name) ?? -1])
  const texts = [...places].flatMap(([name, place]): [Locale, string][] => {
    const text = cells[place] ?? ''
    return isColumn(name) || text.trim() === '' ? [] : [[name, text]]
  })
  return { line, file, key, field, source, texts: new Map(texts) }
}

/** The place of each column, by its name or its locale. */
type Places = ReadonlyMap<string, number>

function readHeader(
  cells: readonly string[],
  { locales }: Locales,
): { readonly places: Places; readonly faults: readonly TranslationFault[] } {
  const places = new Map<string, number>()
  const faults: TranslationFault[] = []
  const fault = (what: string): void => void faults.push({ line: 1, what })
  const names = cells.map((cell) => fromCell(cell).trim())
  while (names.at(-1) === '') names.pop()
  if (names.length > MAX_COLUMNS || !names.some(isColumn)) {
    fault(`The first row must have the columns ${COLUMNS.join(', ')}, and one for each locale.`)
    return { places, faults }
  }
  for (const [place, name] of names.entries()) {
    const known = isColumn(name) ? name : toLocale(name)
    if (known === null || !(isColumn(known) || locales.includes(known)))
      fault(`The column ${quote(name)} ${notOneOf(name, locales, COLUMNS)}`)
    else if (places.has(known)) fault(`There are two columns ${quote(known)}.`)
    else places.set(known, place)
  }
  const missing = COLUMNS.filter((name) => !places.has(name))
  if (missing.length > 0) fault(`The header lacks ${missing.join(', ')}.`)
  return { places, faults }
}

function isColumn(name: string): boolean {
  return (COLUMNS as readonly string[]).includes(name)
}

const TOO_MANY_CELLS: TranslationFault = {
  line: 0,
  what: `The file has more than ${MAX_CELLS} cells. Import fewer menus or locales at a time.`,
}

/** The delimiter that separates most names of the header. */
function delimiterOf(text: string): string {
  const [header = ''] = /\S.{0,4000}/.exec(text) ?? []
  const [best = ','] = DELIMITERS.toSorted((a, b) => header.split(b).length - header.split(a).length)
  return best
}

function toFault({ code, message, ...error }: CsvError): TranslationFault {
  const { lines } = error as { lines?: unknown }
  const line = typeof lines === 'number' ? lines : 0
  if (code === 'CSV_MAX_RECORD_SIZE') return { line, what: `A row has more than ${MAX_RECORD} bytes.` }
  const what = /QUOTE/.test(code) ? 'A quotation mark is not closed, or not doubled.' : message
  return { line, what: `The text is not CSV: ${what}` }
}
