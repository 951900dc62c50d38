import type { Side } from '../../change/change.js'
import type { Merged } from '../../change/merge/merge.js'
import type { Config } from '../../config/load-config.js'
import { type MenuDocument, readDocument } from '../../document/menu-document.js'
import { markConflicts } from '../../document/merge/mark-conflicts.js'
import { mergeDocuments, valuesOf } from '../../document/merge/merge-documents.js'
import { judgeDocument } from '../../document/parse.js'
import type { Json } from '../../model/json.js'
import { isError } from '../../model/problem.js'
import { mergeTexts, type Versions } from '../../store/git/merge.js'
import { toParseOptions } from '../reading.js'
import { describeConflict } from './conflict-text.js'

/** The result for three versions of a menu file; `left`: why they cannot be merged as menus. */
export type MergeOutcome =
  | {
      readonly left: null
      /** With the byte order mark of `mine`. */
      readonly text: string
      /** Notes for people, one a line. */
      readonly lines: readonly string[]
      /** Whether no person has to check it. */
      readonly isClean: boolean
    }
  | { readonly left: string }

export interface MergeRequest {
  readonly config: Config
  /** The path of the merged file, for problems. */
  readonly path: string
  /** Git's merge of the lines; null where both sides changed the same ones. */
  readonly whole: string | null
  /** Whether this makes one virtual ancestor out of several. */
  readonly isAncestor: boolean
  /** The length of a conflict mark. */
  readonly markerSize: number
  /** Whether marks show the base, too; called when there are conflicts. */
  readonly showsBase: () => Promise<boolean>
}

/** At most this many conflicts are reported one by one. */
const MANY = 10

/** Merges three versions of a menu file item by item, and judges the result as the service does. */
export async function mergeAsMenus(
  bytes: Versions<Uint8Array>,
  request: MergeRequest,
): Promise<MergeOutcome> {
  const { config, path, whole, isAncestor, markerSize: size } = request
  const options = toParseOptions(config)
  const errorOf = (document: MenuDocument): string | null => {
    const { menu, problems } = judgeDocument(document, options)
    return menu === null ? (problems.find(isError)?.what ?? 'It cannot be read.') : null
  }
  const read = (side: Side): MenuDocument => readDocument(path, bytes[side], options.limits)
  const documents: Versions<MenuDocument> = { base: read('base'), mine: read('mine'), theirs: read('theirs') }
  for (const side of ['base', 'mine', 'theirs'] as const) {
    // A file that did not exist yet is empty to git.
    const error = side === 'base' && bytes.base.length === 0 ? null : errorOf(documents[side])
    if (error !== null) return { left: `${NAMES[side]} has an error (${error})` }
  }
  const values = valuesOf(documents)
  const toOutcome = (text: string, lines: readonly string[], isClean: boolean = false): MergeOutcome => {
    return { left: null, text: documents.mine.mark + text, lines, isClean }
  }
  const { value: found, fault } = await mergeDocuments(documents, whole, mergeTexts)
  const kept = found?.keeping('theirs')
  const outcomes = [...new Set([found?.mine, kept?.value])]
  const errors = outcomes.map((each) => (each == null ? null : errorOf(each)))
  const error = fault ?? kept?.fault ?? errors.find((each) => each !== null) ?? null
  if (found === null || kept?.value == null || error !== null) {
    const { base, mine, theirs } = documents
    if (isAncestor && base.text !== '') return toOutcome(base.text, [])
    const lines = [`the changes of both sides contradict each other (${error}); the whole file is marked`]
    const before = (await request.showsBase()) ? base.text : null
    return toOutcome(markConflicts({ ours: mine.text, base: before, theirs: theirs.text }, size), lines)
  }
  const { merged, mine } = found
  if (merged.conflicts.length === 0) return toOutcome(mine.text, [], true)
  const withBase = await request.showsBase()
  const base = isAncestor || withBase ? (found.keeping('base').value ?? mine) : mine
  // A virtual ancestor must be a menu, and marks would break it: at a conflict it has the content of neither side.
  if (isAncestor && errorOf(base) === null) return toOutcome(base.text, [])
  const sides = { ours: mine.text, base: withBase ? base.text : null, theirs: kept.value.text }
  const text = markConflicts(sides, size)
  return toOutcome(text, toConflictLines(merged, values, countMarks(text, size)))
}

function toConflictLines({ conflicts }: Merged, values: Versions<Json>, marks: number): readonly string[] {
  const listed = conflicts.slice(0, MANY).map((each) => describeConflict(each, values))
  const more = conflicts.length - listed.length
  return [
    ...(marks > conflicts.length
      ? [`keep the same side at all ${marks} marks, because they belong together`]
      : []),
    ...listed,
    ...(more > 0 ? [`and ${more} more conflicts`] : []),
  ]
}

function countMarks(text: string, size: number): number {
  return text.split('\n').filter((line) => line.startsWith(`${'<'.repeat(size)} `)).length
}

const NAMES: Versions<string> = { base: 'the version before', mine: 'our version', theirs: 'their version' }
