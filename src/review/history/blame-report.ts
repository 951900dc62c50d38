import { placedItems } from '../../change/items.js'
import { groupBy } from '../../model/group-by.js'
import type { Json, JsonMap } from '../../model/json.js'
import { nameOf } from '../../model/label.js'
import { hashOf } from '../../store/git/repository.js'
import { toCommit } from '../../store/git/revision.js'
import { refuse } from '../refusal.js'
import { openMenusRepository, type Site, toTree } from '../site.js'
import { type CommitJson, toCommitJson } from './commit-json.js'
import { errorNote, findOne, pathIn, type Wanted } from './find-menu.js'
import { blameItems, type FieldOrigin, type ItemOrigin, POSITION } from './menu-blame.js'
import { createMenuHistory, type MenuVersion, scopeOf } from './menu-history.js'
import { momentOf } from './menus-at.js'

/** Who last changed the items of a menu. */
export interface BlameReport {
  readonly code: string
  /** As seen from where the command runs, or `REV:path`. */
  readonly file: string
  /** The requested commit; null for the work tree. */
  readonly at: string | null
  readonly items: readonly BlamedItem[]
  /** Notes for the reader. */
  readonly notes: readonly string[]
}

export interface BlamedItem {
  readonly line: number
  /** JSON Pointer (RFC 6901). */
  readonly pointer: string
  readonly id: string | null
  readonly type: string
  readonly label: Json
  /** What last changed the item itself. */
  readonly kind: 'added' | 'edited' | 'unknown'
  /** The fields that it edited or removed. */
  readonly keys: readonly string[]
  readonly byMerge: boolean
  /** Null for what is not committed yet. */
  readonly changed: CommitJson | null
  /** The last move since; null where it was not moved. Its `commit` is null when that is not committed yet. */
  readonly moved: CommitJson | { readonly commit: null } | null
  /** Every field, including removed ones; the newest first. */
  readonly fields: readonly BlamedField[]
  /** For people, instead of the members above: the newest commit first, each with at least one field. */
  readonly shown: { readonly name: string; readonly depth: number; readonly commits: readonly BlamedCommit[] }
}

export interface BlamedField extends Omit<FieldOrigin, 'commit'> {
  /** Null for what is not committed yet. */
  readonly changed: CommitJson | null
}

/** A commit's change to an item that no later commit replaced. */
export interface BlamedCommit {
  /** Null for what is not committed yet. */
  readonly commit: CommitJson | null
  readonly fields: readonly BlamedField[]
}

/** Explains the wanted menu; `onProgress` gets the number of versions read. */
export async function toBlameReport(
  site: Site,
  wanted: Wanted,
  onProgress: (versions: number) => void,
): Promise<BlameReport> {
  const { limits, locales, storage } = site.options
  const menus = await openMenusRepository(site)
  const found = await findOne(site, menus, wanted)
  const { place, text, commit, problems } = found
  const { value, lineOf } = text.document
  if (value === null) {
    const todo =
      commit === null ? 'Fix it, or use the committed version: --at HEAD' : 'Choose another version'
    return refuse('configuration', `${place} cannot be read. ${todo}`, problems)
  }
  const history = createMenuHistory(menus.repository, limits, scopeOf(menus.folder, storage.file_prefix))
  const merged = commit === null ? await hashOf(menus.repository, 'MERGE_HEAD') : null
  const version = commit === null ? null : await history.latest(commit, toTree(menus, text.path))
  const before: MenuVersion[] = []
  // The work tree is made from what is checked out; during a merge, from both sides.
  const sides = commit === null ? ['HEAD', ...(merged === null ? [] : [merged])] : []
  for (const side of sides) {
    const { value: name } = await toCommit(menus.repository, side)
    if (name === null) continue
    const path = await pathIn(await momentOf(menus, side, name), text)
    const old = await history.latest(name, toTree(menus, path))
    if (old !== null) before.push(old)
  }
  const origins = await blameItems(history, { value, version, before }, onProgress)
  const items = placedItems(value).map(({ item, pointer }): BlamedItem => {
    return { line: lineOf(pointer), pointer, ...toBlamed(item, pointer, origins.get(pointer) ?? [], locales) }
  })
  const isUnknown = items.some(({ fields }) => fields.some(({ kind }) => kind === 'unknown'))
  const notes = [
    errorNote(found),
    merged === null ? null : 'a merge is in progress: what neither side has is reported as not committed yet',
    isUnknown
      ? 'older commits are missing from this shallow clone; git fetch --unshallow fetches them'
      : null,
  ].filter((note) => note !== null)
  return { code: wanted.code, file: place, at: commit, items, notes }
}

function toBlamed(
  item: JsonMap,
  pointer: string,
  origin: ItemOrigin,
  locales: readonly string[],
): Omit<BlamedItem, 'line' | 'pointer'> {
  const fields = origin.map(({ commit, ...field }) => ({
    ...field,
    changed: commit === null ? null : toCommitJson(commit),
  }))
  const commits = toCommits(fields)
  const changedAt = commits.findIndex((each) => each.fields.some(({ field }) => field !== POSITION))
  const movedAt = commits.findIndex((each) => each.fields.some(({ kind }) => kind === 'moved'))
  const [changed, moved] = [commits[changedAt], movedAt <= changedAt ? commits[movedAt] : undefined]
  const own = (changed?.fields ?? []).filter(({ field }) => field !== POSITION)
  const edited = own.filter(({ kind }) => kind === 'edited' || kind === 'removed')
  const rest = own.some(({ kind }) => kind === 'added') ? 'added' : 'unknown'
  const { id, type, label = null } = item
  return {
    id: typeof id === 'string' ? id : null,
    type: typeof type === 'string' ? type : 'link',
    label,
    kind: edited.length > 0 ? 'edited' : rest,
    keys: edited.map(({ field }) => field),
    byMerge: own.some(({ byMerge }) => byMerge),
    changed: changed?.commit ?? null,
    moved: moved === undefined ? null : (moved.commit ?? { commit: null }),
    fields,
    shown: {
      name: type === 'divider' ? '─────' : nameOf(item, locales),
      depth: pointer.split('/').filter((step) => step === 'children').length,
      commits,
    },
  }
}

function toCommits(fields: readonly BlamedField[]): readonly BlamedCommit[] {
  const byCommit = groupBy(fields, ({ changed }) => changed?.commit)
  return [...byCommit.values()].map((some) => ({ commit: some[0]?.changed ?? null, fields: some }))
}

/** A report for programs. */
export function toBlameJson({ notes, items, ...report }: BlameReport): object {
  return { ...report, items: items.map(({ shown, ...item }) => item) }
}
