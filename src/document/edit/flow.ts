import { isEqual, isList, isMap, type Json, type JsonList, type JsonMap } from '../../change/json.js'
import { planKeys } from './align.js'
import { commentsInside, commentsOf } from './comments.js'
import type { Around, Editing, FlowText, Source, TakenText } from './editing.js'
import { type Cell, type Cells, columnInside, joinCells } from './join-cells.js'
import { keyText, withColon } from './key-text.js'
import { type FlowEntry, type FlowPart, slice } from './layout.js'
import { firstOf, likeBelow, orderedKeys } from './likeness.js'
import { type ListStep, neighbour, planList } from './list-plan.js'
import { rewriteScalar } from './rewrite-scalar.js'
import { type Site, siteBelow } from './site.js'
import type { Like } from './styles.js'
import { commentsIn, lineStartOf, shift } from './trivia.js'

const NEW_CELL = { loose: '', lead: null, wasFirst: false, comments: [], post: null, after: '' } as const

/** A list or a map in brackets for another value, or a new one; new lines in it begin at a column. */
export function flowTextOf(
  editing: Editing,
  around: Around<FlowPart> | null,
  value: JsonList | JsonMap,
  site: Site,
  column: number,
  like: Like | null,
): string {
  const isListValue = isList(value)
  const inner = around === null ? column : (columnInside(around) ?? column)
  if (around !== null && site.role === 'other' && isEqual(around.part.value, value)) {
    return slice(around.layout, around.part.start, around.part.end)
  }
  const { cells, rest } = isListValue
    ? listCells(editing, around, value, site, inner, like)
    : mapCells(editing, around, value as JsonMap, site, inner, like)
  return joinCells(editing, around, like, cells, rest, isListValue, inner)
}

function listCells(
  editing: Editing,
  around: Around<FlowPart> | null,
  value: JsonList,
  site: Site,
  column: number,
  like: Like | null,
): Cells {
  const entries = around?.part.entries ?? []
  const before = (around?.part.value as JsonList | undefined) ?? []
  const { steps, isLeft } = planList(editing, entries, before, value, site)
  const keeper = cellKeeper(editing, around, column, (_, place) => isLeft(place))
  const head = keeper.upTo(0)
  const cells = steps.map((step, index) => {
    const loose = step.stays && step.place !== null ? keeper.upTo(step.place) : ''
    const cell = listCell(editing, around, step, index, column, like)
    return { ...cell, loose: index === 0 ? head + loose : loose }
  })
  return { cells, rest: (steps.length === 0 ? head : '') + keeper.upTo(entries.length) }
}

function listCell(
  editing: Editing,
  around: Around<FlowPart> | null,
  { value, site, own, moved, place }: ListStep<FlowEntry>,
  index: number,
  column: number,
  like: Like | null,
): Cell {
  if (around !== null && own !== null) {
    return ownCell(editing, { layout: around.layout, entry: own }, value, site, column, place === 0)
  }
  if (moved !== null) return movedCell(editing, moved, value, site, column)
  const after = (around === null ? null : neighbour(around, index)) ?? firstOf(like)
  return { ...NEW_CELL, text: inlineOf(editing, value, site, column, after) }
}

function mapCells(
  editing: Editing,
  around: Around<FlowPart> | null,
  value: JsonMap,
  site: Site,
  column: number,
  like: Like | null,
): Cells {
  const entries = around?.part.entries ?? []
  const plan = planKeys(
    entries.map(({ key }) => key ?? ''),
    value,
    site.role !== 'other',
  )
  const keeper = cellKeeper(editing, around, column, ({ key }) => !plan.kept.has(key ?? ''))
  const cells: Cell[] = []
  const first = entries[0]
  const beside: Like | null =
    around === null || first === undefined ? like : { layout: around.layout, part: around.part, entry: null }
  const add = (name: string): void => {
    const each = value[name] ?? null
    const after = likeBelow(editing, beside, name, each)
    const text = inlineOf(editing, each, siteBelow(site, name, each), column, after)
    cells.push({ ...NEW_CELL, text: `${withColon(keyText(editing, name, firstOf(beside)), ' ')} ${text}` })
  }
  const addBehind = (key: string | null): void => plan.added.get(key)?.forEach(add)
  if (entries.length === 0) {
    for (const name of orderedKeys(value, like?.part ?? null, site.role === 'item')) add(name)
    return { cells, rest: '' }
  }
  addBehind(null)
  for (const [place, entry] of entries.entries()) {
    const name = plan.kept.get(entry.key ?? '')
    if (name !== undefined && around !== null) {
      const each = value[name] ?? null
      const below = siteBelow(site, name, each)
      const source = { layout: around.layout, entry }
      const key =
        name === entry.key
          ? null
          : keyText(editing, name, { layout: around.layout, part: entry.value, entry })
      const cell = ownCell(editing, source, each, below, column, place === 0, key)
      cells.push({ ...cell, loose: keeper.upTo(place) })
    }
    addBehind(entry.key)
  }
  return { cells, rest: keeper.upTo(entries.length) }
}

