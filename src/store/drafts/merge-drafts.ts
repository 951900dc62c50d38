import { randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Change, ItemOrigin } from '../../change/change.js'
import { changeOf, type Merged, mergeMenus } from '../../change/merge/merge.js'
import { isEqual, type JsonMap } from '../../model/json.js'
import { appendLine } from '../append-line.js'
import {
  type Entry,
  JOURNAL,
  type Journal,
  MAX_ENTRIES,
  MAX_JOURNAL,
  readJournal,
  stepsOf,
} from './journal.js'
import type { Draft, DraftReader } from './read-draft.js'
import { baseName, FIRST_BASE, sideOf, textsOf, toOrigins, withStep } from './steps.js'

/**
 * What became of a draft in two places. `behind`: theirs has all of mine; `ahead`: mine has all of theirs. Otherwise, theirs
 * now has what mine has beyond it: all, what contradicts none of its own steps, or nothing.
 */
export type MergedDraft = 'behind' | 'ahead' | 'merged' | 'partly' | 'apart'

/**
 * Adds what `mine` has beyond the common steps to the draft in the folder of `theirs`, as one more step. Where both changed the
 * same, `theirs` stays. The revision is one that neither had, and requests that were done count as done.
 */
export function mergeDrafts(
  reader: DraftReader,
  name: string,
  { mine, theirs }: { readonly mine: string; readonly theirs: string },
  now: number,
): MergedDraft {
  try {
    const [own, other] = [readSide(reader, name, mine), readSide(reader, name, theirs)]
    const shared = countShared(own, other)
    const done = new Set(other.journal.entries.flatMap(({ key }) => key ?? []))
    const more = own.journal.entries.slice(shared).filter(({ key }) => key === undefined || !done.has(key))
    if (more.length === 0) return 'behind'
    if (isSameDraft(own, other) && shared === other.journal.entries.length) return 'ahead'
    // Drafts that began apart can be compared if they began with the same text.
    if (!isSameFile(mine, theirs, FIRST_BASE)) return 'apart'
    const before = stepsOf(other.journal.entries.slice(0, shared))
    const start = reader.makeOf(theirs, other.draft.path, before)
    if (start === null) return 'apart'
    const merged = mergeMenus(
      start.change.value,
      own.draft.change.value,
      other.draft.change.value,
      () => 'theirs',
    )
    const isKnown =
      isEqual(merged.value, other.draft.change.value) && own.draft.revision < other.draft.revision
    const change = isKnown ? null : toStep([own, other], merged, baseName(before))
    if (change !== null && !addStep(reader, [own, other], change, more, now)) return 'apart'
    return merged.conflicts.length === 0 ? 'merged' : 'partly'
  } catch {
    // A file is missing, or a step made something of the menu that is none.
    return 'apart'
  }
}

/** A merge as a change of a text of one of the sides, which has that name. */
interface MergedChange {
  readonly change: Change
  readonly base: string
  /** The folder with that text. */
  readonly from: string
}

/** The merge on the base of `mine` if only that was put on another one, else on that of `theirs`. */
function toStep([own, other]: Sides, merged: Merged, before: string): MergedChange {
  const [ownBase, otherBase] = [baseName(own.draft.steps), baseName(other.draft.steps)]
  const isOnOwn = ownBase !== otherBase && otherBase === before
  const base = isOnOwn ? ownBase : otherBase
  const find = ({ draft: { change, steps } }: DraftSide, pointer: string | null): ItemOrigin | null => {
    const origin = change.origins.get(pointer ?? '')
    if (origin === undefined) return null
    const side = origin.side === 'base' ? sideOf(baseName(steps)) : origin.side
    return { ...origin, side: side === sideOf(base) ? 'base' : side }
  }
  const change = changeOf(merged, (origin) => {
    const [inMine, inTheirs] = [find(own, origin.mine), find(other, origin.theirs)]
    return isOnOwn ? (inMine ?? inTheirs) : (inTheirs ?? inMine)
  })
  return { change, base, from: (isOnOwn ? own : other).place }
}

/** Adds a merge to the draft of `theirs`, with the requests that it contains; whether there is room for it, and it can be read. */
function addStep(
  { makeOf }: DraftReader,
  [own, { draft, journal, place }]: Sides,
  { change, base, from }: MergedChange,
  more: readonly Entry[],
  at: number,
): boolean {
  const text = `${FIRST_BASE}-${draft.revision}-${randomBytes(4).toString('hex')}`
  const origins = toOrigins(change.origins)
  const step = { kind: 'rebase', base: text, value: change.value as JsonMap, origins } as const
  // Behind a step, there is nothing to redo.
  const requests = more.map(({ key }) => ({ at, ...(key !== undefined && { key }), kind: 'redo' }))
  const lines = [{ at, ...step }, ...requests].map((entry) => `${JSON.stringify(entry)}\n`).join('')
  if (journal.entries.length + 1 + more.length > MAX_ENTRIES) return false
  if (journal.size + Buffer.byteLength(lines) > MAX_JOURNAL) return false
  copyFileSync(join(from, base), join(place, text))
  for (const each of textsOf(change))
    if (!existsSync(join(place, each))) copyFileSync(join(own.place, each), join(place, each))
  if (makeOf(place, draft.path, withStep(draft.steps, step)) === null) return false
  appendLine(join(place, JOURNAL), lines.trimEnd())
  return true
}

/** Mine, and theirs. */
type Sides = readonly [own: DraftSide, other: DraftSide]

interface DraftSide {
  /** Its folder. */
  readonly place: string
  readonly journal: Journal
  readonly draft: Draft
}

function readSide({ readDraft }: DraftReader, name: string, place: string): DraftSide {
  const [journal, loaded] = [readJournal(place), readDraft(name, place)]
  if (journal === null || loaded === null) throw new Error('no draft')
  return { place, journal, draft: loaded.draft }
}

/** How many records two drafts have in common; none where they began apart. */
function countShared(own: DraftSide, other: DraftSide): number {
  if (!isSameDraft(own, other)) return 0
  const { entries } = own.journal
  const end = entries.findIndex((entry, at) => toText(entry) !== toText(other.journal.entries[at]))
  return end === -1 ? entries.length : end
}

function isSameDraft(own: DraftSide, other: DraftSide): boolean {
  return toText(own.journal.head) === toText(other.journal.head)
}

function toText(record: object | undefined): string {
  return JSON.stringify(record ?? null)
}

function isSameFile(one: string, other: string, name: string): boolean {
  return readFileSync(join(one, name)).equals(readFileSync(join(other, name)))
}
