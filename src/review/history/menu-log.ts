import { changesByMerge } from '../../change/compare/changes-by-merge.js'
import { differences, isUnchanged } from '../../change/compare/differences.js'
import { toSummary } from '../../change/compare/field-words.js'
import { matchMenus } from '../../change/compare/match.js'
import { placedItems } from '../../change/items.js'
import type { Json } from '../../model/json.js'
import { count } from '../count.js'
import { keyOf, type MenuHistory, type MenuVersion, readableOf } from './menu-history.js'

/** A commit's change to the file of a menu. */
export interface LoggedChange {
  readonly version: MenuVersion
  /** The file in which the menu was before; null where it is the same. */
  readonly from: string | null
  readonly what: 'added' | 'changed' | 'deleted'
  /** The difference in words; null where the version cannot be read. */
  readonly summary: string | null
}

/**
 * The commits' changes to the files of a menu, the newest first; merges only with changes of their own. `locales` name
 * items.
 */
export async function* changesOf(
  history: MenuHistory,
  starts: readonly MenuVersion[],
  locales: readonly string[],
): AsyncGenerator<LoggedChange, void> {
  const seen = new Set<string>()
  const waiting = new Map(starts.map((version) => [keyOf(version), { version }]))
  for (;;) {
    const version = (await history.takeNewest(waiting))?.version
    if (version === undefined) return
    seen.add(keyOf(version))
    const olds = await history.before(version)
    const change = await toChange(history, version, olds, locales)
    if (change !== null) yield change
    for (const old of olds) if (!seen.has(keyOf(old))) waiting.set(keyOf(old), { version: old })
  }
}

async function toChange(
  history: MenuHistory,
  version: MenuVersion,
  olds: readonly MenuVersion[],
  locales: readonly string[],
): Promise<LoggedChange | null> {
  const living = olds.filter(({ blob }) => blob !== null)
  const former = living.find(({ path }) => path !== version.path)?.path ?? null
  const from = living.some(({ path }) => path === version.path) ? null : former
  const base = { version, from }
  if (version.blob === null) {
    // A merge counts only where no line of history had deleted the file.
    const isReported = !version.isMerge || (olds.length > 1 && living.length === olds.length)
    return isReported ? { ...base, what: 'deleted', summary: null } : null
  }
  const what = living.length === 0 ? 'added' : 'changed'
  const value = await history.value(version)
  if (value === null) return { ...base, what, summary: null }
  const befores: Json[] = []
  for (const old of await readableOf(history, olds)) befores.push((await history.value(old)) ?? {})
  const [before, ...others] = befores
  if (before === undefined) return { ...base, what, summary: count(placedItems(value).length, 'item') }
  if (others.length === 0) {
    const difference = differences(matchMenus(before, value), locales)
    return { ...base, what, summary: isUnchanged(difference) ? FORM : toSummary(difference) }
  }
  const own = changesByMerge(befores, value, locales)
  return isUnchanged(own) ? null : { ...base, what, summary: `${toSummary(own)}, by the merge itself` }
}

/** The summary of a change of comments, quotes or indentation. */
export const FORM = 'only the formatting'
