import { derived } from '../../model/derived.js'
import { textsOf, toLabelText } from '../../model/label.js'
import { type Locale, labelChain } from '../../model/locale.js'
import type { Label } from '../../model/menu.js'
import { isRequired, paramsOf } from '../../model/route.js'
import type { Snapshot } from '../../model/snapshot.js'
import { toLintJson, toReport } from '../../review/lint/report.js'
import { EVERYTHING } from '../../review/lint/scope.js'
import { negotiate } from '../../service/request-locale.js'
import { createPause } from '../../store/pause.js'
import { Refusal } from '../refusal.js'
import { usedIconsOf } from './icon-usage.js'
import { type RouteUsage, routeUsageOf, valuesOf } from './route-usage.js'
import { describePermission } from './viewers.js'
import type { Workspace } from './workspace.js'

/** How many entries are listed, and how many problems, unless `?limit=` says so. */
const USUAL_ENTRIES = 80
const USUAL_PROBLEMS = 1_000
/** Each word of a search is looked for in every entry. */
const MAX_WORDS = 10
/** Entries between two pauses. */
const SLICE = 256

/** All problems up to a limit, as `menuscript lint --json` prints them, with paths relative to the menus folder. */
export function listProblems({ config, current }: Workspace, search: Search): object {
  const report = toReport(current(), { ...config, folder: config.menusFolder }, EVERYTHING)
  const listed = report.problems.slice(0, limitIn(search, USUAL_PROBLEMS))
  const omitted = report.omitted + report.problems.length - listed.length
  return toLintJson({ ...report, problems: listed, omitted })
}

/** Parameters of a query string: the words `q` to search for, and a `limit` of entries. */
type Search = ReadonlyMap<string, string>

/** The icons whose names have all words, and which of them have a drawing. Without words, those that menus use come first. */
export async function findIcons(workspace: Workspace, search: Search): Promise<object> {
  const { total, found } = await iconSearchOf(workspace)(search)
  const isAny = (search.get('q') ?? '').trim() === ''
  const used = isAny ? await usedIconsOf(workspace.current()) : []
  const known = used.filter((name) => workspace.icons.has(name))
  const icons = [...new Set([...known, ...found])].slice(0, found.length)
  return { total, icons, drawn: icons.filter((name) => workspace.icons.get(name) !== null) }
}

/**
 * The routes that have all words in their names, patterns, and the labels of items that lead there now; with `guarded_last`,
 * those whose items need a permission after the others.
 */
export async function findRoutes(
  workspace: Workspace,
  search: Search,
  accepted: string | undefined,
): Promise<object> {
  const { locales } = workspace.settings
  const chain = labelChain(negotiate(accepted ?? '', locales.locales) ?? locales.defaultLocale, locales)
  const find = await routeSearchOf(workspace)(workspace.current())
  const isSorted = search.get('guarded_last') === 'true'
  const { total, found } = await find(search, ({ usage }) => isSorted && Boolean(usage?.needs.length))
  const routes = found.map(({ name, route, usage }) => ({
    ...{ name, title: toLabelText(route.title, chain).text, pattern: route.pattern },
    titles: titlesOf(route.title ?? {}, locales.defaultLocale),
    labels: labelsOf(usage, chain).slice(0, MOST_LABELS_SHOWN),
    needs: (usage?.needs ?? []).map((key) => describePermission(workspace.settings, key, chain)),
    parameters: paramsOf(route).map((each) => ({
      ...{ name: each, required: isRequired(route, each), values: valuesOf(route, each, usage) },
    })),
  }))
  return { total, routes }
}

/** The texts of a title by their locales; one for all is that of the default locale. */
function titlesOf(title: Label, locale: Locale): object {
  return typeof title === 'string' ? { [locale]: title } : title
}

/** Labels of a route that are shown. */
const MOST_LABELS_SHOWN = 3

function labelsOf(usage: RouteUsage | undefined, chain: readonly string[]): readonly string[] {
  return [...new Set((usage?.labels ?? []).map((label) => toLabelText(label, chain).text))]
}

const routeSearchOf = derived(({ settings }: Workspace) =>
  derived(async (snapshot: Snapshot) => {
    const usages = await routeUsageOf(snapshot)
    const entries = [...(settings.routes ?? [])].map(([name, route]) => {
      return { name, route, usage: usages.get(name) }
    })
    return createSearch(entries, ({ name, route: { title, pattern }, usage }) => ({
      names: textsOf(title ?? name),
      ways: [name, pattern],
      others: (usage?.labels ?? []).flatMap(textsOf),
    }))
  }),
)

function limitIn(search: Search, usual: number): number {
  return Number(search.get('limit') ?? usual)
}

const iconSearchOf = derived(({ icons }: Workspace) =>
  createSearch([...icons.keys()], (name) => ({ names: [name, name.slice(name.indexOf(':') + 1)] })),
)

/**
 * Finds the entries that have all words, each counted once: those whose names fit best first, then by path, then by the rest;
 * those that are to come last in the same order.
 */
function createSearch<T>(
  entries: readonly T[],
  textsIn: (entry: T) => { readonly [of in 'names' | 'ways' | 'others']?: readonly string[] },
): (
  search: Search,
  isLast?: (entry: T) => boolean,
) => Promise<{ readonly total: number; readonly found: readonly T[] }> {
  const all = entries.map((entry) => {
    const { names = [], ways = [], others = [] } = textsIn(entry)
    return [entry, ...[names, ways, others].map((each) => `\n${each.join('\n')}\n`.toLowerCase())] as const
  })
  return async (search, isLast = () => false) => {
    const words = [...new Set(search.get('q')?.toLowerCase().match(/\S+/g))]
    if (words.length > MAX_WORDS)
      throw new Refusal('bad-parameter', { parameter: 'q' }, `q has at most ${MAX_WORDS} different words.`)
    const [first = ''] = words
    const haveAll = (text: string): boolean => words.every((word) => text.includes(word))
    const ranks: readonly T[][] = Array.from({ length: 12 }, () => [])
    const pause = createPause()
    for (const [place, [entry, names = '', ways = '', others = '']] of all.entries()) {
      if (place % SLICE === 0) await pause()
      if (!haveAll(names + ways + others)) continue
      const fits = [
        (names + ways).includes(`\n${words.join(' ')}\n`),
        names.includes(`\n${first}`),
        names.includes(` ${first}`),
        haveAll(names),
        haveAll(ways),
        true,
      ]
      ranks[fits.indexOf(true) + (isLast(entry) ? fits.length : 0)]?.push(entry)
    }
    const found = ranks.flat()
    return { total: found.length, found: found.slice(0, limitIn(search, USUAL_ENTRIES)) }
  }
}
