import { parse as readCsvText } from 'csv-parse/sync'
import { writeChange } from '../../../src/document/edit/write-change.js'
import { createWriter, readTranslations } from '../../../src/document/exchange/translation-formats.js'
import { planTranslations, type TranslationPlan } from '../../../src/document/exchange/translation-plan.js'
import type { TranslationFormat } from '../../../src/document/exchange/translation-rows.js'
import { translatablesOf } from '../../../src/document/exchange/translations.js'
import { type MenuDocument, readDocument } from '../../../src/document/menu-document.js'
import type { Locales } from '../../../src/model/locale.js'
import { DEFAULT_LIMITS } from '../../support/limits.js'

export const LOCALES: Locales = { locales: ['en', 'es', 'pt-BR'], defaultLocale: 'en' }

/** Menu files by their paths. */
export type Texts = Readonly<Record<string, string>>

/** A menu with these lines of items. */
export function menuOf(...items: readonly string[]): string {
  return ['version: 1', 'code: main', 'name: Main', 'items:', ...items.map((item) => `  - ${item}`), ''].join(
    '\n',
  )
}

function documentOf(texts: Texts, file: string): MenuDocument {
  return readDocument(file, new TextEncoder().encode(texts[file]), DEFAULT_LIMITS)
}

function ended<Value>(work: Generator<void, Value>): Value {
  let step = work.next()
  while (step.done !== true) step = work.next()
  return step.value
}

/** The translation file of some menu files, for some locales. */
export function exported(
  texts: Texts,
  format: TranslationFormat = 'csv',
  columns: readonly string[] = LOCALES.locales,
): string {
  const { head, menu, tail } = createWriter(format, columns, LOCALES)
  const menus = Object.keys(texts).map((file) =>
    menu(file, translatablesOf(documentOf(texts, file).value ?? {}, LOCALES)),
  )
  return head + menus.join('') + tail
}

/** The cells of CSV, read by the library alone. */
export function cellsOf(csv: string): readonly (readonly string[])[] {
  return readCsvText(csv, { bom: true }) as unknown as readonly (readonly string[])[]
}

/** CSV with every cell quoted, as some programs write it. */
export function csvOf(cells: readonly (readonly string[])[], delimiter = ','): string {
  return cells
    .map((row) => `${row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter)}\n`)
    .join('')
}

export interface Imported extends TranslationPlan {
  /** The texts of the files that change. */
  readonly written: Texts
  /** The faults with their lines. */
  readonly lines: readonly string[]
}

/** What the import of a translation file makes of menu files. */
export function imported(texts: Texts, text: string, withOutdated = false): Imported {
  const plan = ended(
    planTranslations(ended(readTranslations(text, LOCALES)), {
      locales: LOCALES,
      withOutdated,
      files: Object.keys(texts),
      read: (file) => documentOf(texts, file),
    }),
  )
  const written = plan.edits.map(({ file, base, change }) => {
    const { value, fault } = writeChange(base, change)
    if (fault !== null) throw new Error(fault)
    return [file, value.mark + value.text] as const
  })
  const lines = plan.faults.map(({ line, what }) => `${line} ${what}`)
  return { ...plan, written: Object.fromEntries(written), lines }
}
