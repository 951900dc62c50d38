import { isEqual, type Json } from '../../change/json.js'
import type { Conflict } from '../../change/merge/conflict.js'
import { type Merged, mergeMenus } from '../../change/merge/merge.js'
import { isError } from '../../model/problem.js'
import { type Donor, type Edited, editMenu } from '../edit/edit-menu.js'
import type { MenuDocument } from '../menu-document.js'
import { arrange, type ThreeOf, valuesOf } from './arrange.js'
import { keepComments } from './keep-comments.js'

/** Merges three texts line by line, as git does; where both sides changed the same lines, those of `mine` are taken. */
export type MergeLines = (texts: ThreeOf<string>) => Promise<string>

/** What becomes of two changes of the text of a menu. */
export type MergedText =
  | {
      readonly fault: null
      readonly conflicts: readonly Conflict[]
      /** What is merged, with what `mine` has wherever there is a conflict. */
      readonly merged: Merged
      /** Its text. */
      readonly mine: MenuDocument
      /** The same text with what `theirs` has there, and with what was there before; equal to `mine` without conflicts. */
      readonly theirs: MenuDocument
      readonly base: MenuDocument
    }
  /** Why the menus can be merged and their texts cannot. */
  | { readonly fault: string }

/**
 * Merges the texts of three menus; the base may be empty. The merge of their values says what comes out; the text of it is
 * what lines give where that says the same, so that both sides keep their comments and their style. Else all three texts
 * are put in the merged order first, which leaves to the lines what they can do, and the rest is edited into that.
 *
 * @param whole what lines alone give; null where both sides changed the same lines.
 */
export async function mergeDocuments(
  documents: ThreeOf<MenuDocument>,
  whole: string | null,
  mergeLines: MergeLines,
): Promise<MergedText> {
  const { base, mine, theirs } = valuesOf(documents)
  const merged = mergeMenus(base, mine, theirs)
  const alike = (document: MenuDocument): MergedText => ({
    fault: null,
    conflicts: [],
    merged,
    mine: document,
    theirs: document,
    base: document,
  })
  if (merged.conflicts.length === 0 && whole !== null) {
    const found = documents.mine.with(whole)
    if (says(found, merged.value)) return alike(keepComments(found, merged, documents))
  }
  const written = await mergeArranged(merged, documents, mergeLines)
  if (written.fault !== null) return written
  if (merged.conflicts.length === 0) return alike(written.value)
  const other = (side: 'theirs' | 'base'): Edited => {
    const chosen = mergeMenus(base, mine, theirs, () => side)
    return editMenu(written.value, chosen.value, { donors: newItems(merged, chosen, documents) })
  }
  const [kept, undone] = [other('theirs'), other('base')]
  if (kept.fault !== null) return kept
  return {
    fault: null,
    conflicts: merged.conflicts,
    merged,
    mine: written.value,
    theirs: kept.value,
    base: undone.value ?? written.value,
  }
}

function says({ value, problems }: MenuDocument, wanted: Json): boolean {
  return !problems.some(isError) && isEqual(value ?? undefined, wanted)
}

async function mergeArranged(
  merged: Merged,
  documents: ThreeOf<MenuDocument>,
  mergeLines: MergeLines,
): Promise<Edited> {
  const written = (side: 'base' | 'mine' | 'theirs'): Edited => {
    const { value, donors } = arrange(side, merged, documents)
    return editMenu(documents[side], value, { donors })
  }
  const mine = written('mine')
  if (mine.fault !== null) return mine
  const [base, theirs] = [written('base'), written('theirs')]
  const edited = (document: MenuDocument): Edited => {
    const found = editMenu(document, merged.value)
    return found.fault === null ? { value: keepComments(found.value, merged, documents), fault: null } : found
  }
  if (base.fault === null && theirs.fault === null) {
    const texts = { base: base.value.text, mine: mine.value.text, theirs: theirs.value.text }
    const lines = mine.value.with(await mergeLines(texts))
    if (!lines.problems.some(isError)) {
      const found = edited(lines)
      if (found.fault === null) return found
    }
  }
  return edited(mine.value)
}

/** The texts of the items that one choice has and the other has not. */
function newItems(
  merged: Merged,
  chosen: Merged,
  documents: ThreeOf<MenuDocument>,
): ReadonlyMap<string, Donor> {
  const known = new Set(
    [...merged.origins.values()].map(({ base, mine, theirs }) => [base, mine, theirs].join()),
  )
  const donors = new Map<string, Donor>()
  for (const [pointer, { base, mine, theirs }] of chosen.origins) {
    if (known.has([base, mine, theirs].join())) continue
    if (theirs !== null) donors.set(pointer, { document: documents.theirs, pointer: theirs })
    else if (mine !== null) donors.set(pointer, { document: documents.mine, pointer: mine })
  }
  return donors
}
