import { isEqual, type Json } from '../../change/json.js'
import type { Conflict } from '../../change/merge/conflict.js'
import { type Merged, mergeMenus } from '../../change/merge/merge.js'
import { type Limits, toYamlLimits } from '../../model/limits.js'
import { isError } from '../../model/problem.js'
import { type Donor, editMenuText } from '../edit/edit-menu.js'
import { readYamlText } from '../read/read-yaml.js'
import { arrange, type ThreeOf } from './arrange.js'
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
      readonly mine: string
      /** The same text with what `theirs` has there, and with what was there before; equal to `mine` without conflicts. */
      readonly theirs: string
      readonly base: string
    }
  /** Why the menus can be merged and their texts cannot. */
  | { readonly fault: string }

/**
 * Merges the texts of three menus. The merge of their values says what comes out; the text of it is what lines give
 * where that says the same, so that both sides keep their comments and their style. Else all three texts are put in the
 * merged order first, which leaves to the lines what they can do, and the rest is edited into that.
 *
 * @param whole what lines alone give; null where both sides changed the same lines.
 */
export async function mergeMenuTexts(
  texts: ThreeOf<string>,
  values: ThreeOf<Json>,
  whole: string | null,
  mergeLines: MergeLines,
): Promise<MergedText> {
  const merged = mergeMenus(values.base, values.mine, values.theirs)
  if (merged.conflicts.length === 0 && whole !== null && says(whole, merged.value)) {
    const mine = keepComments(whole, merged, texts)
    return { fault: null, conflicts: [], merged, mine, theirs: mine, base: mine }
  }
  const mine = await mergeArranged(merged, texts, values, mergeLines)
  if (mine.text === null) return mine
  if (merged.conflicts.length === 0) {
    return { fault: null, conflicts: [], merged, mine: mine.text, theirs: mine.text, base: mine.text }
  }
  const other = (side: 'theirs' | 'base'): ReturnType<typeof editMenuText> => {
    const chosen = mergeMenus(values.base, values.mine, values.theirs, () => side)
    return editMenuText(mine.text, chosen.value, { donors: newItems(merged, chosen, texts) })
  }
  const theirs = other('theirs')
  if (theirs.text === null) return theirs
  const base = other('base')
  return {
    fault: null,
    conflicts: merged.conflicts,
    merged,
    mine: mine.text,
    theirs: theirs.text,
    base: base.text ?? mine.text,
  }
}

/** The largest menu that any configuration allows. */
const LARGEST = toYamlLimits({ items: 10_000, levels: 64 } as Limits)

/** What a text says; undefined when it cannot be read. */
export function toMenuValue(text: string): Json | undefined {
  const read = readYamlText('', text.replace(/^\ufeff/, ''), LARGEST)
  return read.problems.some(isError) || read.value === null ? undefined : (read.value as Json)
}

function says(text: string, value: Json): boolean {
  return isEqual(toMenuValue(text), value)
}

async function mergeArranged(
  merged: Merged,
  texts: ThreeOf<string>,
  values: ThreeOf<Json>,
  mergeLines: MergeLines,
): Promise<ReturnType<typeof editMenuText>> {
  const written = (side: 'base' | 'mine' | 'theirs'): ReturnType<typeof editMenuText> => {
    const { value, donors } = arrange(side, merged, values, texts)
    return editMenuText(texts[side], value, { donors })
  }
  const mine = written('mine')
  if (mine.text === null) return mine
  const [base, theirs] = [written('base'), written('theirs')]
  const edited = (text: string): ReturnType<typeof editMenuText> => {
    const found = editMenuText(text, merged.value)
    return found.text === null ? found : { text: keepComments(found.text, merged, texts), fault: null }
  }
  if (base.text !== null && theirs.text !== null) {
    const lines = await mergeLines({ base: base.text, mine: mine.text, theirs: theirs.text })
    if (toMenuValue(lines) !== undefined) {
      const found = edited(lines)
      if (found.text !== null) return found
    }
  }
  return edited(mine.text)
}

/** The texts of the items that one choice has and the other has not. */
function newItems(merged: Merged, chosen: Merged, texts: ThreeOf<string>): ReadonlyMap<string, Donor> {
  const known = new Set(
    [...merged.origins.values()].map(({ base, mine, theirs }) => [base, mine, theirs].join()),
  )
  const donors = new Map<string, Donor>()
  for (const [pointer, { base, mine, theirs }] of chosen.origins) {
    if (known.has([base, mine, theirs].join())) continue
    if (theirs !== null) donors.set(pointer, { text: texts.theirs, pointer: theirs })
    else if (mine !== null) donors.set(pointer, { text: texts.mine, pointer: mine })
  }
  return donors
}
