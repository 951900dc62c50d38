import { type Change, changeInPlace, type ItemOrigin, type Side, type ThreeOf } from '../../change/change.js'
import { ownOf, type PlacedItem, readItems } from '../../change/items.js'
import { changeOf, firstOf, type Merged, mergeMenus } from '../../change/merge/merge.js'
import { isEqual, isList, isMap, type Json, type JsonMap, valueAt } from '../../model/json.js'
import { parsePointer } from '../../model/pointer.js'
import { isError } from '../../model/problem.js'
import { done, failed, type Result } from '../../model/result.js'
import { writeChange, writeUnchecked } from '../edit/write-change.js'
import type { MenuDocument } from '../menu-document.js'
import { keepComments } from './keep-comments.js'

/** Merges three texts line by line, as git does; where both sides changed the same lines, those of `mine` are taken. */
export type MergeLines = (texts: ThreeOf<string>) => Promise<string>

/** The result of two changes to the text of a menu. */
export interface MergedDocument {
  /** The merged value; at conflicts, that of `mine`. */
  readonly merged: Merged
  /** Its text. */
  readonly mine: MenuDocument
  /** The same text with another side at each conflict; `base` undoes both changes. */
  readonly keeping: (side: 'theirs' | 'base') => Result<MenuDocument, string>
}

/**
 * Merges the texts of three menus; that of the base may be empty. The merge of their values decides the result; a merge of
 * lines that yields the same value is its text, so that both sides keep their comments and style. Otherwise, all three texts
 * are put in the merged order first, their lines are merged, and the rest is written into that. Fails with the reason why
 * the menus can be merged and their texts cannot.
 *
 * @param whole the merge of lines alone; null where both sides changed the same lines.
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
  const { base: _, ...others } = documents
  const keeping = (side: Side): Result<MenuDocument, string> => {
    if (isClean) return done(mine)
    const change = changeTo(
      merged.choosing(() => side),
      merged,
    )
    return writeChange(mine, change, others)
  }
  return done({ merged, mine, keeping })
}

/** The values of three documents; an empty one did not exist yet. */
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
  const drafts = (['base', 'mine', 'theirs'] as const).map((side) => writeUnchecked(...arranged(side)))
  const [base = null, mine = null, theirs = null] = drafts
  const change = changeInPlace(merged.value)
  if (base !== null && mine !== null && theirs !== null) {
    const lines = documents.mine.with(await mergeLines({ base, mine, theirs }))
    // All three have the same items at the same places, and so has the merge of their lines.
    if (!lines.problems.some(isError) && hasItems(lines, merged.origins)) {
      const found = writeChange(lines, change)
      if (found.fault === null) return found
    }
  }
  const { value: own, fault } = writeChange(...arranged('mine'))
  return fault === null ? writeChange(own, change) : failed(fault)
}

/** Whether the items of a document are those with these pointers. */
function hasItems(document: MenuDocument, wanted: Merged['origins']): boolean {
  const layout = document.layout()
  if (typeof layout === 'string' || layout.items.size !== wanted.size) return false
  return [...layout.items.keys()].every((pointer) => wanted.has(pointer))
}

/** The change from one choice of a merge to another: items with the same origins are the same. */
function changeTo(chosen: Merged, merged: Merged): Change {
  const toKey = ({ base, mine, theirs }: ThreeOf<string | null>): string => [base, mine, theirs].join()
  const known = new Map([...merged.origins].map(([pointer, origin]) => [toKey(origin), pointer]))
  return changeOf(chosen, (origin) => {
    const own = known.get(toKey(origin))
    return own === undefined ? firstOf(origin, ['theirs', 'mine']) : { side: 'base', pointer: own }
  })
}

/** Which side's words an item has that a side lacks. */
const STAND_INS: ThreeOf<readonly Side[]> = {
  base: ['base', 'theirs', 'mine'],
  mine: ['mine', 'theirs', 'base'],
  theirs: ['theirs', 'mine', 'base'],
}

/**
 * Puts the items of one side where the merged value has them; each has that side's content or, if it is missing there,
 * another side's. Three texts arranged so differ only in ways that lines show, and lines can be merged.
 */
function arrange(side: Side, merged: Merged, values: ThreeOf<Json>): Change {
  const { origins } = changeOf(merged, (origin) => firstOf(origin, STAND_INS[side]))
  const toItem = ({ pointer, item, below }: PlacedItem): JsonMap => {
    const { side: source, pointer: from } = origins.get(pointer) as ItemOrigin
    const own = ownOf(valueAt(values[source as Side], parsePointer(from) ?? []) as JsonMap)
    return isList(item['children']) ? { ...own, children: below.map(toItem) } : own
  }
  const frame = isMap(values[side]) ? values[side] : {}
  return { value: { ...frame, items: readItems(merged.value).menu.below.map(toItem) }, origins }
}
