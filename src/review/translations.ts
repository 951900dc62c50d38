import type { Config } from '../config/load-config.js'
import { writeChange } from '../document/edit/write-change.js'
import { createWriter, readTranslations } from '../document/exchange/translation-formats.js'
import {
  type PlanRequest,
  planTranslations,
  type TranslationEdit,
  type TranslationPlan,
} from '../document/exchange/translation-plan.js'
import type { TranslationFormat } from '../document/exchange/translation-rows.js'
import { translatablesOf } from '../document/exchange/translations.js'
import type { JsonMap } from '../model/json.js'
import type { Locale, Locales } from '../model/locale.js'
import type { MenuFile } from '../model/menu-file.js'
import { isError } from '../model/problem.js'
import { done, failed, type Result } from '../model/result.js'
import { toReason } from '../service/log.js'
import { contentHash } from '../store/hash.js'
import { writeFile } from '../store/publish/write-file.js'
import { parseText, readMenu } from './reading.js'
import { type Site, toSeen } from './site.js'
import type { TextPair } from './unified-diff.js'

/** The text of a translation file in parts: its head, a part for each menu, its tail. Files that are not menus are left out. */
export function* translationTexts(
  config: Config,
  {
    format,
    columns,
    files,
    locales,
    draftOf = () => null,
  }: {
    readonly format: TranslationFormat
    /** The locales whose texts are exported. */
    readonly columns: readonly Locale[]
    readonly files: readonly string[]
    readonly locales: Locales
    /** What is exported instead of a file; null for nothing. */
    readonly draftOf?: (file: string) => JsonMap | null
  },
): Generator<string, void> {
  const writer = createWriter(format, columns, locales)
  yield writer.head
  for (const file of files) {
    const value = draftOf(file) ?? readMenu(config, file)?.value ?? null
    if (value !== null) yield writer.menu(file, translatablesOf(value, locales))
  }
  yield writer.tail
}

/** Decides what a translation file changes in menu files, in slices; writes nothing. */
export function* planImport(
  config: Config,
  text: string,
  wish: Pick<PlanRequest, 'locales' | 'withOutdated'> & { readonly files: readonly MenuFile[] },
): Generator<void, TranslationPlan> {
  const { locales, withOutdated, files } = wish
  const menus = new Map(files.map((each) => [each.path, each.menu]))
  return yield* planTranslations(yield* readTranslations(text, locales), {
    ...{ locales, withOutdated, files: [...menus.keys()] },
    read: (file) => (menus.get(file) === null ? null : readMenu(config, file)),
  })
}

/** A menu file as an import makes it; `path` is as people see it. */
export interface TranslatedFile extends TextPair {
  readonly file: string
  /** The content hash of `before`. */
  readonly version: string
  readonly before: string
  readonly after: string
  readonly texts: number
}

/** The text that an edit makes of its file, or why it cannot be written. */
export function toTranslatedFile(
  { file, base, change, texts }: TranslationEdit,
  site: Site,
): Result<TranslatedFile, string> {
  const path = toSeen(site, file)
  const { value, fault } = writeChange(base, change)
  if (fault !== null) return failed(`${path}: ${fault}`)
  const [before, after] = [base, value].map(({ mark, text }) => mark + text) as [string, string]
  const problem = parseText(site, file, after).problems.find(isError)
  if (problem !== undefined) return failed(`${path}:${problem.line}: ${problem.what}`)
  return done({ file, path, version: contentHash(base.bytes), before, after, texts })
}

/** Writes all files, or none: why, in a sentence; null where all are written. */
export function writeTranslated(files: readonly TranslatedFile[], { menusFolder }: Site): string | null {
  const written: TranslatedFile[] = []
  for (const each of files) {
    const { file, path, version, after } = each
    let fault: string | null = null
    try {
      if (!writeFile(menusFolder, file, version, after)) fault = 'it changed in the meantime'
    } catch (thrown) {
      fault = toReason(thrown)
    }
    if (fault !== null) {
      const left = written.toReversed().filter((other) => !isTakenBack(menusFolder, other))
      const names = left.map((other) => other.path).join(', ')
      return `${path} cannot be written (${fault})${names === '' ? '' : `; still translated: ${names}`}`
    }
    written.push(each)
  }
  return null
}

function isTakenBack(menusFolder: string, { file, before, after }: TranslatedFile): boolean {
  try {
    return writeFile(menusFolder, file, contentHash(new TextEncoder().encode(after)), before)
  } catch {
    return false
  }
}
