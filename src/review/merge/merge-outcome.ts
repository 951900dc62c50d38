import type { Side } from '../../change/change.js'
import { widenedItems } from '../../change/merge/widened.js'
import { valueAt } from '../../change/operations/apply.js'
import type { Config } from '../../config/load-config.js'
import { type MenuDocument, readDocument } from '../../document/menu-document.js'
import { valuesOf } from '../../document/merge/arrange.js'
import { markConflicts } from '../../document/merge/mark-conflicts.js'
import { type MergedText, mergeDocuments } from '../../document/merge/merge-texts.js'
import { judgeDocument } from '../../document/parse.js'
import { isError } from '../../model/problem.js'
import { mergeTexts, type Versions } from '../../store/git/merge.js'
import { toParseOptions } from '../reading.js'
import { describeConflict, toName } from './conflict-text.js'

/** What becomes of three versions of a menu file; `left` says why they cannot be merged as menus. */
export type MergeOutcome =
  | {
      readonly left: null
      readonly text: string
      /** What people are to know, a line each. */
      readonly told: readonly string[]
      /** Whether nobody has to look. */
      readonly isClean: boolean
    }
  | { readonly left: string }

export interface MergeRequest {
  readonly config: Config
  /** The path of what is merged, for problems. */
  readonly path: string
  /** What git makes of the lines; null where both sides changed the same ones. */
  readonly whole: string | null
  /** Whether this makes one version to begin from out of several. */
  readonly isAncestor: boolean
  /** How many characters a mark of a conflict has. */
  readonly markerSize: number
  /** Whether marks show what was before, too; asked when there are conflicts. */
  readonly showsBase: () => Promise<boolean>
}

/** So many conflicts are told one by one. */
const MANY = 10

/** Merges three versions of a menu file item by item, and judges what comes out as the service does. */
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
    // What was not there yet is an empty file to git.
    const error = side === 'base' && bytes.base.length === 0 ? null : errorOf(documents[side])
    if (error !== null) return { left: `${NAMES[side]} has an error (${error})` }
  }
  const mark = async ({ mine, base, theirs }: Versions<MenuDocument>): Promise<string> =>
    markConflicts(
      { ours: mine.text, base: base.text, theirs: theirs.text },
      { size, withBase: await request.showsBase() },
    )
  const merged = await mergeDocuments(documents, whole, mergeTexts)
  const error = merged.fault ?? errorOf(merged.mine) ?? errorOf(merged.theirs)
  if (merged.fault !== null || error !== null) {
    const { text } = documents.base
    if (isAncestor && text !== '') return { left: null, text, told: [], isClean: false }
    const told = [`what both sides changed does not go together (${error}); all of it is marked`]
    return { left: null, text: await mark(documents), told, isClean: false }
  }
  const widened = tellWidened(merged, documents)
  // Nothing is marked then, and git asks all the same: who sees what is for people to decide.
  if (merged.conflicts.length === 0)
    return { left: null, text: merged.mine.text, told: widened, isClean: widened.length === 0 }
  // A version to begin from is a menu, which marks would make none: at a conflict it has what neither side has.
  if (isAncestor && errorOf(merged.base) === null)
    return { left: null, text: merged.base.text, told: widened, isClean: false }
  const text = await mark(merged)
  const told = [...widened, ...tellConflicts(merged, documents, countMarks(text, size))]
  return { left: null, text, told, isClean: false }
}

type MenuTexts = Extract<MergedText, { readonly fault: null }>

function tellWidened({ merged }: MenuTexts, documents: Versions<MenuDocument>): readonly string[] {
  const { mine, theirs } = valuesOf(documents)
  const names = widenedItems(merged, mine, theirs).map((pointer) => toName(valueAt(merged.value, pointer)))
  return names
    .slice(0, MANY)
    .map(
      (name) => `${name} is seen by viewers now who saw it on neither side; check it, then git add the file`,
    )
}

function tellConflicts(
  { conflicts }: MenuTexts,
  documents: Versions<MenuDocument>,
  marks: number,
): readonly string[] {
  const told = conflicts.slice(0, MANY).map((each) => describeConflict(each, valuesOf(documents)))
  const more = conflicts.length - told.length
  return [
    ...(marks > conflicts.length
      ? [`keep the same side at all ${marks} marks, as they belong together`]
      : []),
    ...told,
    ...(more > 0 ? [`and ${more} more conflicts`] : []),
  ]
}

function countMarks(text: string, size: number): number {
  return text.split('\n').filter((line) => line.startsWith(`${'<'.repeat(size)} `)).length
}

const NAMES: Versions<string> = { base: 'the version before', mine: 'our version', theirs: 'their version' }
