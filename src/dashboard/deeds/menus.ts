import { applyOperations } from '../../change/operations/apply.js'
import type { Operation } from '../../change/operations/operation.js'
import { isMap } from '../../model/json.js'
import { toYamlLimits } from '../../model/limits.js'
import type { Context } from '../../model/menu.js'
import { type NewMenuRequest, planNewMenu } from '../../review/new-menu.js'
import { readContextSets } from '../../service/context-sets.js'
import type { Publication } from '../../store/publish/queue.js'
import type { Operator } from '../access/operator.js'
import { Refusal } from '../refusal.js'
import { needWritten } from './drafts.js'
import { ownDraft } from './edited-menu.js'
import { needPath, toOperationProblem, toProblemMember } from './faults.js'
import { stateOf, toEditors } from './file-states.js'
import { needMenu, publish, toReadable, type Workspace } from './workspace.js'

/** Whether nothing is to be written, only said what would be. */
interface Dry {
  readonly isDry: boolean
}

/** All menu files as they are served, with what is wrong with them and who is editing them. */
export async function listMenus({ current, drafts, uncommitted }: Workspace): Promise<object> {
  const snapshot = current()
  const { revision, files, served } = snapshot
  const changed = await uncommitted()
  const all = toEditors(drafts.list())
  const menus = files.map(({ path, version, menu, problems }) => {
    const seen = menu ?? served.get(path)?.menu ?? null
    return {
      file: path,
      version,
      code: seen?.code ?? null,
      name: seen?.name ?? null,
      context: seen?.context ?? null,
      state: stateOf(snapshot, path),
      uncommitted: changed?.has(path) ?? null,
      problems: problems.map(toProblemMember),
      drafts: all.filter(({ file }) => file === path).map(({ file: _, ...editor }) => editor),
    }
  })
  // Deletions have no row of their own, and keep git from pulling all the same.
  const gone = [...(changed ?? [])].filter((path) => !files.some((file) => file.path === path))
  return { revision, menus, uncommittedDeletions: gone }
}

/** A menu that somebody wants. */
export interface NewMenu {
  readonly code: string
  readonly name?: string | null
  /** Judged here. */
  readonly context?: unknown
  readonly file?: string | null
  readonly empty?: boolean
}

/** Writes the file of a new menu. */
export function createMenu(
  workspace: Workspace,
  operator: Operator,
  { code, name = null, context, file = null, empty = false, isDry }: NewMenu & Dry,
): Promise<Publication> {
  const wanted = { code, name, context: readContext(workspace, context), path: file, isEmpty: empty }
  return publishNew(workspace, operator, isDry, wanted)
}

/** What is copied, in the version that was shown (null for any), and what the copy has instead. */
export interface Copy {
  readonly file: string
  readonly version?: string | null
  readonly code?: string
  readonly name?: string | null
  /** Judged here. */
  readonly context?: unknown
  /** The path of the new file. */
  readonly to?: string | null
}

/** Makes a complete copy of a menu, comments and ids too; with the draft of the operator, as that has it; for visitors from a time on. */
export async function copyMenu(
  workspace: Workspace,
  operator: Operator,
  { file, version = null, name = null, to = null, isDry, ...wanted }: Copy & Dry,
  { withDraft = false, visibleFrom = null }: { withDraft?: boolean; visibleFrom?: string | null } = {},
): Promise<Publication> {
  const published = needMenu(workspace, needPath(file), version ?? undefined)
  const draft = withDraft ? ownDraft(workspace, file, operator.id) : null
  const source = draft === null ? published : toReadable(needWritten(draft))
  const { code, context } = { ...source.value, ...wanted }
  if (typeof code !== 'string')
    throw new Refusal('bad-body', {}, 'The menu has no code, and the copy needs one.')
  const copy = {
    code,
    name,
    context: readContext(workspace, context),
    path: to,
    isEmpty: false,
    source,
    visibleFrom,
  }
  return publishNew(workspace, operator, isDry, copy)
}

function readContext({ config }: Workspace, context: unknown = null): Context {
  const { fault } = readContextSets([context], config.options.limits)
  if (fault !== null) throw new Refusal('bad-context', {}, fault.detail)
  return isMap(context) ? (context as Context) : {}
}

async function publishNew(
  workspace: Workspace,
  operator: Operator,
  isDry: boolean,
  wanted: Omit<NewMenuRequest, 'copiesSchema'>,
): Promise<Publication> {
  if (wanted.path !== null) needPath(wanted.path)
  const request = { ...wanted, copiesSchema: false }
  const { value: plan, fault } = planNewMenu(workspace.config, workspace.current(), request)
  if (fault?.reason === 'exists') throw new Refusal('menu-exists', { file: fault.path })
  if (fault?.reason === 'uncopyable')
    throw new Refusal('uncopyable', { file: fault.path }, `${fault.path} cannot be copied.`)
  if (fault !== null)
    throw new Refusal('invalid-menu', { problems: [toProblemMember(fault.problem)] }, fault.problem.what)
  const edit = { kind: 'text', path: plan.path, version: null, text: plan.text } as const
  return publish(workspace, [edit], {
    operator,
    isDry,
    action: wanted.source === undefined ? 'create' : 'copy',
  })
}

/** Changes a menu in one version, and publishes that. */
export function patchMenu(
  workspace: Workspace,
  operator: Operator,
  { file, version, operations, isDry }: PatchWish,
): Promise<Publication> {
  const base = needMenu(workspace, file, version)
  const limits = toYamlLimits(workspace.config.options.limits)
  const { value: change, fault } = applyOperations(base.value, operations, limits)
  if (fault !== null) throw new Refusal(toOperationProblem(fault))
  const edit = { kind: 'change', path: file, base, change, isStrict: true } as const
  return publish(workspace, [edit], { operator, isDry, action: 'change' })
}

interface PatchWish extends Dry {
  readonly file: string
  readonly version: string
  readonly operations: readonly Operation[]
}

/** Puts a text in place of a version, or deletes it (null); where the version is null, the file must not exist yet. */
export function replaceFile(
  workspace: Workspace,
  operator: Operator,
  { file, version, text, isDry }: ReplaceWish,
): Promise<Publication> {
  const edit = { kind: 'text', path: file, version, text } as const
  const action = version === null ? 'create' : text === null ? 'delete' : 'replace'
  return publish(workspace, [edit], { operator, isDry, action })
}

interface ReplaceWish extends Dry {
  readonly file: string
  readonly version: string | null
  readonly text: string | null
}
