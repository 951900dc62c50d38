import { goneBranches, isOwnChange } from '../../../change/compare/differences.js'
import { byLocale, type FieldChange, type FieldKind } from '../../../change/compare/field-changes.js'
import { describeField, nameOfField, toNewPlace } from '../../../change/compare/field-words.js'
import { keptLanguages } from '../../../change/compare/kept-languages.js'
import { toClosed } from '../../../model/direction.js'
import { isMap, type Json, valueAt } from '../../../model/json.js'
import type { Locales } from '../../../model/locale.js'
import { localeName, toLanguageNames } from '../../../model/locale-name.js'
import { parsePointer } from '../../../model/pointer.js'
import type { ItemReport, MenuReport } from '../../../review/diff/report.js'
import type { Mark } from '../../../review/diff/trees.js'
import type { Texts } from '../../texts/language.js'

/** Items below one that is gone which are named. */
const MOST_NAMED = 20

/** A detail: what it is about, what that was and is (null where there is nothing to compare), and what visitors notice of it. */
export interface ChangeDetail {
  readonly what: string
  readonly from: string | null
  readonly to: string | null
  readonly remark: string | null
}

/** What became of an item, as a page lists it: marks, its name, and details. */
export interface ChangeRow {
  readonly marks: readonly Mark[]
  readonly name: string
  readonly details: readonly ChangeDetail[]
  /** Whether visitors lose something: the item is gone, or some no longer see it. */
  readonly isLoss?: boolean
}

/**
 * The changes of a menu for the eye, those first by which visitors lose something. A branch that is gone is one row. Languages
 * are in the order of `locales`, by name.
 *
 * @param value the menu afterwards, whose labels say which languages kept their texts
 */
export function toChangeRows(
  menu: MenuReport,
  t: Texts,
  locales: ShownLocales,
  value: Json | undefined = null,
): readonly ChangeRow[] {
  const { status, counts, files, fields, items, name } = menu
  const words = t.changes
  const withItems = (count: number): ChangeDetail[] =>
    count === 0 ? [] : [toSentence(t.fill(words.withItems, { count }))]
  if (status === 'added') return [{ marks: ['new'], name, details: withItems(counts.added) }]
  if (status === 'removed') return [{ marks: ['gone'], name, details: withItems(counts.removed) }]
  const { before, after } = files
  const ofFile = [
    ...(status === 'broken' ? [toSentence(words.breaks)] : []),
    ...(status === 'fixed' ? [toSentence(words.fixes)] : []),
    ...(before !== null && after !== null && before !== after
      ? [toSentence(t.fill(words.movesFile, { to: after }))]
      : []),
  ]
  const ofMenu = [...ofFile, ...fields.map((field) => toDetail(field, t, false))]
  const own = items.filter(isOwnChange)
  const isBelowGone = goneBranches(own)
  const rows = own.flatMap((item): readonly ChangeRow[] => {
    if (isBelowGone(item)) return []
    const { pointer = '', name: label = '' } = item.after ?? item.before ?? {}
    if (item.after !== null)
      return [toRow(item, label, t, locales, valueAt(value, parsePointer(pointer) ?? []))]
    const below = own.filter((each) => isBelowGone(each) && each.before?.pointer.startsWith(`${pointer}/`))
    const names = below.slice(0, MOST_NAMED).map(({ before }) => toClosed(before?.name ?? ''))
    const details = withItems(below.length).map((detail) => ({
      ...detail,
      to: [...names, ...(below.length > MOST_NAMED ? ['…'] : [])].join(', '),
    }))
    return [{ marks: ['gone'], name: label, details, isLoss: true }]
  })
  return [
    ...rows.filter(({ isLoss }) => isLoss),
    ...(ofMenu.length > 0 ? [{ marks: ['changed'] as const, name: words.theMenu, details: ofMenu }] : []),
    ...rows.filter(({ isLoss }) => !isLoss),
  ]
}

/** The order of the languages, and the one that others translate. */
type ShownLocales = Pick<Locales, 'locales' | 'defaultLocale'>

