import { applyOperations } from '../../change/operations/apply.js'
import { writeChange } from '../../document/edit/write-change.js'
import type { Notes } from '../../document/exchange/conversion.js'
import { type Import, type ImportedMenu, importMenus, MAX_MENUS } from '../../document/exchange/import.js'
import type { MenuDocument } from '../../document/menu-document.js'
import { toModeline } from '../../document/new-menu.js'
import { describeContext, toContextKey } from '../../model/context.js'
import { derived } from '../../model/derived.js'
import { isMap, type JsonMap } from '../../model/json.js'
import { readMenu, toParseOptions } from '../../review/reading.js'
import { contentHash } from '../../store/hash.js'
import { createPause, inSlices } from '../../store/pause.js'
import { createFileNames, findSchema } from '../../store/publish/new-file.js'
import type { Edit, Published } from '../../store/publish/plan.js'
import type { Publication } from '../../store/publish/queue.js'
import { createTurns } from '../../store/turns.js'
import type { Operator } from '../access/operator.js'
import { attempt, Refusal } from '../refusal.js'
import { findEdited } from './edited-menu.js'
import { toProblemMember } from './faults.js'
import { toDiff } from './publish-records.js'
import { addToDrafts } from './steps.js'
import { findDocument, MAX_DIFF, publish, toOutdated, type Workspace } from './workspace.js'

/** By the path of each file that an import writes: its version before; null for a file that does not exist. */
export type ImportVersions = Readonly<Record<string, string | null>>

/** What an import wrote, or would write. */
export interface ImportReply extends Notes {
  readonly written: readonly WrittenFile[]
  /** Sent back with the import, they keep it from writing over anything else than what was shown. */
  readonly versions: ImportVersions
  /** The menus that were there already, in words. */
  readonly skipped: readonly string[]
  readonly problems: readonly object[]
}

export interface WrittenFile {
  readonly file: string
  readonly what: 'added' | 'replaced' | 'unchanged'
  /** What becomes of a file that is replaced; null for others, and where the differences are too long. */
  readonly diff: string | null
}

/** Characters of all differences of a response. */
const MAX_DIFFS = 16 * MAX_DIFF

/** Imports come one after the other: what is read of a payload takes many times the memory of its text. */
const turnsOf = derived((_: Workspace) => createTurns(1))

export interface ImportWish {
  /** A payload in JSON. */
  readonly json: string
  /** Whether menus that exist are replaced. Otherwise they are kept. */
  readonly isReplacing: boolean
  /** The versions shown to the operator; only these are replaced. Default: what the payload has as `versions`. */
  readonly shown?: ImportVersions
  readonly isDry: boolean
}

/** Writes all menus of a payload, or none. */
export async function importAll(
  workspace: Workspace,
  operator: Operator,
  wish: ImportWish,
): Promise<ImportReply> {
  return (await planAll(workspace, operator, wish)).reply
}

/** What an import does, with the files before and after, and the menus in them. */
export interface ImportPlan {
  readonly reply: ImportReply
  readonly files: readonly Published[]
  /** By the path of a file. */
  readonly values: ReadonlyMap<string, JsonMap>
}

export function planAll(workspace: Workspace, operator: Operator, wish: ImportWish): Promise<ImportPlan> {
  return turnsOf(workspace)(() => importNow(workspace, operator, wish))
}

/** The files that an import replaces become steps of the operator's drafts, where visitors do not see them. New ones have no draft. */
export async function importIntoDrafts(
  workspace: Workspace,
  operator: Operator,
  { reply, values }: ImportPlan,
): Promise<number> {
  const edits = reply.written.flatMap(({ file, what }) => {
    const value = values.get(file)
    if (what !== 'replaced' || value === undefined) return []
    return [
      {
        file,
        base: findEdited(workspace, operator, file),
        operations: [{ op: 'replace', path: '', value } as const],
      },
    ]
  })
  await addToDrafts(workspace, operator, { edits, version: contentHash(JSON.stringify(reply.versions)) })
  return edits.length
}

async function importNow(
  workspace: Workspace,
  operator: Operator,
  { json, isReplacing, shown, isDry }: ImportWish,
): Promise<ImportPlan> {
  const { menus, versions: sent, ...notes } = await readPayload(workspace, json)
  const replaceable = shown ?? sent
  if (replaceable !== null && !areVersions(replaceable)) throw new Refusal('bad-body', {}, BAD_VERSIONS)
  const { edits, skipped, values } = await planImport(workspace, menus, isReplacing, replaceable)
  const publishNow = (isOnlyJudged: boolean): Promise<Publication> =>
    publish(workspace, edits, {
      operator,
      isDry: isOnlyJudged,
      action: 'import',
      occasion: { kind: 'import' },
    })
  if (notes.refusals > 0) {
    const { members } = (await attempt(() => publishNow(true))).fault ?? {}
    throw new Refusal('import-refused', { ...notes, problems: members?.['problems'] ?? [] })
  }
  if (replaceable !== null) judgeLost(workspace, edits, replaceable)
  if (replaceable === null && !isDry && edits.some(isReplacement))
    throw new Refusal('version-required', {}, UNSEEN)
  const published = await publishNow(isDry).catch((thrown: unknown) => {
    if (!(thrown instanceof Refusal)) throw thrown
    throw new Refusal({ ...thrown.problem, members: { ...thrown.problem.members, ...notes } })
  })
  const reply = {
    written: await toWritten(published.files),
    versions: Object.fromEntries(edits.map(({ path, version }) => [path, version])),
    ...{ skipped, ...notes },
    problems: published.problems.map(toProblemMember),
  }
  return { reply, files: published.files, values }
}

