import { derived } from '../../model/derived.js'
import type { JsonMap } from '../../model/json.js'
import { type LabelText, targetOf, textsOf, toLabelText } from '../../model/label.js'
import { type Locale, parentsOf } from '../../model/locale.js'
import { childrenOf, everyItem, type Label, type Menu, type MenuItem } from '../../model/menu.js'
import type { MenuFile } from '../../model/menu-file.js'
import { compareText, isError, type Problem } from '../../model/problem.js'
import { LOCALE_PARAM, paramsOf } from '../../model/route.js'
import type { Snapshot } from '../../model/snapshot.js'
import { toPath } from '../../service/routes.js'
import type { Settings } from '../../service/settings.js'
import type { Draft } from '../../store/drafts/read-draft.js'
import { type FileState, stateOf, toEditors } from '../deeds/file-states.js'
import { toTyped } from '../forms/typed-text.js'
import type { Fields } from '../page.js'
import type { Texts } from '../texts/language.js'

/** A menu file as the list shows it. Of a file that could never be read as a menu, `code` is null. */
export interface MenuRow {
  readonly file: string
  readonly code: string | null
  readonly name: string
  readonly context: readonly { readonly key: string; readonly value: string }[]
  readonly items: number
  readonly translations: readonly Translation[]
  /** The labels of the first items, without those that are hidden. */
  readonly labels: readonly Label[]
  /** That of the menu itself; null for none. */
  readonly icon: string | null
  readonly state: FileState
  readonly errors: readonly Problem[]
  readonly warnings: number
  readonly editors: ReturnType<typeof toEditors>
}

/** How many of a menu's labels have a text in a locale, rounded down: 100 is all of them. */
export interface Translation {
  readonly locale: Locale
  readonly percent: number
}

/** How large a menu is, and what it is known by. */
type Measure = Pick<MenuRow, 'items' | 'translations' | 'labels' | 'icon'>

/** Labels that a row shows at most. */
const MOST_LABELS = 8
/** Characters of what is searched for, and how many words of it count. */
const MAX_QUERY = 200
const MAX_WORDS = 10

/** What is searched for, and its words in lower case. */
export function readSearch(query: Fields): { readonly q: string; readonly words: readonly string[] } {
  const q = (query.get('q') ?? '').slice(0, MAX_QUERY).trim()
  return { q, words: q === '' ? [] : q.toLowerCase().split(/\s+/).slice(0, MAX_WORDS) }
}

/**
 * The files of a snapshot in which each word is found, by the name of the first menu of their code and then by context, the menu
 * without one first. `measure` comes from `createMeasure`.
 */
export function toMenuRows(
  snapshot: Snapshot,
  drafts: readonly Draft[],
  words: readonly string[],
  measure: (menu: Menu) => Measure,
  settings: Settings,
): readonly MenuRow[] {
  const editors = toEditors(drafts)
  const textOf = itemTextOf(settings)
  const rows = snapshot.files.flatMap((file): MenuRow[] => {
    const menu = file.menu ?? snapshot.served.get(file.path)?.menu ?? null
    if (!words.every((word) => isIn(word, file, menu, textOf))) return []
    const measured = menu === null ? NOTHING : measure(menu)
    const errors = file.problems.filter(isError)
    return [
      {
        file: file.path,
        code: menu?.code ?? null,
        name: menu?.name ?? '',
        context: toPairs(menu?.context ?? {}),
        ...measured,
        state: stateOf(snapshot, file.path),
        errors,
        warnings: file.problems.length - errors.length,
        editors: editors.filter((editor) => editor.file === file.path),
      },
    ]
  })
  const keyOf = ({ context }: MenuRow): string => context.map(({ key, value }) => `${key} ${value}`).join()
  rows.sort(
    (a, b) =>
      compareText(a.code ?? '', b.code ?? '') ||
      compareText(keyOf(a), keyOf(b)) ||
      compareText(a.file, b.file),
  )
  const names = new Map(rows.toReversed().map(({ code, name }) => [code, name]))
  const nameOf = ({ code }: MenuRow): string => names.get(code) ?? ''
  return rows.sort((a, b) => byName.compare(nameOf(a), nameOf(b)))
}

const byName = new Intl.Collator('en')

