import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { toSettings } from '../config/service-settings.js'
import { toNearest } from '../document/did-you-mean.js'
import { toColumns } from '../document/exchange/translation-formats.js'
import type { OutdatedRow, TranslationPlan } from '../document/exchange/translation-plan.js'
import { MAX_BYTES, type TranslationFormat } from '../document/exchange/translation-rows.js'
import { decodeUtf8 } from '../document/read/decode.js'
import { toVisible } from '../document/source.js'
import type { MenuFile } from '../model/menu-file.js'
import { toPlainJson } from '../model/plain-json.js'
import { count } from '../review/count.js'
import { refuse } from '../review/refusal.js'
import { type Site, toSeen } from '../review/site.js'
import { planImport, toTranslatedFile, translationTexts, writeTranslated } from '../review/translations.js'
import { toUnifiedDiff } from '../review/unified-diff.js'
import { toReason } from '../service/log.js'
import { inSlices } from '../store/pause.js'
import { type CommandContext, type Flags, needMenus, note, saveAs } from './command.js'
import type { Ending } from './exit-codes.js'
import { readMenus } from './read-menus.js'

type ExportFlags = Flags<never, 'output'> & {
  readonly format: TranslationFormat
  readonly locale?: readonly string[]
}

/** `menuscript translations export`: writes the texts of all menus, or of some files, for translators. */
export async function exportTranslations(
  context: CommandContext,
  { format, locale = [], output, ...flags }: ExportFlags,
  named: readonly string[],
): Promise<Ending> {
  const site = await needMenus(context, flags)
  const { locales } = toSettings(site.options)
  const { value: columns, fault } = toColumns(format, locale, locales)
  if (fault !== null) return refuse('usage', `--locale: ${fault}`)
  const { files } = await readMenus(context, site)
  const chosen = named.length === 0 ? files : named.map((each) => findFile(each, files, site))
  const broken = chosen.filter(({ menu }) => menu === null)
  for (const { path } of broken) note(context, `${toSeen(site, path)} has errors and is left out`)
  const paths = [...new Set(chosen.filter((each) => !broken.includes(each)).map(({ path }) => path))]
  const text = [...translationTexts(site, { format, columns, files: paths, locales })].join('')
  if (output === undefined) context.terminal.write(new TextEncoder().encode(text))
  else saveAs(context, output, text)
  return broken.length > 0 ? 'findings' : 'fine'
}

function findFile(named: string, files: readonly MenuFile[], site: Site): MenuFile {
  const full = resolve(site.folder, named)
  const found = files.find(({ path }) => resolve(site.menusFolder, path) === full)
  if (found !== undefined) return found
  const near = toNearest(
    named,
    files.map(({ path }) => toSeen(site, path)),
  )
  return refuse('usage', `there is no menu file ${named}${near === null ? '' : `; did you mean ${near}?`}`)
}

/** `menuscript translations import`: writes the texts of a file into the menus, all or none. */
export async function importTranslations(
  context: CommandContext,
  { dryRun, outdated: withOutdated, json, ...flags }: Flags<'dryRun' | 'outdated' | 'json'>,
  path: string,
): Promise<Ending> {
  const { terminal } = context
  const site = await needMenus(context, flags, dryRun ? 'read' : 'write')
  const text = readGiven(context, path)
  const { files } = await readMenus(context, site)
  const { locales } = toSettings(site.options)
  const { edits, ...plan } = await inSlices(planImport(site, text, { locales, withOutdated, files }))
  const outcomes = edits.map((edit) => toTranslatedFile(edit, site))
  const unwritten = outcomes.flatMap(({ fault }) => (fault === null ? [] : [{ line: 0, what: fault }]))
  const faults = [...plan.faults, ...unwritten]
  const changed = faults.length > 0 ? [] : outcomes.flatMap(({ value }) => value ?? [])
  const fault = dryRun ? null : writeTranslated(changed, site)
  const difference = dryRun ? changed.map(toUnifiedDiff).join('') : ''
  for (const line of toLines(path, { ...plan, faults }, withOutdated)) terminal.err(line)
  if (fault !== null) refuse('configuration', `nothing was imported: ${fault}`)
  const written = changed.map(({ path: file, texts }) => ({ file, texts }))
  if (json) {
    const { outdated, omitted } = plan
    terminal.out(
      toPlainJson({ version: 1, files: written, outdated, errors: faults, omitted, difference }, 2),
    )
  } else if (dryRun) terminal.write(new TextEncoder().encode(difference))
  else for (const { file, texts } of written) terminal.out(`${toVisible(file)}: ${count(texts, 'text')}`)
  if (faults.length === 0 && written.length === 0) note(context, 'the file changes no text')
  return faults.length > 0 || (plan.outdated.length > 0 && !withOutdated) ? 'findings' : 'fine'
}

/** The text of the file that is imported. */
function readGiven({ folder }: CommandContext, path: string): string {
  const full = resolve(folder, path)
  try {
    const { size } = statSync(full)
    if (size > MAX_BYTES) refuse('usage', `${path} has ${size} bytes, and ${MAX_BYTES} are allowed`)
    const { text, badByte } = decodeUtf8(readFileSync(full))
    return text ?? refuse('usage', `${path} is not UTF-8 at byte ${badByte}; save it as UTF-8`)
  } catch (thrown) {
    if (!(thrown instanceof Error) || !('code' in thrown)) throw thrown
    return refuse('usage', `${path} cannot be read: ${toReason(thrown)}`)
  }
}

function toLines(
  path: string,
  { faults, outdated, omitted }: Omit<TranslationPlan, 'edits'>,
  withOutdated: boolean,
): readonly string[] {
  const at = (line: number): string => (line === 0 ? path : `${path}:${line}`)
  const toNote = ({ line, file, key, was, now }: OutdatedRow): string => {
    const what = `${file} ${key} was ${JSON.stringify(was)} and is now ${JSON.stringify(now)}`
    return `note: ${at(line)} is outdated: ${what}`
  }
  return [
    ...faults.map(({ line, what }) => `error: ${at(line)} ${what}`),
    ...(withOutdated ? [] : outdated.map(toNote)),
    ...(omitted > 0 ? [`note: and ${omitted} more`] : []),
    ...(faults.length > 0 ? ['error: nothing is imported until this is corrected'] : []),
  ]
}
