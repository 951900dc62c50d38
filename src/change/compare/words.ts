import { isEqual, isList, isMap, type Json } from '../../model/json.js'
import { type ItemDifference, type ItemPlace, isOwnChange, type MenuDifference } from './differences.js'
import type { FieldChange } from './field-changes.js'
import { toSeries } from './gate.js'

/** A change in words: what changed, from what to what; null where there was or is nothing. All texts are data. */
export interface DescribedChange {
  readonly what: string
  readonly from: string | null
  readonly to: string | null
  /** Whether nothing changed: `to` is a fact of an item that is new or gone. */
  readonly isFact?: true
}

const TARGETS: Readonly<Record<string, string>> = {
  routeName: 'route',
  routeParams: 'route parameters',
  url: 'address',
}
/** The meaning of a missing key. */
const DEFAULTS: Readonly<Record<string, string>> = {
  type: 'link',
  permissionMode: 'all',
  hidden: 'no',
  context: 'no context',
}
const MAX_NAMED = 3

export function describeField({ key, part, ...values }: FieldChange): DescribedChange {
  const inWords = (value: Json | undefined): string | null => {
    if (key === 'hidden' && typeof value === 'boolean') return value ? 'yes' : 'no'
    if (value !== undefined && value !== null && !isEmpty(value)) return toText(value)
    return part === null && Object.hasOwn(DEFAULTS, key) ? (DEFAULTS[key] ?? null) : null
  }
  return { what: toWhat(key, part), from: inWords(values.from), to: inWords(values.to) }
}

/** Where a moved item was and is: `Shop › Lamps, place 2`. */
export function describeMove(before: ItemPlace, after: ItemPlace): DescribedChange {
  return { what: 'moved', from: toSpot(before), to: toSpot(after) }
}

/** One short line on a change of a menu, such as `3 items: “Blog” relabelled (en), 1 added, 1 removed`. All texts are data. */
export function toSummary({ fields, items }: MenuDifference): string {
  const own = items.filter(isOwnChange)
  const changed = own.filter(({ kind }) => kind === 'changed')
  const byWidening = [...changed].sort((a, b) => Number(b.widens) - Number(a.widens))
  const parts = byWidening.slice(0, MAX_NAMED).map((each) => `${nameIn(each)} ${toVerbs(each)}`)
  if (changed.length > MAX_NAMED) parts.push(`${changed.length - MAX_NAMED} more changed`)
  for (const kind of ['added', 'removed'] as const) {
    const some = own.filter((each) => each.kind === kind)
    const [only] = some
    if (only === undefined) continue
    parts.push(own.length === 1 ? `${nameIn(only)} ${kind}` : `${some.length} ${kind}`)
  }
  const menu = [...new Set(fields.map(({ key }) => `${key} changed`))].join(', ')
  const count = own.length > 1 ? `${own.length} items: ` : ''
  return (
    [menu, own.length === 0 ? '' : count + parts.join(', ')].filter((part) => part !== '').join('; ') ||
    'nothing changed'
  )
}

/** What was done to a changed item: `relabelled (en, es) and moved under “Shop”`. */
function toVerbs({ before, after, moved, fields, widens, narrows }: ItemDifference): string {
  const kinds = new Set(fields.map(({ kind }) => kind))
  const verbs: string[] = []
  const locales = fields.flatMap(({ kind, part }) => (kind === 'label' && part !== null ? [part] : []))
  if (kinds.has('label'))
    verbs.push(locales.length === 0 ? 'relabelled' : `relabelled (${locales.join(', ')})`)
  if (moved && before !== null && after !== null) verbs.push(toMoveVerb(before, after))
  if (kinds.has('target')) verbs.push('leads elsewhere')
  if (kinds.has('hidden'))
    verbs.push(
      fields.some(({ kind, to }) => kind === 'hidden' && to === true) ? 'hidden' : 'no longer hidden',
    )
  if (widens) verbs.push('seen by more')
  if (narrows && !kinds.has('hidden')) verbs.push(widens ? 'by fewer' : 'seen by fewer')
  if (kinds.has('permissions') && !widens && !narrows) verbs.push('permissions changed')
  for (const kind of ['icon', 'type', 'attributes', 'id'] as const)
    if (kinds.has(kind)) verbs.push(`${kind} changed`)
  for (const { kind, key } of fields) if (kind === 'key') verbs.push(`${key} changed`)
  return toSeries(verbs)
}

function toMoveVerb(before: ItemPlace, after: ItemPlace): string {
  const [from, to] = [before.pointer, after.pointer].map((each) => each.slice(0, each.lastIndexOf('/')))
  const above = after.path.at(-1)
  if (from === to || isEqual(before.path, after.path)) return `moved to place ${after.position}`
  return above === undefined ? 'moved to the top level' : `moved under “${above}”`
}

function nameIn({ before, after }: ItemDifference): string {
  return `“${(after ?? before)?.name ?? ''}”`
}

function toSpot({ path, position }: ItemPlace): string {
  return `${path.length === 0 ? 'top level' : path.join(' › ')}, place ${position}`
}

function toWhat(key: string, part: string | null): string {
  if (key === 'label') return part === null ? 'label' : `label (${part})`
  if (key === 'attributes') return part === null ? 'attributes' : `attribute ${part}`
  if (key === 'display') return part === null ? 'display' : `display ${part}`
  if (key === 'permissionMode') return 'permission mode'
  return TARGETS[key] ?? key
}

function isEmpty(value: Json): boolean {
  return isMap(value) ? Object.keys(value).length === 0 : isList(value) ? value.length === 0 : value === ''
}

/** A value for people: texts as they are, lists and maps without quotes where possible. */
function toText(value: Json): string {
  if (typeof value === 'string') return value
  if (isList(value)) return value.map(toText).join(', ')
  if (!isMap(value)) return String(value)
  const members = Object.entries(value).map(([key, each]) => `${key}: ${JSON.stringify(each)}`)
  return `{${members.join(', ')}}`
}