/** Measures menus, each once, against the locales of a deployment. */
export function createMeasure(locales: readonly Locale[]): (menu: Menu) => Measure {
  return derived(({ items, display }) => {
    const every = [...everyItem(items)]
    const labels = labelsOf(every)
    const translations = locales.map((locale) => {
      const chain = parentsOf(locale)
      const count = labels.filter((label) => hasText(label, chain)).length
      return { locale, percent: labels.length === 0 ? 100 : Math.floor((100 * count) / labels.length) }
    })
    const first = labelsOf(items.filter(({ hidden }) => !hidden)).slice(0, MOST_LABELS)
    const icon = typeof display['icon'] === 'string' ? display['icon'] : null
    return { items: every.length, translations, labels: first, icon }
  })
}

const NOTHING: Measure = { items: 0, translations: [], labels: [], icon: null }

const labelsOf = (items: readonly MenuItem[]): readonly Label[] =>
  items.flatMap((item) => (item.type === 'divider' ? [] : [item.label]))

function hasText(label: Label, chain: readonly Locale[]): boolean {
  return typeof label === 'string' || chain.some((locale) => Object.hasOwn(label, locale))
}

/** A context as it is shown: keys with their values, as a field shows them. */
export function toPairs(context: JsonMap): MenuRow['context'] {
  return Object.entries(context).map(([key, value]) => ({ key, value: toTyped(value) }))
}

/** A value of a context as it is read: `true` is `yes`, and a text that says the same is in quotes. */
export function plainValue(value: string, { changes: { yes, no } }: Texts): string {
  if (value === yes || value === no) return JSON.stringify(value)
  return value === 'true' ? yes : value === 'false' ? no : value
}

/** Whether a word, in lower case, is somewhere in a menu: its code, name or context, a label, an address, a locale, a problem. */
function isIn(
  word: string,
  { path, problems }: MenuFile,
  menu: Menu | null,
  textOf: (item: MenuItem) => string,
): boolean {
  const has = (text: string): boolean => text.toLowerCase().includes(word)
  if (has(path) || problems.some(({ code, what }) => has(code) || has(what))) return true
  if (menu === null) return false
  if (has(menu.code) || has(menu.name) || has(JSON.stringify(menu.context))) return true
  for (const item of everyItem(menu.items)) {
    if (textOf(item).includes(word)) return true
    if (item.type !== 'divider' && typeof item.label !== 'string' && Object.keys(item.label).some(has))
      return true
  }
  return false
}

/**
 * What an item is found by, in lower case: its label in all languages, its destination, the names and the path of its page, and
 * the addresses that visitors see.
 */
const itemTextOf = derived(({ routes, locales }: Settings) =>
  derived((item: MenuItem): string => {
    if (item.type === 'divider') return ''
    const route = routes?.get(item.routeName ?? '')
    const texts = [...textsOf(item.label), targetOf(item)]
    if (route !== undefined) {
      texts.push(route.pattern, ...textsOf(route.title ?? ''))
      const isTranslated = paramsOf(route).includes(LOCALE_PARAM)
      for (const locale of isTranslated ? locales.locales : [locales.defaultLocale])
        texts.push(toPath(route, { item: item.routeParams, host: {}, locale }) ?? '')
    }
    return texts.join('\n').toLowerCase()
  }),
)

/** Items that a row of the list names at most. */
const MOST_HITS = 3

/** An item in which what is searched for is found. */
interface Hit {
  readonly pointer: string
  /** Its name, below the names of the items above it. */
  readonly names: readonly LabelText[]
}

export interface Found {
  readonly hits: readonly Hit[]
  /** How many others there are. */
  readonly more: number
}

/** The first items of a menu that have all words. */
export function findHits(
  { items }: Menu,
  words: readonly string[],
  { chain, settings }: { readonly chain: readonly Locale[]; readonly settings: Settings },
): Found {
  const hits: Hit[] = []
  const textOf = itemTextOf(settings)
  let count = 0
  const visit = (list: readonly MenuItem[], path: string, above: Hit['names']): void => {
    for (const [place, item] of list.entries()) {
      const pointer = `${path}/${place}`
      const names = [...above, toLabelText(item.type === 'divider' ? '' : item.label, chain)]
      const isHit = words.every((word) => textOf(item).includes(word))
      if (isHit && ++count <= MOST_HITS) hits.push({ pointer, names })
      visit(childrenOf(item), `${pointer}/children`, names)
    }
  }
  if (words.length > 0) visit(items, '/items', [])
  return { hits, more: count - hits.length }
}