/** Gives out what stays between entries, and the comments of entries that go but leave those. */
function cellKeeper(
  { eol }: Editing,
  around: Around<FlowPart> | null,
  column: number,
  isLeft: (entry: FlowEntry, place: number) => boolean,
): { readonly upTo: (place: number) => string } {
  let next = 0
  return {
    upTo(place) {
      let text = ''
      if (around === null) return text
      const { layout, part } = around
      for (; next <= place && next < part.entries.length; next++) {
        const entry = part.entries[next]
        if (entry === undefined) break
        text += slice(layout, entry.loose, entry.lead)
        if (!isLeft(entry, next) || layout.itemEntries.has(entry)) continue
        for (const comment of commentsOf(layout, entry)) text += `${eol}${' '.repeat(column)}${comment}`
      }
      return text
    },
  }
}

function ownCell(
  editing: Editing,
  source: Source<FlowEntry>,
  value: Json,
  site: Site,
  column: number,
  wasFirst: boolean,
  key: string | null = null,
): Cell {
  const { layout, entry } = source
  const { text, comments } = flowEntryText(editing, source, value, site, column, key)
  const post = entry.comma === null ? null : slice(layout, entry.end, entry.comma)
  const after = slice(layout, entry.comma === null ? entry.end : entry.comma + 1, entry.after)
  return { loose: '', lead: slice(layout, entry.lead, entry.start), wasFirst, comments, text, post, after }
}

/** An item from another list, or another text. */
function movedCell(editing: Editing, source: Source, value: Json, site: Site, column: number): Cell {
  const { layout, entry } = source
  if (entry.form === 'flow') {
    const { text, comments, behind } = takenText(editing, { layout, entry }, value, site, column)
    return { ...NEW_CELL, comments, text, after: behind }
  }
  const like = { layout, part: entry.value, entry }
  return {
    ...NEW_CELL,
    comments: commentsOf(layout, entry),
    text: inlineOf(editing, value, site, column, like),
  }
}

/** An entry in brackets that is taken to another place, at a column, and all comments around it. */
export function takenText(
  editing: Editing,
  source: Source<FlowEntry>,
  value: Json,
  site: Site,
  column: number,
): TakenText {
  const { layout, entry } = source
  const lineStart = lineStartOf(layout.text, entry.start)
  const indent = /^[ \t]*/.exec(layout.text.slice(lineStart, entry.start))?.[0].length ?? 0
  const { text, comments } = flowEntryText(editing, source, value, site, indent)
  const above = commentsIn(layout.text, entry.lead, entry.start)
  const afterComma = entry.comma === null ? entry.end : entry.comma + 1
  const before = entry.comma === null ? [] : commentsIn(layout.text, entry.end, entry.comma)
  // No line comes to stand further to the left than the place allows.
  const lines = [...text.matchAll(/\n([ \t]*)\S/g)].map(([, blanks = '']) => blanks.length)
  const base = lines.reduce((least, each) => Math.min(least, each), indent)
  return {
    text: shift(text, column - base),
    comments: [...above, ...comments, ...before],
    behind: slice(layout, afterComma, entry.after).trimEnd(),
  }
}

/** An entry in brackets for another value, and the comments that found no place in it. */
function flowEntryText(
  editing: Editing,
  source: Source<FlowEntry>,
  value: Json,
  site: Site,
  column: number,
  key: string | null = null,
): FlowText {
  const { layout, entry } = source
  if (editing.isStill(site)) return { text: slice(layout, entry.start, entry.end), comments: [] }
  const { value: part } = entry
  const head = key === null ? slice(layout, entry.start, entry.keyEnd) : key
  const colon = slice(layout, entry.keyEnd, part.start)
  const isSame = site.role === 'other' && isEqual(part.value, value)
  if (isSame) return { text: head + slice(layout, entry.keyEnd, entry.end), comments: [] }
  const hasPlace = entry.key === null || entry.colonEnd > entry.keyEnd
  if (!editing.isCoarse || site.role !== 'other') {
    if (part.kind === 'flow' && (part.isList ? isList(value) : isMap(value))) {
      const text = flowTextOf(editing, { layout, part }, value as JsonList | JsonMap, site, column + 2, null)
      return { text: head + colon + text, comments: [] }
    }
    if (part.kind === 'scalar' && part.style !== 'pair' && hasPlace && !isList(value) && !isMap(value)) {
      const text = rewriteScalar(layout, part, value, { place: 'flow', column }, editing.styles.quote)
      return { text: head + colon + (part.style === 'empty' ? ' ' : '') + text, comments: [] }
    }
  }
  const comments = [
    ...commentsIn(layout.text, entry.keyEnd, Math.max(entry.keyEnd, part.start)),
    ...commentsInside(layout, part),
  ]
  const text = inlineOf(editing, value, site, column, { layout, part, entry })
  return { text: entry.key === null ? text : `${head}: ${text}`, comments }
}

function inlineOf(editing: Editing, value: Json, site: Site, column: number, like: Like | null): string {
  const fresh = editing.fresh(value, { site, column, isInList: false, inFlow: true, like })
  return fresh.inline ?? ''
}
