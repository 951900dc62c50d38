import type { Change } from '../../change/change.js'
import type { Ask } from '../../change/merge/conflict.js'
import { changeOf, firstOf, type Merged, mergeMenus } from '../../change/merge/merge.js'
import type { Json } from '../../model/json.js'
import type { Result } from '../../model/result.js'
import { type Others, writeChange } from '../edit/write-change.js'
import type { MenuDocument } from '../menu-document.js'

/** A change, the document that it was made from, and the others that it draws from, by their names. */
export interface BasedChange {
  readonly base: MenuDocument
  readonly change: Change
  readonly texts?: Others
}

/** The result of a change merged with someone else's change to the same document. */
export interface MergedInto {
  readonly merged: Merged
  /** The change to the other text, which is `theirs` here. */
  readonly change: Change
  /** The other text with the change in it; else why it cannot be written there. */
  readonly written: Result<MenuDocument, string>
}

/**
 * Merges a change into another text that was made from the same base: `theirs`, in which everything else stays as it is. At
 * conflicts the change wins, unless `choose` decides otherwise.
 */
export function mergeInto(
  theirs: MenuDocument,
  { base, change, texts = {} }: BasedChange,
  choose?: Ask,
): MergedInto {
  const [before, now] = [base, theirs].map(({ value }): Json => value ?? {}) as [Json, Json]
  const merged = mergeMenus(before, change.value, now, choose, change.origins)
  const wanted = changeOf(
    merged,
    (origin) => firstOf(origin, ['theirs', 'base']) ?? change.origins.get(origin.mine ?? '') ?? null,
  )
  return { merged, change: wanted, written: writeChange(theirs, wanted, { ...texts, base }) }
}
