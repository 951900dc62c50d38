import type { Change } from '../../change/change.js'
import { applyOperations } from '../../change/operations/apply.js'
import type { Operation } from '../../change/operations/operation.js'
import { groupBy } from '../../model/group-by.js'
import type { JsonMap } from '../../model/json.js'
import type { Locale, Locales } from '../../model/locale.js'
import { toNearest } from '../did-you-mean.js'
import { quote } from '../issue.js'
import type { MenuDocument } from '../menu-document.js'
import {
  MAX_TEXT,
  type TranslationFault,
  type TranslationRow,
  type TranslationRows,
} from './translation-rows.js'
import { type Translatable, textIn, translatablesOf, withTexts } from './translations.js'

/** What an import changes in a menu file, or in what somebody has made of it. */
export interface TranslationEdit<Base = MenuDocument> {
  readonly file: string
  readonly base: Base
  readonly change: Change
  readonly operations: readonly Operation[]
  readonly rows: readonly TranslatedRow[]
  /** How many texts are new or others. */
  readonly texts: number
}

/** A label before an import, and its texts that are new or others. */
interface TranslatedRow {
  readonly text: Translatable
  readonly changed: ReadonlyMap<Locale, string>
}

/** A row whose source text was another one when it was exported. */
export interface OutdatedRow {
  readonly line: number
  readonly file: string
  readonly key: string
  readonly was: string
  readonly now: string
}

/** What an import would do: nothing where there is a fault, unless those rows are left out. */
export interface TranslationPlan<Base = MenuDocument> {
  readonly edits: readonly TranslationEdit<Base>[]
  readonly outdated: readonly OutdatedRow[]
  readonly faults: readonly TranslationFault[]
  /** How many more faults and outdated rows there are than are listed. */
  readonly omitted: number
  /** How many rows are not applied. */
  readonly left: number
}

export interface PlanRequest<Base = MenuDocument> {
  readonly locales: Locales
  /** The paths of all menu files. */
  readonly files: readonly string[]
  /** The document of a menu file; null where it cannot be read as a menu. */
  readonly read: (file: string) => Base | null
  /** Whether outdated rows are applied as well. */
  readonly withOutdated: boolean
  /** Whether rows with faults are left out. Default: they keep all others from being applied. */
  readonly leavesOut?: boolean
}

/** At most this many faults are listed, and as many outdated rows. */
const MAX_LISTED = 200
/** Suggestions take long where a menu has thousands of items, so only the first faults have one. */
const MAX_SUGGESTED = 20

/** What is translated: a value, with its texts where their keys are others than the value gives them. */
interface Translated {
  readonly value: JsonMap | null
  readonly translatables?: readonly Translatable[]
}

/** Decides what the rows of a translation file change, in slices. All faults are found at once. */
export function* planTranslations<Base extends Translated>(
  { rows, faults: unread }: TranslationRows,
  { locales, files, read, withOutdated, leavesOut = false }: PlanRequest<Base>,
): Generator<void, TranslationPlan<Base>> {
  const faults: TranslationFault[] = []
  const outdated: OutdatedRow[] = []
  let [omitted, left] = [0, 0]
  const refuse = (line: number, what: string, meant?: () => string | null): void => {
    const near = (faults.length < MAX_SUGGESTED && meant?.()) || null
    if (faults.length >= MAX_LISTED) omitted++
    else faults.push({ line, what: near === null ? what : `${what} Did you mean ${quote(near)}?` })
  }
  for (const { line, what } of unread) refuse(line, what)
  const known = new Set(files)
  const edits: TranslationEdit<Base>[] = []
  const seen = new Map<string, number>()
  for (const [file, own] of groupBy(rows, (row) => row.file)) {
    yield
    const base = known.has(file) ? read(file) : undefined
    const value = base?.value
    const all = base?.translatables ?? (value ? translatablesOf(value, locales) : [])
    const texts = new Map(all.map((each) => [each.key, each]))
    const translated = new Map<string, TranslatedRow>()
    for (const row of own) {
      yield
      const { line, key, field } = row
      const text = texts.get(key)
      const place = JSON.stringify([file, key, field])
      const twice = seen.get(place)
      let isTaken = false
      if (base === undefined)
        refuse(line, `There is no menu file ${quote(file)}.`, () => toNearest(file, files))
      else if (!value) refuse(line, `${quote(file)} cannot be read as a menu. Correct it first.`)
      else if (text === undefined) {
        const what = `${quote(file)} has no item ${quote(key)}.`
        refuse(line, what, () => toNearest(key, texts.keys()))
      } else if (field !== text.field)
        refuse(line, `The field ${quote(field)} of ${quote(key)} must be "${text.field}".`)
      else if (twice !== undefined) refuse(line, `The row repeats that of line ${twice}.`)
      else {
        const changed = changedTexts(row, text, locales)
        isTaken = true
        for (const [locale, changedText] of changed) {
          const what = faultOf(changedText)
          if (what === null) continue
          refuse(line, `The text for ${locale} ${what}.`)
          isTaken = false
        }
        const isOutdated = changed.size > 0 && row.source !== text.source
        if (isOutdated && outdated.length >= MAX_LISTED) omitted++
        else if (isOutdated) outdated.push({ line, file, key, was: row.source, now: text.source })
        if (isOutdated && !withOutdated) isTaken = false
        if (isTaken && changed.size > 0) translated.set(text.pointer, { text, changed })
      }
      if (!isTaken) left++
      seen.set(place, twice ?? line)
    }
    const operations = [...translated].map(
      ([path, { text, changed }]) =>
        ({ op: 'replace', path, value: withTexts(text.label, changed, locales) }) as const,
    )
    const { value: change } = applyOperations(value ?? null, operations)
    if (!base || !change || translated.size === 0) continue
    const done = [...translated.values()]
    const count = done.reduce((sum, { changed }) => sum + changed.size, 0)
    edits.push({ file, base, change, operations, rows: done, texts: count })
  }
  faults.sort((a, b) => a.line - b.line)
  return { edits: leavesOut || faults.length === 0 ? edits : [], outdated, faults, omitted, left }
}

/** The texts of a row that are others than those of the label. */
function changedTexts(
  { texts }: TranslationRow,
  { label }: Translatable,
  locales: Locales,
): ReadonlyMap<Locale, string> {
  return new Map([...texts].filter(([locale, text]) => textIn(label, locale, locales) !== text))
}

/** What keeps a text from being a label; null for nothing. */
function faultOf(text: string): string | null {
  // A character may be two units of a text.
  if (text.length > 2 * MAX_TEXT || [...text].length > MAX_TEXT) return `has more than ${MAX_TEXT} characters`
  return CONTROL.test(text) ? 'has a control character' : null
}

/** What no menu may have, unlike line breaks. */
const CONTROL = /[^\n\P{Cc}]|\p{Cs}|[\ufffe\uffff]/u
