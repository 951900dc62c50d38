import { derived } from '../../model/derived.js'
import { isRequired, paramsOf } from '../../model/route.js'
import { toLintJson, toReport } from '../../review/lint/report.js'
import { EVERYTHING } from '../../review/lint/scope.js'
import { createPause } from '../../store/pause.js'
import { Refusal } from '../refusal.js'
import { toGlyph } from './glyph.js'
import type { Workspace } from './workspace.js'

/** How many entries are listed, and how many problems, unless `?limit=` says so. */
const USUAL_ENTRIES = 80
const USUAL_PROBLEMS = 1_000
/** Each word of a search is looked for in every entry. */
const MAX_WORDS = 10
/** Entries between two pauses. */
const SLICE = 256

/** All problems up to a limit, as `menuscript lint --json` prints them, with paths relative to the menus folder. */
export function listProblems({ config, current }: Workspace, limit: number = USUAL_PROBLEMS): object {
  const report = toReport(current(), { ...config, folder: config.menusFolder }, EVERYTHING)
  const listed = report.problems.slice(0, limit)
  const omitted = report.omitted + report.problems.length - listed.length
  return toLintJson({ ...report, problems: listed, omitted })
}

/** What is searched for, and how many entries are wanted. */
export interface Search {
  readonly words: string
  readonly limit?: number | undefined
}

/** The icons whose names have all words, and which of them have a drawing. */
export async function findIcons(workspace: Workspace, search: Search): Promise<object> {
  const { total, found } = await searchesOf(workspace).icons(search)
  return { total, icons: found, drawn: found.filter((name) => workspace.icons.get(name) !== null) }
}

/** The routes whose names and patterns have all words. */
export async function findRoutes(workspace: Workspace, search: Search): Promise<object> {
  const { total, found } = await searchesOf(workspace).routes(search)
  return { total, routes: found }
}

/** The drawing of an icon. */
export function readGlyph({ icons }: Workspace, name: string): string {
  const drawing = icons.get(name) ?? null
  const text = drawing && toGlyph(drawing)
  if (text === null) throw new Refusal('no-icon')
  return text
}

const searchesOf = derived(({ icons, service }: Workspace) => {
  const routes = [...(service.settings.routes ?? [])].map(([name, route]) => {
    const parameters = paramsOf(route).map((each) => ({ name: each, required: isRequired(route, each) }))
    return { name, pattern: route.pattern, parameters }
  })
  return {
    icons: createSearch([...icons.keys()], (name) => name),
    routes: createSearch(routes, ({ name, pattern }) => `${name} ${pattern}`),
  }
})

interface Found<T> {
  readonly total: number
  readonly found: readonly T[]
}

/** Finds the entries that have all words, each counted once; first those with a name that begins with the first word. */
function createSearch<T>(
  entries: readonly T[],
  textOf: (entry: T) => string,
): (search: Search) => Promise<Found<T>> {
  const all = entries.map((entry) => [textOf(entry).toLowerCase(), entry] as const)
  return async ({ words: typed, limit = USUAL_ENTRIES }) => {
    const words = [...new Set(typed.toLowerCase().match(/\S+/g))]
    if (words.length > MAX_WORDS)
      throw new Refusal('bad-parameter', { parameter: 'q' }, `q has at most ${MAX_WORDS} different words.`)
    const [first = ''] = words
    const found: T[] = []
    const others: T[] = []
    const pause = createPause()
    for (const [place, [text, entry]] of all.entries()) {
      if (place % SLICE === 0) await pause()
      if (!words.every((word) => text.includes(word))) continue
      const begins = text.startsWith(first) || text.startsWith(first, text.indexOf(':') + 1)
      const list = begins ? found : others
      list.push(entry)
    }
    return { total: found.length + others.length, found: [...found, ...others].slice(0, limit) }
  }
}
