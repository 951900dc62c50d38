import type { Side } from '../../change/change.js'
import type { Conflict } from '../../change/merge/conflict.js'
import { valueAt } from '../../change/operations/patch.js'
import { quote } from '../../document/issue.js'
import { toVisible } from '../../document/source.js'
import { isMap, type Json } from '../../model/json.js'

/** A conflict between two values of a menu in words, such as `both changed /label/es of "Help"`. */
export function describeConflict(
  { kind, field, values, ...origin }: Conflict,
  menus: { readonly [side in Side]: Json },
): string {
  const side = origin.mine === null ? 'theirs' : 'mine'
  const name = origin.mine === '' ? 'the menu' : toName(valueAt(menus[side], origin[side] ?? ''))
  const [deleting, changing] = side === 'theirs' ? ['ours', 'theirs'] : ['theirs', 'ours']
  switch (kind) {
    case 'edit':
      return `both changed ${toVisible(field ?? '')} of ${name}`
    case 'move':
      return `both moved ${name} to different places`
    case 'insert':
      return `both added ${name} at different places`
    case 'delete':
      return `${deleting} deleted ${name}, and ${changing} changed it or something below it`
    case 'id':
      return `two items got the id ${toVisible(quote(values.mine ?? null))}`
    case 'viewers':
      return `together, both changes show ${name} to viewers who see it on neither side`
  }
}

/** An item by its label, in the first language that has one. */
export function toName(item: Json | undefined): string {
  if (!isMap(item)) return 'an item'
  const { label, type } = item
  const text = isMap(label) ? Object.values(label).find((each) => typeof each === 'string') : label
  return typeof text === 'string' ? toVisible(quote(text)) : `a ${String(type ?? 'link')}`
}
