import { isList, isMap, type Json, type JsonList, type JsonMap } from '../../model/json.js'
import type { Editing, Fitting, Fresh } from './editing.js'
import { keyText, withColon } from './key-text.js'
import { firstOf, likeBelow, orderedKeys } from './likeness.js'
import { quoteOf } from './rewrite-scalar.js'
import { toScalarText } from './scalar-text.js'
import { siteBelow } from './site.js'

/** The text of a new value, written as its neighbour is. */
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
  return isList(value) ? listLines(editing, value, fitting) : mapLines(editing, value, fitting)
}

function inline(text: string): Fresh {
  return { inline: text, lines: null }
}

/** Whether a value comes in brackets: as its neighbour does, else when it is a small one and no item. */
function isFlow(editing: Editing, value: JsonList | JsonMap, { site, like }: Fitting): boolean {
  if (bringsLines(editing, value, site)) return false
  const part = like?.part
  if (part !== undefined && part.kind !== 'scalar' && part.isList === isList(value))
    return part.kind === 'flow'
  if (site.role === 'items' || site.role === 'item' || site.role === 'menu') return false
  return Object.values(value).every((each) => !isList(each) && !isMap(each))
}

/** Whether items that have lines of their own come to stand below a new one. */
function bringsLines(editing: Editing, value: JsonList | JsonMap, site: Fitting['site']): boolean {
  const list = isList(value) ? value : value['children']
  if ((site.role !== 'items' && site.role !== 'item') || !isList(list)) return false
  const below = site.role === 'items' ? site : siteBelow(site, 'children', list)
  return list.some(
    (each, place) => editing.sourceOf(siteBelow(below, String(place), each))?.entry.form === 'block',
  )
}

function listLines(editing: Editing, value: JsonList, { site, column, isInList, like }: Fitting): Fresh {
  const own =
    like?.part.kind === 'block' && like.part.isList && !like.part.isInline && like.entry?.form === 'block'
  const deeper =
    own && like.part.kind === 'block' && like.entry?.form === 'block'
      ? like.part.column - like.entry.column
      : editing.styles.dash
  const at = column + (isInList ? 2 : deeper)
  const first = firstOf(like)
  if (site.role === 'items')
    return { inline: null, lines: editing.itemLines(value, site, at, first), column: at }
  const pad = ' '.repeat(at)
  const lines = value.map((each, place) => {
    const below = siteBelow(site, String(place), each)
    const fresh = editing.fresh(each, { site: below, column: at, isInList: true, inFlow: false, like: first })
    return `${pad}- ${fresh.lines === null ? fresh.inline + editing.eol : fresh.lines.slice(fresh.column)}`
  })
  return { inline: null, lines: lines.join(''), column: at }
}

function mapLines(editing: Editing, value: JsonMap, { site, column, isInList, like }: Fitting): Fresh {
  const at = column + (isInList ? 2 : editing.styles.step)
  const pad = ' '.repeat(at)
  const lines = orderedKeys(value, like?.part ?? null, site.role === 'item').map((key) => {
    const each = value[key] ?? null
    const after = likeBelow(editing, like, key, each)
    const below = siteBelow(site, key, each)
    const fresh = editing.fresh(each, {
      site: below,
      column: at,
      isInList: false,
      inFlow: false,
      like: after,
    })
    const name = withColon(keyText(editing, key, firstOf(like)), editing.eol + pad)
    return fresh.lines === null
      ? `${pad}${name} ${fresh.inline}${editing.eol}`
      : `${pad}${name}${editing.eol}${fresh.lines}`
  })
  return { inline: null, lines: lines.join(''), column: at }
}