function readPayload({ config, settings }: Workspace, json: string): Promise<Import> {
  const bytes = new TextEncoder().encode(json)
  return inSlices(importMenus(bytes, toParseOptions(config), settings.locales.defaultLocale))
}

function areVersions(value: unknown): value is ImportVersions {
  if (!isMap(value)) return false
  const all = Object.values(value)
  return all.length <= MAX_MENUS && all.every((each) => each === null || typeof each === 'string')
}

type TextEdit = Edit & { readonly kind: 'text' }

/** A file of each menu, and in words the menus that are kept as they are. */
async function planImport(
  { config, current, documents }: Workspace,
  menus: readonly ImportedMenu[],
  isReplacing: boolean,
  replaceable: ImportVersions | null,
): Promise<
  { readonly edits: readonly TextEdit[]; readonly skipped: readonly string[] } & Pick<ImportPlan, 'values'>
> {
  const { files, index } = current()
  const toName = createFileNames(
    config.options.storage.file_prefix,
    files.map(({ path }) => path),
  )
  // All new files are at the top.
  const schema = findSchema(config.menusFolder, NEW_NAME)
  const modeline = toModeline(schema.copy === null ? schema.path : null, '\n')
  const skipped: string[] = []
  const edits: TextEdit[] = []
  const values = new Map<string, JsonMap>()
  const pause = createPause()
  for (const imported of menus) {
    const { code, context } = imported.menu
    const known = index.get(code)?.get(toContextKey(context))?.path
    const path = known ?? toName(code, context)
    const before = known === undefined ? null : readMenu(config, known, documents.read)
    const version = replaceable === null ? before && contentHash(before.bytes) : (replaceable[path] ?? null)
    if (known !== undefined && !isReplacing)
      skipped.push(`${code} with ${describeContext(context)} exists as ${known}`)
    else {
      edits.push({ kind: 'text', path, version, text: toText(imported, before, modeline) })
      values.set(path, imported.value)
    }
    await pause()
  }
  return { edits, skipped, values }
}

/** The text that replaces one: what does not differ stays as it is written, with its comments. */
function toText({ text, value }: ImportedMenu, before: MenuDocument | null, modeline: string): string {
  if (before === null) return modeline + text
  const whole = [{ op: 'replace', path: '', value }] as const
  const { value: change } = applyOperations(before.value ?? {}, whole)
  const written = change && writeChange(before, change).value
  return written ? written.mark + written.text : text
}

function isReplacement({ version, text }: TextEdit): boolean {
  return version !== null && version !== contentHash(new TextEncoder().encode(text ?? ''))
}

/** Refuses for a file that was shown as replaced, and is another one or gone, so that it would not be. */
function judgeLost(workspace: Workspace, edits: readonly TextEdit[], replaceable: ImportVersions): void {
  const written = new Set(edits.map(({ path }) => path))
  for (const [file, version] of Object.entries(replaceable)) {
    if (version === null) continue
    const { value: now } = findDocument(workspace, file)
    if (now === null)
      throw new Refusal('changed', { file, asked: version, version: null, menu: null, diff: null })
    if (!written.has(file) && contentHash(now.bytes) !== version) throw toOutdated(workspace, file, version)
  }
}

/** What became of each file, with its difference as long as there is room for it. */
export async function toWritten(files: readonly Published[]): Promise<readonly WrittenFile[]> {
  const written: WrittenFile[] = []
  const pause = createPause()
  let room = MAX_DIFFS
  for (const file of files) {
    const { path, before, after } = file
    const what = before === null ? 'added' : before === after ? 'unchanged' : 'replaced'
    const diff = what === 'replaced' && room > 0 ? toDiff(file) : ''
    const isShown = diff !== '' && diff.length <= Math.min(MAX_DIFF, room)
    if (isShown) room -= diff.length
    written.push({ file: path, what, diff: isShown ? diff : null })
    await pause()
  }
  return written
}

const NEW_NAME = 'new.yaml'
const BAD_VERSIONS = '"versions" is {FILE: text or null}, as the dry run of the import answers it.'
const UNSEEN = 'The import would replace files. Send the "versions" of its dry run in the body.'
