import { toClosed } from '../../model/direction.js'
import { isMap, type Json } from '../../model/json.js'
import { toLabelText } from '../../model/label.js'
import type { Locale } from '../../model/locale.js'
import { fill } from '../fill.js'
import type { PlacedItem } from '../items.js'
import type { Action } from './action.js'
import { listOf } from './places.js'
import type { Refusal, RefusalReason } from './refusal.js'

/** What an action did, with the item where it is afterwards; for `remove`, where it was. */
export interface Outcome {
  readonly kind: Action['kind']
  readonly item: PlacedItem
}

/**
 * The sentences for what happened and for why nothing did, in one language. In each, `{name}`, `{position}`, `{count}`,
 * `{parent}` and `{limit}` are replaced by what it is about.
 */
export interface ActionTexts {
  /** What items without a label are called, by type. */
  readonly unnamed: { readonly [type in 'link' | 'section' | 'divider']: string }
  readonly moved: string
  readonly movedUnder: string
  readonly removed: string
  readonly removedWith: string
  readonly added: string
  readonly addedUnder: string
  readonly duplicated: string
  readonly hidden: string
  readonly shown: string
  readonly changed: string
  readonly refused: { readonly [reason in RefusalReason]: string }
}

/** What happened in a sentence, such as `Blog moved to position 2 of 4 under Products.` */
export function describeOutcome(
  { kind, item }: Outcome,
  texts: ActionTexts,
  chain: readonly Locale[],
): string {
  const { parent, below } = item
  const isTop = parent === null || parent.parent === null
  const values = {
    name: toName(item.item, texts, chain),
    position: item.index + 1,
    count: parent === null ? 0 : listOf(parent).length,
    parent: isTop ? '' : toName(parent.item, texts, chain),
  }
  const sentences: Partial<Record<Action['kind'], string>> = {
    remove: below.length === 0 ? texts.removed : texts.removedWith,
    add: isTop ? texts.added : texts.addedUnder,
    duplicate: texts.duplicated,
    hide: texts.hidden,
    show: texts.shown,
    set: texts.changed,
  }
  return fill(sentences[kind] ?? (isTop ? texts.moved : texts.movedUnder), values)
}

/** Why an action is impossible, in a sentence; `item` is the one it was for, unless the refusal names one. */
export function describeRefusal(
  { reason, other, limit = 0, item: one }: Refusal,
  item: PlacedItem | null,
  texts: ActionTexts,
  chain: readonly Locale[],
): string {
  const name = toName((one ?? item)?.item ?? {}, texts, chain)
  return fill(texts.refused[reason], { name, parent: toName(other?.item ?? {}, texts, chain), limit })
}

/** What an item is called in a sentence: its label, else the word for its type. */
export function toName(
  item: Json,
  { unnamed }: Pick<ActionTexts, 'unnamed'>,
  chain: readonly Locale[],
): string {
  const { label, type } = isMap(item) ? item : {}
  const text = type === 'divider' ? '' : toLabelText(label, chain).text.trim()
  return text === '' ? unnamed[type === 'section' || type === 'divider' ? type : 'link'] : toClosed(text)
}
