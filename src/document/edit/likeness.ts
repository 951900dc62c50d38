import { isList, isMap, type Json, type JsonMap } from '../../model/json.js'
import type { Editing } from './editing.js'
import type { Entry, Part } from './layout.js'
import { planKeys } from './plan-keys.js'
import type { Like } from './styles.js'

/** The keys of a new map in the order of its neighbour. */
export function orderedKeys(value: JsonMap, like: Part | null, isItem: boolean): readonly string[] {
  if (like === null || like.kind === 'scalar' || like.isList) return Object.keys(value)
  const before = (like.entries as readonly Entry[]).flatMap(({ key }) =>
    key !== null && Object.hasOwn(value, key) ? [key] : [],
  )
  return planKeys(before, value, isItem, true).map(({ key }) => key)
}

/** The model for a value under a key: the neighbour's under that key, else the first in the file. */
export function likeBelow(editing: Editing, like: Like | null, key: string, value: Json): Like | null {
  const entries: readonly Entry[] = like === null || like.part.kind === 'scalar' ? [] : like.part.entries
  const found = entries.find((entry) => entry.key === key) ?? null
  if (like !== null && found !== null) return { layout: like.layout, part: found.value, entry: found }
  if (isList(value) || isMap(value)) return likeElsewhere(editing, key)
  const text = entries.find(({ value: part }) => part.kind === 'scalar' && typeof part.value === 'string')
  return like === null || text === undefined ? null : { layout: like.layout, part: text.value, entry: text }
}

/** The first entry of a list or a map: the model for another. */
export function firstOf(like: Like | null): Like | null {
  const entry = like === null || like.part.kind === 'scalar' ? undefined : like.part.entries[0]
  return like === null || entry === undefined ? null : { layout: like.layout, part: entry.value, entry }
}

/** The first list or map under a key in the file; lists of items are alike, whatever their key. */
export function likeElsewhere({ styles }: Editing, key: string): Like | null {
  const found = styles.byKey.get(key)
  return found ?? (key === 'children' ? styles.byKey.get('items') : undefined) ?? null
}
