import type { Conflict } from '../change/conflict.js'
import { isMap, type Json } from '../change/json.js'
import { quote } from '../document/issue.js'
import { toVisible } from '../document/source.js'

/** A conflict of a merge in words, such as `both changed /label/es of "Help"`. */
export function describeConflict({ kind, field, values, mine, theirs }: Conflict): string {
  const item = values.mine ?? values.theirs
  const name = field === null ? toName(item) : `the item at ${mine ?? theirs}`
  const owner = mine === '' ? 'the menu' : name
  switch (kind) {
    case 'edit':
      return `both changed ${toVisible(field ?? '')} of ${owner}`
    case 'move':
      return `both moved ${name} to different places`
    case 'insert':
      return `both added ${name} at different places`
    case 'delete':
      return `${mine === null ? 'ours' : 'theirs'} deleted ${name}, and ${mine === null ? 'theirs' : 'ours'} changed it or something below it`
    case 'id':
      return `two items got the id ${toVisible(quote(values.mine ?? null))}`
  }
}

/** An item by its label, in whatever language comes first. */
function toName(item: Json | undefined): string {
  if (!isMap(item)) return 'an item'
  const { label, type } = item
  const text = isMap(label) ? Object.values(label).find((each) => typeof each === 'string') : label
  return typeof text === 'string' ? toVisible(quote(text)) : `a ${String(type ?? 'link')}`
}
