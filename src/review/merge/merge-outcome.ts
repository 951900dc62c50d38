import type { Json } from '../../change/json.js'
import { widenedItems } from '../../change/merge/widened.js'
import { valueAt } from '../../change/operations/apply.js'
import type { Config } from '../../config/load-config.js'
import { markConflicts } from '../../document/merge/mark-conflicts.js'
import { type MergedText, mergeMenuTexts, toMenuValue } from '../../document/merge/merge-texts.js'
import { decodeUtf8 } from '../../document/read/decode.js'
import { isError } from '../../model/problem.js'
import { mergeTexts, type Versions } from '../../store/git/merge.js'
import { parseText } from '../reading.js'
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
  const errorOf = (text: string): string | null => {
    const { menu, problems } = parseText(config, path, text)
    return menu === null ? (problems.find(isError)?.what ?? 'It cannot be read.') : null
  }
  const read = readVersions(bytes, errorOf)
  if (read.fault !== null) return { left: read.fault }
  const { texts, values } = read
  const mark = async (ours: string, base: string, theirs: string): Promise<string> =>
    markConflicts({ ours, base, theirs }, { size, withBase: await request.showsBase() })
  const merged = await mergeMenuTexts(texts, values, whole, mergeTexts)
  const error = merged.fault ?? errorOf(merged.mine) ?? errorOf(merged.theirs)
  if (merged.fault !== null || error !== null) {
    if (isAncestor && texts.base !== '') return { left: null, text: texts.base, told: [], isClean: false }
    const told = [`what both sides changed does not go together (${error}); all of it is marked`]
    return { left: null, text: await mark(texts.mine, texts.base, texts.theirs), told, isClean: false }
  }
  const widened = tellWidened(merged, values)
  // Nothing is marked then, and git asks all the same: who sees what is for people to decide.
  if (merged.conflicts.length === 0)
    return { left: null, text: merged.mine, told: widened, isClean: widened.length === 0 }
  // A version to begin from is a menu, which marks would make none: at a conflict it has what neither side has.
  if (isAncestor && errorOf(merged.base) === null)
    return { left: null, text: merged.base, told: widened, isClean: false }
  const text = await mark(merged.mine, merged.base, merged.theirs)
  const told = [...widened, ...tellConflicts(merged, values, countMarks(text, size))]
  return { left: null, text, told, isClean: false }
}

type MenuTexts = Extract<MergedText, { readonly fault: null }>

function tellWidened({ merged }: MenuTexts, { mine, theirs }: Versions<Json>): readonly string[] {
  const names = widenedItems(merged, mine, theirs).map((pointer) => toName(valueAt(merged.value, pointer)))
  return names
    .slice(0, MANY)
    .map(
      (name) => `${name} is seen by viewers now who saw it on neither side; check it, then git add the file`,
    )
}

function tellConflicts({ conflicts }: MenuTexts, values: Versions<Json>, marks: number): readonly string[] {
  const told = conflicts.slice(0, MANY).map((each) => describeConflict(each, values))
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

type Read =
  | { readonly fault: null; readonly texts: Versions<string>; readonly values: Versions<Json> }
  | { readonly fault: string }

const NAMES: Versions<string> = { base: 'the version before', mine: 'our version', theirs: 'their version' }

/** Reads the three versions as menus; one that is empty was not there yet, since git gives an empty file for it. */
function readVersions(bytes: Versions<Uint8Array>, errorOf: (text: string) => string | null): Read {
  const texts: { -readonly [side in keyof Versions<string>]: string } = { base: '', mine: '', theirs: '' }
  const values: { -readonly [side in keyof Versions<Json>]: Json } = { base: {}, mine: {}, theirs: {} }
  for (const side of ['base', 'mine', 'theirs'] as const) {
    if (side === 'base' && bytes.base.length === 0) continue
    const { text } = decodeUtf8(bytes[side])
    if (text === null) return { fault: `${NAMES[side]} is not UTF-8` }
    const error = errorOf(text)
    const value = error === null ? toMenuValue(text) : undefined
    if (value === undefined) return { fault: `${NAMES[side]} has an error (${error ?? 'it cannot be read'})` }
    texts[side] = text
    values[side] = value
  }
  return { fault: null, texts, values }
}
