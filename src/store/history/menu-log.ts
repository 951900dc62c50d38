import {
  differences,
  type ItemDifference,
  isUnchanged,
  type MenuDifference,
} from '../../change/differences.js'
import type { Json } from '../../change/json.js'
import { matchItems, placedItems } from '../../change/match.js'
import { toSummary } from '../../change/words.js'
import { isLater, readableOf } from './menu-blame.js'
import type { MenuHistory, MenuVersion } from './menu-history.js'

/** What a commit did to the file of a menu. */
export interface LoggedChange {
  readonly version: MenuVersion
  /** The file in which the menu was before; null where it is the same. */
  readonly from: string | null
  readonly what: 'added' | 'changed' | 'deleted'
  /** The difference in words; null where the version cannot be read. */
  readonly summary: string | null
}

/** Tells what commits did to a menu, the newest first; of merges only those that did something by themselves. `locales` are those to name items in. */
export async function* changesOf(
  history: MenuHistory,
  start: MenuVersion,
  locales: readonly string[],
): AsyncGenerator<LoggedChange, void> {
  const seen = new Set<string>()
  const waiting: MenuVersion[] = [start]
  while (waiting.length > 0) {
    const newest = waiting.reduce((best, each) => (isLater(each, best) ? each : best))
    waiting.splice(waiting.indexOf(newest), 1)
    const key = `${newest.commit.name} ${newest.path}`
    if (seen.has(key)) continue
    seen.add(key)
    const olds = await history.before(newest)
    const change = await toChange(history, newest, olds, locales)
    if (change !== null) yield change
    waiting.push(...olds)
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
    // Of a merge it is told only where no line of history had deleted the file.
    const isTold = !version.isMerge || (olds.length > 1 && living.length === olds.length)
    return isTold ? { ...base, what: 'deleted', summary: null } : null
  }
  const what = living.length === 0 ? 'added' : 'changed'
  const value = await history.value(version)
  if (value === null) return { ...base, what, summary: null }
  const befores: Json[] = []
  for (const old of await readableOf(history, olds)) befores.push((await history.value(old)) ?? {})
  const changes = befores.map((before) => differences(before, value, locales))
  const [only] = changes
  if (only === undefined) return { ...base, what, summary: toCount(value) }
  if (changes.length === 1) return { ...base, what, summary: isUnchanged(only) ? FORM : toSummary(only) }
  const own = ownOfMerge(changes, befores)
  return isUnchanged(own) ? null : { ...base, what, summary: `${toSummary(own)}, by the merge itself` }
}

/** What is told of a change of comments, quotes or indentation. */
const FORM = 'nothing but its form'

/**
 * What a merge did that none of the lines of history has: items that none of them has so, items that all of them have and
 * it has not, keys of the menu likewise.
 */
function ownOfMerge(changes: readonly MenuDifference[], befores: readonly Json[]): MenuDifference {
  const [first, ...others] = changes
  const [before, ...otherBefores] = befores
  const matches = otherBefores.map((other) => matchItems(before ?? {}, other))
  const items = (first?.items ?? []).filter((item) =>
    others.every(({ items: theirs }, place) => {
      if (item.kind !== 'removed')
        return isText(item) && theirs.some((other) => isText(other) && isSame(item, other))
      const there = matches[place]?.toAfter.get(item.before?.pointer ?? '')
      return theirs.some(({ kind, before }) => kind === 'removed' && before?.pointer === there)
    }),
  )
  const fields = (first?.fields ?? []).filter((field) =>
    others.every((each) => each.fields.some(({ key, part }) => key === field.key && part === field.part)),
  )
  return { fields, items }
}

function isText({ kind, fields }: ItemDifference): boolean {
  return kind === 'added' || fields.length > 0
}

function isSame(a: ItemDifference, b: ItemDifference): boolean {
  return a.after !== null && a.after.pointer === b.after?.pointer
}

function toCount(value: Json): string {
  const count = placedItems(value).length
  return `${count} item${count === 1 ? '' : 's'}`
}
