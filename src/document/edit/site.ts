import { isList, isMap, type Json } from '../../model/json.js'

/** What a value is to a menu, and for items and what is around them, where: an item is identified by its place. */
export interface Site {
  readonly role: 'menu' | 'items' | 'item' | 'other'
  /** Its JSON Pointer; for a value without items, that of the nearest value around it with items. */
  readonly at: string
}

export const MENU: Site = { role: 'menu', at: '' }

/** The site of a value below another, under a key or at a place. */
export function siteBelow({ role, at }: Site, step: string, value: Json): Site {
  const isItems = (role === 'menu' && step === 'items') || (role === 'item' && step === 'children')
  if (isItems && isList(value)) return { role: 'items', at: `${at}/${step}` }
  if (role === 'items' && isMap(value)) return { role: 'item', at: `${at}/${step}` }
  return { role: 'other', at }
}
