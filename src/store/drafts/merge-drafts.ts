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
import { baseName, FIRST_BASE, type Step, sideOf, textsOf, toOrigins, withStep } from './steps.js'

/**
 * What became of a draft in two places. `behind`: theirs has all of mine; `ahead`: mine has all of theirs. Otherwise, theirs
 * now has what mine has beyond it: all of it; what contradicts none of its own steps, with my version one undo away; or
 * nothing, because that is not possible.
 */
export type MergedDraft = 'behind' | 'ahead' | 'merged' | 'aside' | 'apart'

/**
 * Adds what `mine` has beyond the common steps to the draft in the folder of `theirs`, as one more step. Where both changed the
 * same, `theirs` stays, and the step before has my version. The revision is one that neither had, and requests that were done
 * count as done.
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
    const add = (...changes: readonly MergedChange[]): boolean =>
      addSteps(reader, [own, other], changes, more, now)
    // Drafts that began apart can be compared if they began with the same text.
    if (!isSameFile(mine, theirs, FIRST_BASE)) {
      const isFirstNeeded = textsOf(own.draft.change).includes(FIRST_BASE)
      return !isFirstNeeded && add(whole(own), { ...whole(other), aside: true }) ? 'aside' : 'apart'
    }
    const before = stepsOf(other.journal.entries.slice(0, shared))
    const start = reader.makeOf(theirs, other.draft.path, before)
    if (start === null) return 'apart'
    const merged = mergeMenus(
      start.change.value,
      own.draft.change.value,
      other.draft.change.value,
      () => 'theirs',
    )
    const change = toStep([own, other], merged, baseName(before))
    if (merged.conflicts.length > 0) return add(whole(own), { ...change, aside: true }) ? 'aside' : 'apart'
    const isKnown =
      isEqual(merged.value, other.draft.change.value) && own.draft.revision < other.draft.revision
    return isKnown || add(change) ? 'merged' : 'apart'
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
  /** See `Step`. */
  readonly aside?: true
}

/** A side as it is. */
function whole({ draft: { change, steps }, place }: DraftSide): MergedChange {
  return { change, base: baseName(steps), from: place }
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

/** Adds steps to the draft of `theirs`, with the requests that they contain; whether there is room for them, and they can be read. */
function addSteps(
  { makeOf }: DraftReader,
  [own, { draft, journal, place }]: Sides,
  changes: readonly MergedChange[],
  more: readonly Entry[],
  at: number,
): boolean {
  const added = changes.map(({ change, base, from, aside }) => {
    const text = `${FIRST_BASE}-${draft.revision}-${randomBytes(4).toString('hex')}`
    const [value, origins] = [change.value as JsonMap, toOrigins(change.origins)]
    const step: Step = { kind: 'rebase', base: text, value, origins, ...(aside && { aside }) }
    return { step, text, base: join(from, base), texts: textsOf(change) }
  })
  // Behind a step, there is nothing to redo.
  const requests = more.map(({ key }) => ({ at, ...(key !== undefined && { key }), kind: 'redo' }))
  const entries = [...added.map(({ step }) => ({ at, ...step })), ...requests]
  const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
  if (journal.entries.length + entries.length > MAX_ENTRIES) return false
  if (journal.size + Buffer.byteLength(lines) > MAX_JOURNAL) return false
  let steps = draft.steps
  for (const { step, text, base, texts } of added) {
    copyFileSync(base, join(place, text))
    for (const each of texts)
      if (!existsSync(join(place, each))) copyFileSync(join(own.place, each), join(place, each))
    steps = withStep(steps, step)
    if (makeOf(place, draft.path, steps) === null) return false
  }
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