/** What decides who sees an item. */
const OF_VISITORS: readonly FieldKind[] = ['hidden', 'permissions']

function toRow(
  { before, after, moved, fields, narrows }: ItemReport,
  name: string,
  t: Texts,
  all: ShownLocales,
  item: Json | undefined,
): ChangeRow {
  const { locales } = all
  const isNew = before === null
  const order = ({ kind, part }: FieldChange): number =>
    kind === 'label' && part !== null ? locales.indexOf(part) + 1 || Number.POSITIVE_INFINITY : 0
  const ordered = fields
    .flatMap(byLocale)
    .toSorted((a, b) => (a.kind === b.kind ? order(a) - order(b) || 0 : 0))
  // What is new, or was hidden, was never seen.
  const shows = fields.find(({ kind }) => kind === 'hidden')
  const wasHidden = shows === undefined ? isMap(item) && item['hidden'] === true : shows.from === true
  const words: Texts = wasHidden ? { ...t, changes: { ...t.changes, remark: () => null } } : t
  const isHiding = (field: FieldChange): boolean =>
    !isNew && ((narrows && OF_VISITORS.includes(field.kind)) || toRemark(field, words) !== null)
  const ownName = ordered.find(({ kind, to }) => kind === 'label' && to === name)
  const shown = isNew
    ? ordered.filter((field) => field !== ownName)
    : ordered.toSorted((a, b) => Number(isHiding(b)) - Number(isHiding(a)))
  const kept = isNew || !isMap(item) ? [] : keptLanguages(ordered, all, item['label'])
  const same =
    kept.length === 0
      ? []
      : [toSentence(t.fill(t.changes.sameIn, { locales: toLanguageNames(kept, t.lang) }))]
  const place = after !== null && (isNew || moved) ? [toSentence(toNewPlace(before, after, t.changes))] : []
  return {
    marks: isNew
      ? ['new']
      : [...(ordered.length > 0 ? ['changed' as const] : []), ...(moved ? ['moved' as const] : [])],
    name,
    isLoss: shown.some(isHiding),
    // Nobody stops seeing what is new.
    details: [
      ...place,
      ...(isNew ? toFacts(shown, t) : shown.map((field) => toDetail(field, words, false))),
      ...same,
    ],
  }
}

const toSentence = (what: string): ChangeDetail => ({ what, from: null, to: null, remark: null })

/** What is new, with its texts in one line: `label (German, Spanish): Neu · Novedades`. */
function toFacts(fields: readonly FieldChange[], t: Texts): readonly ChangeDetail[] {
  const isLabel = ({ kind, part }: FieldChange): boolean => kind === 'label' && part !== null
  const details = fields.map((field) => toDetail(field, t, true))
  const texts = fields
    .filter(isLabel)
    .map(({ part, to }) => ({ name: nameIn(part ?? '', t), text: String(to) }))
  if (texts.length < 2) return details
  const part = texts.map(({ name }) => name).join(', ')
  const what = nameOfField('label', part, t.changes)
  const all = { what, from: null, to: texts.map(({ text }) => toClosed(text)).join(' · '), remark: null }
  return [all, ...details.filter((_, place) => !isLabel(fields[place] as FieldChange))]
}

const nameIn = (locale: string, t: Texts): string => localeName(t.lang, locale) || locale

/** `icon: lucide:tag`, `label (German): Angebote → Sale`. */
function toDetail(field: FieldChange, t: Texts, isNew: boolean): ChangeDetail {
  const { kind, part } = field
  const named = kind === 'label' && part !== null ? { ...field, part: nameIn(part, t) } : field
  const { what, to, ...old } = describeField(named, t.changes)
  // What a missing key means was never said of what is new.
  const [from, remark] = isNew ? [null, null] : [old.from ?? null, toRemark(field, t)]
  return { what, from, to: to ?? '–', remark }
}

/** What visitors notice of a change of times. */
function toRemark(field: FieldChange, t: Texts): string | null {
  return t.changes.remark?.(field) ?? null
}
