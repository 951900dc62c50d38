import { toVisible } from '../../document/source.js'
import type { FieldOrigin } from '../../store/history/menu-blame.js'
import { POSITION } from '../../store/history/menu-blame.js'
import type { Paint } from '../ink.js'
import type { BlamedCommit, BlamedItem, BlameReport } from './blame-report.js'
import { type CommitJson, toColumn, toCommitJson, toDay } from './commit-text.js'

const LABEL_WIDTH = 40
const NAME_WIDTH = 24
const NOT_COMMITTED = 'not committed yet'

/**
 * The items as a tree, each with its line, who last changed it, when, and how; below it a row for each other author of
 * one of its fields, or with `everyField` for each other commit, with the names of the fields.
 */
export function toBlameText(
  { place, items }: BlameReport,
  paint: Paint,
  everyField: boolean = false,
): string {
  if (items.length === 0) return `${toVisible(place)}: no items`
  const rows = items.flatMap((item) => {
    const commits = everyField ? item.commits : item.authors
    return commits.map((commit, at) => ({ item: at === 0 ? item : null, ...commit }))
  })
  const column = (toText: (row: (typeof rows)[number]) => string, limit: number): readonly string[] =>
    toColumn(rows.map(toText), limit)
  const lines = column(({ item }) => (item === null ? '' : `${item.line}`.padStart(4)), 8)
  const labels = column(({ item }) => (item === null ? '' : '  '.repeat(item.depth) + item.name), LABEL_WIDTH)
  const days = column(({ commit }) => (commit === null ? '' : toDay(commit)), 10)
  const authors = column(({ commit }) => commit?.author ?? NOT_COMMITTED, NAME_WIDTH)
  const commits = column(({ commit }) => commit?.short ?? '', 64)
  return rows
    .map((row, place) => {
      const words = toVisible(toWords(row, everyField))
      const cells = [
        paint.dim(lines[place] ?? ''),
        paint.bold(labels[place] ?? ''),
        days[place] ?? '',
        authors[place] ?? '',
        paint.yellow(commits[place] ?? ''),
        row.item === null ? paint.dim(words) : words,
      ]
      // Where nothing is committed yet there are neither days nor commits.
      return cells.filter((cell) => cell !== '').join('  ')
    })
    .join('\n')
}

/** `added`, `edited label.es, removed icon, moved`. */
function toWords({ commit, fields }: BlamedCommit, everyField: boolean): string {
  const words = (['unknown', 'added', 'edited', 'removed', 'moved'] as const).flatMap((kind) => {
    const some = fields.filter((field) => field.kind === kind)
    if (some.length === 0) return []
    const isNamed = kind === 'edited' || kind === 'removed' || (everyField && kind !== 'moved')
    const names = isNamed ? some.map(({ field }) => field) : []
    return [names.length === 0 ? kind : `${kind} ${names.join(', ')}`]
  })
  const byMerge = commit !== null && fields.some((field) => field.byMerge)
  return `${words.join(', ')}${byMerge ? ' by the merge itself' : ''}`
}

/** A blame for programs. */
export interface BlameJson {
  readonly version: 1
  readonly code: string
  readonly file: string
  readonly at: string | null
  readonly items: readonly BlamedItemJson[]
}

export interface BlamedItemJson {
  readonly line: number
  /** JSON Pointer (RFC 6901). */
  readonly pointer: string
  readonly id: string | null
  readonly type: string
  readonly label: unknown
  /** What last changed the item itself. */
  readonly kind: 'added' | 'edited' | 'unknown'
  /** The fields that it edited or removed. */
  readonly keys: readonly string[]
  readonly byMerge: boolean
  /** Null for what is not committed yet. */
  readonly changed: CommitJson | null
  /** The last move since; null where it was not moved. Its `commit` is null where that is not committed yet. */
  readonly moved: CommitJson | { readonly commit: null } | null
  /** Every field, and those that were removed; the newest first. */
  readonly fields: readonly FieldJson[]
}

export interface FieldJson extends Omit<FieldOrigin, 'commit'> {
  /** Null for what is not committed yet. */
  readonly changed: CommitJson | null
}

export function toBlameJson({ code, place, at, items }: BlameReport): BlameJson {
  return { version: 1, code, file: place, at, items: items.map(toItemJson) }
}

function toItemJson({ line, pointer, item, fields, changed, moved }: BlamedItem): BlamedItemJson {
  const { id, type, label } = item
  const own = (changed?.fields ?? []).filter(({ field }) => field !== POSITION)
  const edited = own.filter(({ kind }) => kind === 'edited' || kind === 'removed')
  const rest = own.some(({ kind }) => kind === 'added') ? 'added' : 'unknown'
  return {
    line,
    pointer,
    id: typeof id === 'string' ? id : null,
    type: typeof type === 'string' ? type : 'link',
    label: label ?? null,
    kind: edited.length > 0 ? 'edited' : rest,
    keys: edited.map(({ field }) => field),
    byMerge: own.some(({ byMerge }) => byMerge),
    changed: changed?.commit == null ? null : toCommitJson(changed.commit),
    moved: moved === null ? null : moved.commit === null ? { commit: null } : toCommitJson(moved.commit),
    fields: fields.map(({ commit, ...field }) => ({
      ...field,
      changed: commit === null ? null : toCommitJson(commit),
    })),
  }
}
