import { FILE_TYPES, readTranslations, toColumns } from '../../document/exchange/translation-formats.js'
import {
  type OutdatedRow,
  planTranslations,
  type TranslationPlan,
} from '../../document/exchange/translation-plan.js'
import type { TranslationFormat } from '../../document/exchange/translation-rows.js'
import { type Translatable, translatablesOf } from '../../document/exchange/translations.js'
import { derived } from '../../model/derived.js'
import type { JsonMap } from '../../model/json.js'
import type { Locales } from '../../model/locale.js'
import { planImport, translationTexts } from '../../review/translations.js'
import { contentHash } from '../../store/hash.js'
import { createPause, inSlices } from '../../store/pause.js'
import type { Edit } from '../../store/publish/plan.js'
import { createTurns } from '../../store/turns.js'
import type { Operator } from '../access/operator.js'
import { Refusal } from '../refusal.js'
import { type EditedMenu, findEdited, ownDraft } from './edited-menu.js'
import { type Exporting, type ExportPart, toExporting } from './export.js'
import { toProblemMember } from './faults.js'
import { toWritten, type WrittenFile } from './import.js'
import { publish, type Workspace } from './workspace.js'

/** The texts of all menus that are served, or of the one of a `file`, for translators; `withDrafts`, as the operator edits them. */
export function exportTranslations(
  workspace: Workspace,
  operator: Operator,
  {
    format,
    locale,
    file,
    withDrafts = false,
  }: {
    readonly format: TranslationFormat
    /** Default: all of them, where the format has several. */
    readonly locale: string | undefined
    readonly file: string | undefined
    readonly withDrafts?: boolean
  },
): Exporting {
  const { current, config, settings } = workspace
  const { locales } = settings
  const { value: columns, fault } = toColumns(format, locale === undefined ? [] : [locale], locales)
  if (fault !== null) throw new Refusal('bad-parameter', { parameter: 'locale' }, fault)
  if (file !== undefined && !current().served.has(file)) throw new Refusal('no-file')
  const files = [...current().served.keys()].filter((path) => file === undefined || path === file)
  const draftOf = (path: string): JsonMap | null =>
    withDrafts && ownDraft(workspace, path, operator.id) !== null
      ? ((editedOrNull(workspace, operator, path)?.change.value as JsonMap | undefined) ?? null)
      : null
  const texts = async function* (): AsyncGenerator<ExportPart> {
    const pause = createPause()
    let count = 0
    for (const text of translationTexts(config, { format, columns, files, locales, draftOf })) {
      // Besides the menus there are a head and a tail.
      yield { text, count: Math.min(files.length, Math.max(0, count++)) }
      await pause()
    }
  }
  return toExporting(workspace, operator, { type: FILE_TYPES[format].type, file, texts })
}

export interface TranslationsWish {
  /** A file in CSV or XLIFF. */
  readonly text: string
  readonly withOutdated: boolean
  /** The `version` of the dry run that was shown; the import that it described is the only one that is made. */
  readonly shown: string | undefined
  readonly isDry: boolean
}

/** What an import of translations wrote, or would write. */
export interface TranslationsReply {
  readonly written: readonly WrittenFile[]
  /** Identifies what the import does: the menus before and after. */
  readonly version: string
  /** Rows whose source text has changed since the export. */
  readonly outdated: readonly OutdatedRow[]
  /** How many more of them there are. */
  readonly omitted: number
  readonly problems: readonly object[]
}

/** Imports come one after the other: what is read of a file takes many times the memory of its text. */
const turnsOf = derived((_: Workspace) => createTurns(1))

/** Writes the texts of a translation file into the menus, all or none. */
export function importTranslations(
  workspace: Workspace,
  operator: Operator,
  wish: TranslationsWish,
): Promise<TranslationsReply> {
  return turnsOf(workspace)(() => importNow(workspace, operator, wish))
}

