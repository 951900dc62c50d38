import { type Fates, toFates, toSummary } from '../change/item-fates.js'
import type { Json } from '../change/json.js'
import { placedItems } from '../change/match.js'
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

/** Tells what commits did to a menu, the newest first; of merges only those that did something by themselves. */
export async function* changesOf(
  history: MenuHistory,
  start: MenuVersion,
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
    const change = await toChange(history, newest, olds)
    if (change !== null) yield change
    waiting.push(...olds)
  }
}

async function toChange(
  history: MenuHistory,
  version: MenuVersion,
  olds: readonly MenuVersion[],
): Promise<LoggedChange | null> {
  const living = olds.filter(({ blob }) => blob !== null)
  const former = living.find(({ path }) => path !== version.path)?.path ?? null
  const from = living.some(({ path }) => path === version.path) ? null : former
  const base = { version, from }
  if (version.blob === null) return version.isMerge ? null : { ...base, what: 'deleted', summary: null }
  const what = living.length === 0 ? 'added' : 'changed'
  const value = await history.value(version)
  if (value === null) return { ...base, what, summary: null }
  const fates: Fates[] = []
  for (const old of await readableOf(history, olds))
    fates.push(toFates((await history.value(old)) ?? {}, value))
  const [only] = fates
  if (only === undefined) return { ...base, what, summary: toCount(value) }
  if (fates.length === 1) return { ...base, what, summary: toSummary(only) }
  const own = ownOfMerge(fates)
  return own === null ? null : { ...base, what, summary: `${toSummary(own)}, by the merge itself` }
}

/** What a merge did that none of the lines of history has; null for nothing. */
function ownOfMerge([first, ...others]: readonly Fates[]): Fates | null {
  if (first === undefined) return null
  const changes = [...first.items].filter(
    ([pointer, fate]) =>
      isTextChange(fate) && others.every(({ items }) => isTextChange(items.get(pointer) ?? fate)),
  )
  const menu = first.menu.filter((key) => others.every((fates) => fates.menu.includes(key)))
  return changes.length === 0 && menu.length === 0 ? null : { items: new Map(changes), removed: 0, menu }
}

function isTextChange({
  before,
  edited,
}: {
  readonly before: string | null
  readonly edited: readonly string[]
}): boolean {
  return before === null || edited.length > 0
}

function toCount(value: Json): string {
  const count = placedItems(value).length
  return `${count} item${count === 1 ? '' : 's'}`
}
