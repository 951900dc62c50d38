import { nameOf } from '../../change/item-name.js'
import type { Json, JsonMap } from '../../change/json.js'
import { type PlacedItem, placedItems } from '../../change/match.js'
import { toVisible } from '../../document/source.js'
import type { ItemChange, ItemOrigin } from '../../store/history/menu-blame.js'
import type { Paint } from '../terminal.js'
import { type CommitJson, toColumn, toCommitJson, toDay } from './commit-text.js'

/** What `menuscript blame` found. */
export interface ToldBlame {
  readonly code: string
  /** The file as it is seen from here, or `REV:path`. */
  readonly place: string
  /** Null for the work tree. */
  readonly commit: string | null
  readonly value: Json
  readonly origins: ReadonlyMap<string, ItemOrigin>
  readonly lineOf: (pointer: string) => number
  /** The locales to name items in, the best first. */
  readonly locales: readonly string[]
}

const LABEL_WIDTH = 40
const NAME_WIDTH = 24
const NOT_COMMITTED = 'not committed yet'

/** The items as a tree, each with its line, who last changed it, when, and how. */
export function toBlameText({ place, value, origins, lineOf, locales }: ToldBlame, paint: Paint): string {
  const items = placedItems(value)
  if (items.length === 0) return `${toVisible(place)}: no items`
  const changes = items.map(({ pointer }) => origins.get(pointer)?.changed ?? null)
  const lines = toColumn(
    items.map(({ pointer }) => `${lineOf(pointer)}`.padStart(4)),
    8,
  )
  const labels = toColumn(
    items.map(({ item, pointer }) => '  '.repeat(depthOf(pointer)) + toName(item, locales)),
    LABEL_WIDTH,
  )
  const days = toColumn(
    changes.map((change) => (change?.commit == null ? '' : toDay(change.commit))),
    10,
  )
  const authors = toColumn(
    changes.map((change) => change?.commit?.author ?? NOT_COMMITTED),
    NAME_WIDTH,
  )
  const commits = toColumn(
    changes.map((change) => change?.commit?.short ?? ''),
    64,
  )
  const rows = items.map(({ pointer }, place) => {
    const cells = [
      paint.dim(lines[place] ?? ''),
      paint.bold(labels[place] ?? ''),
      days[place] ?? '',
      authors[place] ?? '',
      paint.yellow(commits[place] ?? ''),
      toWords(origins.get(pointer)),
    ]
    // Where nothing is committed yet there are neither days nor commits.
    return cells.filter((cell) => cell !== '').join('  ')
  })
  return rows.join('\n')
}

function toWords(origin: ItemOrigin | undefined): string {
  if (origin === undefined) return ''
  const { changed, moved } = origin
  const how = `${changed.kind}${changed.keys.length === 0 ? '' : ` ${changed.keys.join(', ')}`}`
  const told = changed.byMerge && changed.commit !== null ? `${how} by the merge itself` : how
  if (moved === null) return told
  if (moved.commit?.name === changed.commit?.name) return `${told}, moved`
  const { commit } = moved
  return `${told}; moved${commit === null ? `, ${NOT_COMMITTED}` : ` ${toDay(commit)} by ${toVisible(commit.author)} (${commit.short})`}`
}

/** A blame for programs. */
export interface BlameJson {
  readonly version: 1
  readonly code: string
  readonly file: string
  readonly at: string | null
  readonly items: readonly BlamedItem[]
}

export interface BlamedItem {
  readonly line: number
  /** JSON Pointer (RFC 6901). */
  readonly pointer: string
  readonly id: string | null
  readonly type: string
  readonly label: Json
  readonly kind: ItemChange['kind']
  readonly keys: readonly string[]
  readonly byMerge: boolean
  /** Null for what is not committed yet. */
  readonly changed: CommitJson | null
  /** The last move since; null where it was not moved. Its `commit` is null where that is not committed yet. */
  readonly moved: CommitJson | { readonly commit: null } | null
}

export function toBlameJson({ code, place, commit, value, origins, lineOf }: ToldBlame): BlameJson {
  const items = placedItems(value).flatMap((placed) => {
    const origin = origins.get(placed.pointer)
    return origin === undefined ? [] : [toBlamedItem(placed, origin, lineOf(placed.pointer))]
  })
  return { version: 1, code, file: place, at: commit, items }
}

function toBlamedItem(
  { item, pointer }: PlacedItem,
  { changed, moved }: ItemOrigin,
  line: number,
): BlamedItem {
  const { id, type, label } = item
  return {
    line,
    pointer,
    id: typeof id === 'string' ? id : null,
    type: typeof type === 'string' ? type : 'link',
    label: label ?? null,
    kind: changed.kind,
    keys: changed.keys,
    byMerge: changed.byMerge,
    changed: changed.commit === null ? null : toCommitJson(changed.commit),
    moved: moved === null ? null : moved.commit === null ? { commit: null } : toCommitJson(moved.commit),
  }
}

/** A divider is drawn, as `explain` does. */
function toName(item: JsonMap, locales: readonly string[]): string {
  return item['type'] === 'divider' ? '─────' : nameOf(item, locales)
}

function depthOf(pointer: string): number {
  return pointer.split('/').filter((step) => step === 'children').length
}