async function importNow(
  workspace: Workspace,
  operator: Operator,
  { text, withOutdated, shown, isDry }: TranslationsWish,
): Promise<TranslationsReply> {
  const { config, current, settings } = workspace
  const planned = planImport(config, text, {
    ...{ locales: settings.locales, withOutdated, files: current().files },
  })
  const { edits: changes, faults, outdated, omitted } = await inSlices(planned)
  if (faults.length > 0) throw new Refusal('import-refused', { errors: faults, outdated, omitted })
  // Not of the file: a form has other line breaks than the file that was uploaded.
  const effect = changes.map(({ file, base, change }) => [file, contentHash(base.bytes), change.value])
  const version = contentHash(JSON.stringify(effect))
  if (!isDry && changes.length > 0 && shown === undefined) throw new Refusal('version-required', {}, UNSEEN)
  if (shown !== undefined && shown !== version) throw new Refusal('plan-changed', { version })
  if (changes.length === 0) return { written: [], version, outdated, omitted, problems: [] }
  const edits = changes.map(
    ({ file: path, base, change }): Edit => ({ kind: 'change', path, base, change, isStrict: true }),
  )
  const published = publish(workspace, edits, {
    ...{ operator, isDry, action: 'import', occasion: { kind: 'import' } },
  })
  const { files, problems } = await published.catch((thrown: unknown) => {
    // A menu has changed, or is gone, since it was read a moment ago.
    const isLate = thrown instanceof Refusal && LATE.includes(thrown.problem.code)
    throw isLate ? new Refusal('plan-changed') : thrown
  })
  return {
    written: await toWritten(files),
    version,
    outdated,
    omitted,
    problems: problems.map(toProblemMember),
  }
}

const LATE = ['changed', 'no-file', 'bad-path']
const UNSEEN = 'The request needs If-Match with the ETag of its dry run.'

/** A menu as an operator has it, with the texts of their draft. */
interface DraftedMenu extends EditedMenu {
  readonly value: JsonMap
  readonly translatables: readonly Translatable[]
}

/** What an import of translations would add to the drafts of an operator: a step for each menu. */
export interface DraftedTranslations extends TranslationPlan<DraftedMenu> {
  /** Identifies what the import does: the drafts before and after. */
  readonly version: string
  /** How many rows are about other menus than the only one that is wanted. */
  readonly others: number
}

/** Decides what a translation file adds to the drafts of an operator: to that of a `file`, or of all menus (null). */
export function planForDrafts(
  workspace: Workspace,
  operator: Operator,
  { text, withOutdated }: Pick<TranslationsWish, 'text' | 'withOutdated'>,
  file: string | null,
): Promise<DraftedTranslations> {
  const { current, settings } = workspace
  const { locales } = settings
  const files = file === null ? current().files.map(({ path }) => path) : [file]
  const read = (path: string): DraftedMenu | null => {
    const menu = editedOrNull(workspace, operator, path)
    return menu && toDrafted(menu, locales)
  }
  const planned = function* (): Generator<void, DraftedTranslations> {
    const { rows, faults } = yield* readTranslations(text, locales)
    const own = rows.filter((row) => file === null || row.file === file)
    const wish = { locales, withOutdated, files, read, leavesOut: true }
    const plan = yield* planTranslations({ rows: own, faults }, wish)
    const effect = plan.edits.map(({ base, change }) => [base.file, base.state, change.value])
    return { ...plan, others: rows.length - own.length, version: contentHash(JSON.stringify(effect)) }
  }
  return turnsOf(workspace)(() => inSlices(planned()))
}

/** The menu of a file as an operator edits it; null where it cannot be edited. */
function editedOrNull(workspace: Workspace, operator: Operator, file: string): EditedMenu | null {
  try {
    return findEdited(workspace, operator, file)
  } catch (thrown) {
    if (thrown instanceof Refusal) return null
    throw thrown
  }
}

/** The texts of a draft are found by their keys, else by those in the text that it changes, which an earlier export has. */
function toDrafted(menu: EditedMenu, locales: Locales): DraftedMenu {
  const { base, change } = menu
  const value = change.value as JsonMap
  const keys = new Map(translatablesOf(base.value ?? {}, locales).map(({ pointer, key }) => [pointer, key]))
  const own = translatablesOf(value, locales)
  const earlier = own.flatMap((text): readonly Translatable[] => {
    const origin = change.origins.get(text.pointer.replace(/\/label$/, ''))
    const key = origin?.side === 'base' ? keys.get(`${origin.pointer}/label`) : undefined
    return key === undefined ? [] : [{ ...text, key }]
  })
  return { ...menu, value, translatables: [...earlier, ...own] }
}
