import { isList, isMap, type Json, type JsonList, type JsonMap } from '../../model/json.js'
import type { Editing, Fitting, Fresh } from './editing.js'
import { keyText, withColon } from './key-text.js'
import { firstOf, likeBelow, orderedKeys } from './likeness.js'
import { quoteOf } from './rewrite-scalar.js'
import { toScalarText } from './scalar-text.js'
import { siteBelow } from './site.js'
import type { Like } from './styles.js'

/** The text of a new value, written like its neighbour. */
export function freshText(editing: Editing, value: Json, fitting: Fitting): Fresh {
  const { inFlow, like, site, column } = fitting
  if (!isList(value) && !isMap(value)) {
    const wish = like?.part.kind === 'scalar' ? quoteOf(like.part) : 'plain'
    return inline(toScalarText(value, wish, inFlow ? 'flow' : 'block', editing.styles.quote))
  }
  if (Object.keys(value).length === 0) return inline(isList(value) ? '[]' : '{}')
  if (inFlow || isFlow(editing, value, fitting)) {
    return inline(editing.flowText(null, value, site, column + 2, like))
  }
  return linesOf(editing, value, fitting)
}

function inline(text: string): Fresh {
  return { inline: text, lines: null }
}

/** Whether a value is in brackets: like its neighbour, else when it is small and not an item. */
function isFlow(editing: Editing, value: JsonList | JsonMap, { site, like }: Fitting): boolean {
  if (bringsLines(editing, value, site)) return false
  const part = like?.part
  if (part !== undefined && part.kind !== 'scalar' && part.isList === isList(value))
    return part.kind === 'flow'
  if (site.role === 'items' || site.role === 'item' || site.role === 'menu') return false
  return Object.values(value).every((each) => !isList(each) && !isMap(each))
}

/** Whether items with lines of their own go below a new one. */
function bringsLines(editing: Editing, value: JsonList | JsonMap, site: Fitting['site']): boolean {
  const list = isList(value) ? value : value['children']
  if ((site.role !== 'items' && site.role !== 'item') || !isList(list)) return false
  const below = site.role === 'items' ? site : siteBelow(site, 'children', list)
  return list.some(
    (each, place) => editing.sourceOf(siteBelow(below, String(place), each))?.entry.form === 'block',
  )
}

function linesOf(editing: Editing, value: JsonList | JsonMap, fitting: Fitting): Fresh {
  const { site, column, isInList, like } = fitting
  const isOfList = isList(value)
  const at = column + (isInList ? 2 : isOfList ? listDepth(editing, like) : editing.styles.step)
  const first = firstOf(like)
  if (isOfList && site.role === 'items')
    return { inline: null, lines: editing.itemLines(value, site, at, first), column: at }
  const pad = ' '.repeat(at)
  const lineOf = (key: string, each: Json): string => {
    const after = isOfList ? first : likeBelow(editing, like, key, each)
    const below = siteBelow(site, key, each)
    const fitting = { site: below, column: at, isInList: isOfList, inFlow: false, like: after }
    const fresh = editing.fresh(each, fitting)
    const name = isOfList ? '-' : withColon(keyText(editing, key, first), editing.eol + pad)
    if (fresh.lines === null) return `${pad}${name} ${fresh.inline}${editing.eol}`
    return isOfList
      ? `${pad}- ${fresh.lines.slice(fresh.column)}`
      : `${pad}${name}${editing.eol}${fresh.lines}`
  }
  const lines = isOfList
    ? value.map((each, place) => lineOf(String(place), each))
    : orderedKeys(value as JsonMap, like?.part ?? null, site.role === 'item').map((key) =>
        lineOf(key, (value as JsonMap)[key] ?? null),
      )
  return { inline: null, lines: lines.join(''), column: at }
}

/** How much deeper than its key a list is: like its neighbour, else as usual in the file. */
function listDepth({ styles }: Editing, like: Like | null): number {
  if (like?.part.kind !== 'block' || like.entry?.form !== 'block') return styles.dash
  return like.part.isList && !like.part.isInline ? like.part.column - like.entry.column : styles.dash
}
