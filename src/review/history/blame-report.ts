import { placedItems } from '../../change/items.js'
import type { Json, JsonMap } from '../../change/json.js'
import { nameOf } from '../../model/label.js'
import type { Commit } from '../../store/git/log.js'
import { type FieldOrigin, type ItemOrigin, POSITION } from '../../store/history/menu-blame.js'

/** Who made the items of a menu what they are, as data for all forms. */
export interface BlameReport {
  readonly code: string
  /** The file as it is seen from here, or `REV:path`. */
  readonly place: string
  /** The commit that was asked for; null for the work tree. */
  readonly at: string | null
  readonly items: readonly BlamedItem[]
}

export interface BlamedItem {
  /** JSON Pointer (RFC 6901). */
  readonly pointer: string
  /** The 1-based line in the file. */
  readonly line: number
  /** How many items are above it. */
  readonly depth: number
  readonly item: JsonMap
  readonly name: string
  /** The newest first. */
  readonly fields: ItemOrigin
  /** The newest commit first; each has at least one field. */
  readonly commits: readonly BlamedCommit[]
  /** Of each author the newest one. */
  readonly authors: readonly BlamedCommit[]
  /** What last changed the item itself, moves left out. */
  readonly changed: BlamedCommit | null
  /** The last move, where the item was moved after it was changed, or with that. */
  readonly moved: BlamedCommit | null
}

/** What a commit did to an item that nobody did again since. */
export interface BlamedCommit {
  /** Null for what is not committed yet. */
  readonly commit: Commit | null
  readonly fields: readonly FieldOrigin[]
}

export interface Blamed {
  readonly code: string
  readonly place: string
  readonly commit: string | null
  readonly value: Json
  readonly origins: ReadonlyMap<string, ItemOrigin>
  readonly lineOf: (pointer: string) => number
  /** The locales to name items in, the best first. */
  readonly locales: readonly string[]
}

export function toBlameReport({ code, place, commit, value, ...rest }: Blamed): BlameReport {
  const { origins, lineOf, locales } = rest
  const items = placedItems(value).map(({ item, pointer }): BlamedItem => {
    const fields = origins.get(pointer) ?? []
    const commits = toCommits(fields)
    const changed = commits.findIndex((each) => each.fields.some(({ field }) => field !== POSITION))
    const moved = commits.findIndex((each) => each.fields.some(({ kind }) => kind === 'moved'))
    return {
      pointer,
      line: lineOf(pointer),
      depth: pointer.split('/').filter((step) => step === 'children').length,
      item,
      name: item['type'] === 'divider' ? '─────' : nameOf(item, locales),
      fields,
      commits,
      authors: toAuthors(commits),
      changed: commits[changed] ?? null,
      moved: moved !== -1 && moved <= changed ? (commits[moved] ?? null) : null,
    }
  })
  return { code, place, at: commit, items }
}

function toCommits(fields: ItemOrigin): readonly BlamedCommit[] {
  const found = new Map<string, { readonly commit: Commit | null; readonly fields: FieldOrigin[] }>()
  for (const field of fields) {
    const key = field.commit?.name ?? ''
    const known = found.get(key) ?? { commit: field.commit, fields: [] }
    known.fields.push(field)
    found.set(key, known)
  }
  return [...found.values()]
}

function toAuthors(commits: readonly BlamedCommit[]): readonly BlamedCommit[] {
  const seen = new Set<string>()
  return commits.filter(({ commit }) => {
    const author = commit === null ? '' : `${commit.author} <${commit.email}>`
    return !seen.has(author) && seen.add(author)
  })
}
