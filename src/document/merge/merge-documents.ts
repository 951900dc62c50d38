import { type Change, changeInPlace, type ItemOrigin, type Side, type ThreeOf } from '../../change/change.js'
import { placedItems } from '../../change/items.js'
import { type Merged, mergeMenus } from '../../change/merge/merge.js'
import { isEqual, type Json } from '../../model/json.js'
import { isError } from '../../model/problem.js'
import { done, failed, type Result } from '../../model/result.js'
import { draftChange, writeChange } from '../edit/write-change.js'
import type { MenuDocument } from '../menu-document.js'
import { arrange } from './arrange.js'
import { keepComments } from './keep-comments.js'

/** Merges three texts line by line, as git does; where both sides changed the same lines, those of `mine` are taken. */
export type MergeLines = (texts: ThreeOf<string>) => Promise<string>

/** What becomes of two changes of the text of a menu. */
export interface MergedDocument {
  /** What is merged, with what `mine` has wherever there is a conflict. */
  readonly merged: Merged
  /** Its text. */
  readonly mine: MenuDocument
  /** The same text with what another side has wherever there is a conflict; `base` undoes both changes. */
  readonly keeping: (side: 'theirs' | 'base') => Result<MenuDocument, string>
}

/**
 * Merges the texts of three menus; that of the base may be empty. The merge of their values says what comes out; the text
 * of it is what lines give where that says the same, so that both sides keep their comments and their style. Else all
 * three texts are put in the merged order first, which leaves to the lines what they can do, and the rest is written into
 * that. Fails with the reason why the menus can be merged and their texts cannot.
 *
 * @param whole what lines alone give; null where both sides changed the same lines.
 */
export async function mergeDocuments(
  documents: ThreeOf<MenuDocument>,
  whole: string | null,
  mergeLines: MergeLines,
): Promise<Result<MergedDocument, string>> {
  const values = valuesOf(documents)
  const merged = mergeMenus(values.base, values.mine, values.theirs)
  const isClean = merged.conflicts.length === 0
  const byLines = isClean && whole !== null ? documents.mine.with(whole) : null
  const { value: written, fault } =
    byLines !== null && says(byLines, merged.value)
      ? done(byLines)
      : await mergeArranged(merged, documents, mergeLines)
  if (fault !== null) return failed(fault)
  const mine = keepComments(written, merged, documents)
  return done({
    merged,
    mine,
    keeping(side) {
      if (isClean) return done(mine)
      return writeChange(
        mine,
        changeTo(
          merged.choosing(() => side),
          merged,
        ),
        { mine: documents.mine, theirs: documents.theirs },
      )
    },
  })
}

/** What three documents say; one that is empty was not there yet. */
export function valuesOf({ base, mine, theirs }: ThreeOf<MenuDocument>): ThreeOf<Json> {
  return { base: base.value ?? {}, mine: mine.value ?? {}, theirs: theirs.value ?? {} }
}

function says({ value, problems }: MenuDocument, wanted: Json): boolean {
  return !problems.some(isError) && isEqual(value ?? undefined, wanted)
}

async function mergeArranged(
  merged: Merged,
  documents: ThreeOf<MenuDocument>,
  mergeLines: MergeLines,
): Promise<Result<MenuDocument, string>> {
  const values = valuesOf(documents)
  const arranged = (side: Side): readonly [MenuDocument, Change, Partial<ThreeOf<MenuDocument>>] => {
    const { [side]: home, ...others } = documents
    return [home, arrange(side, merged, values), others]
  }
  const drafts = (['base', 'mine', 'theirs'] as const).map((side) => draftChange(...arranged(side)).value)
  const [base = null, mine = null, theirs = null] = drafts
  const change = changeInPlace(merged.value)
  if (base !== null && mine !== null && theirs !== null) {
    const lines = documents.mine.with(await mergeLines({ base, mine, theirs }))
    // All three had the same items at the same places, and so has what lines made of them.
    if (!lines.problems.some(isError) && hasSameItems(lines, merged.value)) {
      const found = writeChange(lines, change)
      if (found.fault === null) return found
    }
  }
  const { value: own, fault } = writeChange(...arranged('mine'))
  return fault === null ? writeChange(own, change) : failed(fault)
}

function hasSameItems({ value }: MenuDocument, merged: Json): boolean {
  const [found, wanted] = [placedItems(value ?? {}), placedItems(merged)]
  return (
    found.length === wanted.length && found.every(({ pointer }, place) => pointer === wanted[place]?.pointer)
  )
}

/** The change from what one choice made of a merge to what another makes: an item is the same that has the same origins. */
function changeTo(chosen: Merged, merged: Merged): Change {
  const toKey = ({ base, mine, theirs }: ThreeOf<string | null>): string => [base, mine, theirs].join()
  const known = new Map([...merged.origins].map(([pointer, origin]) => [toKey(origin), pointer]))
  const origins = [...chosen.origins].flatMap(([pointer, origin]): readonly [string, ItemOrigin][] => {
    const own = known.get(toKey(origin))
    if (own !== undefined) return [[pointer, { side: 'base', pointer: own }]]
    const { mine, theirs } = origin
    if (theirs !== null) return [[pointer, { side: 'theirs', pointer: theirs }]]
    return mine === null ? [] : [[pointer, { side: 'mine', pointer: mine }]]
  })
  return { value: chosen.value, origins: new Map(origins) }
}
