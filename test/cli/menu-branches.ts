import fc from 'fast-check'
import { isMap, type Json, type JsonMap } from '../../src/model/json.js'
import {
  changed,
  changedOwn,
  type Draft,
  drafts,
  ownWishes,
  placesIn,
  wishes,
} from '../change/menu-changes.js'

/** The texts of a menu on two branches and where they part. */
export interface Branches {
  readonly base: string
  readonly mine: string
  readonly theirs: string
}

/** The key under which a draft keeps its comment. */
const COMMENT = '#'

/** Pairs of branches that change a menu with comments, as it comes or different items. */
export function sampleBranches(kind: 'free' | 'disjoint', count: number, seed: number): readonly Branches[] {
  const free = fc.tuple(drafts, wishes, wishes).map(([items, mine, theirs]) => {
    const base = commented(items)
    return { base, mine: changed(base, mine, 'm', false), theirs: changed(base, theirs, 't', false) }
  })
  const disjoint = fc.tuple(drafts, ownWishes(0), ownWishes(1)).map(([items, mine, theirs]) => {
    const base = commented(items, true)
    return { base, mine: changedOwn(base, mine, 'm'), theirs: changedOwn(base, theirs, 't') }
  })
  return fc
    .sample(kind === 'free' ? free : disjoint, { seed, numRuns: count })
    .map(({ base, mine, theirs }) => ({
      base: textOf(base),
      mine: textOf(withComments(mine, 'm')),
      theirs: textOf(withComments(theirs, 't')),
    }))
}

/** Gives each item a comment of its own, and with `hasIds` an id. */
function commented(items: readonly Draft[], hasIds = false): Draft[] {
  const copy: Draft[] = JSON.parse(JSON.stringify(items))
  for (const [number, { item }] of placesIn(copy).entries()) {
    item[COMMENT] = `base ${number}`
    if (hasIds) item['id'] = `i${number}`
  }
  return copy
}

/** Gives what a branch added comments, too. */
function withComments(items: Draft[], branch: string): Draft[] {
  for (const [number, { item }] of placesIn(items).entries()) item[COMMENT] ??= `${branch} ${number}`
  return items
}

function textOf(items: readonly Draft[]): string {
  const head = '# What this menu is for.\nversion: 1\ncode: main\nname: Main\nitems:'
  return items.length === 0 ? `${head} []\n` : `${head}\n${linesOf(items, '  ')}`
}

/** The lines of a list; of every third item the comment stands behind its first line, else above it. */
function linesOf(items: readonly Draft[], indent: string): string {
  return items
    .map((item) => {
      const comment = String(item[COMMENT])
      const { [COMMENT]: _, children, ...own } = item
      const isBehind = comment.endsWith('3') || comment.endsWith('6')
      const lines = Object.entries(own).map(([key, value]) => `${key}: ${toFlow(value)}`)
      const first = `${indent}- ${lines[0]}${isBehind ? ` # ${comment}` : ''}\n`
      const rest = lines.slice(1).map((line) => `${indent}  ${line}\n`)
      const above = isBehind ? '' : `${indent}# ${comment}\n`
      const below =
        children === undefined
          ? ''
          : children.length === 0
            ? `${indent}  children: []\n`
            : `${indent}  children:\n${linesOf(children, `${indent}    `)}`
      return above + first + rest.join('') + below
    })
    .join('')
}

function toFlow(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(toFlow).join(', ')}]`
  if (!isMap(value)) return String(value)
  const pairs = Object.entries(value as JsonMap).map(([key, each]) => `${key}: ${toFlow(each)}`)
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`
}
