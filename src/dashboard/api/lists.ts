import { done, failed, type Result } from '../../model/result.js'
import { isRequired, paramsOf } from '../../model/route.js'
import { toLintJson } from '../../review/lint/formats.js'
import { toReport } from '../../review/lint/report.js'
import { EVERYTHING } from '../../review/lint/scope.js'
import { contentHash } from '../../store/hash.js'
import { matchEntityTag } from '../../web/conditional.js'
import type { HttpProblem } from '../../web/problem-json.js'
import { type Answered, type Call, type Endpoints, readLimit, toTag } from './call.js'
import type { Editing } from './editing.js'
import { problemOf } from './faults.js'
import { GLYPH_HEADERS, toGlyph } from './glyph.js'

/** How many entries are listed, and how many problems, unless `?limit=` says so. */
const USUAL_ENTRIES = 80
const USUAL_PROBLEMS = 1_000

/** The endpoints for what an editor chooses from, and for all problems. */
export function listEndpoints(editing: Editing): Endpoints {
  const { icons, service } = editing
  const routes = [...(service.settings.routes ?? [])].map(([name, route]) => {
    const parameters = paramsOf(route).map((each) => ({ name: each, required: isRequired(route, each) }))
    return { name, pattern: route.pattern, parameters }
  })
  const iconSearch = createSearch([...icons.keys()], (name) => name)
  const routeSearch = createSearch(routes, ({ name, pattern }) => `${name} ${pattern}`)
  return {
    '/problems': { GET: { role: 'view', answer: (call) => problems(editing, call) } },
    '/icons': {
      GET: {
        role: 'view',
        answer: (call) => {
          const { value, fault } = iconSearch(call)
          if (fault !== null) return failed(fault)
          const { total, found } = value
          const drawn = found.filter((name) => icons.get(name) !== null)
          return done({ value: { total, icons: found, drawn } })
        },
      },
    },
    '/icon': { GET: { role: 'view', answer: (call) => glyph(editing, call) } },
    '/routes': {
      GET: {
        role: 'view',
        answer: (call) => {
          const { value, fault } = routeSearch(call)
          return fault === null ? done({ value: { total: value.total, routes: value.found } }) : failed(fault)
        },
      },
    },
  }
}

/** The drawing of an icon. */
function glyph({ icons }: Editing, { query, request }: Call): Answered {
  const name = query.get('name')
  if (name === undefined) {
    const detail = 'The request needs ?name=, the name of an icon.'
    return failed(problemOf('missing-parameter', { parameter: 'name' }, detail))
  }
  const drawing = icons.get(name) ?? null
  const text = drawing && toGlyph(drawing)
  if (text === null) return failed(problemOf('no-icon'))
  const etag = toTag(contentHash(text))
  const headers = { ...GLYPH_HEADERS, etag }
  const isKnown = matchEntityTag(request.headers['if-none-match'] ?? '', [etag]) !== null
  return done(isKnown ? { status: 304, headers } : { text, headers })
}

/** All problems, as `menuscript lint --json` prints them; files are named from the menus folder. */
function problems({ config, current }: Editing, call: Call): Answered {
  const { value: limit, fault } = readLimit(call, USUAL_PROBLEMS)
  if (fault !== null) return failed(fault)
  const report = toReport(current(), { ...config, folder: config.menusFolder }, EVERYTHING)
  const listed = report.problems.slice(0, limit)
  const omitted = report.omitted + report.problems.length - listed.length
  return done({ value: toLintJson({ ...report, problems: listed, omitted }) })
}

interface Found<T> {
  readonly total: number
  readonly found: readonly T[]
}

/** Finds the entries that have all words of `?q=`; first those with a name that begins with the first word. */
function createSearch<T>(
  entries: readonly T[],
  textOf: (entry: T) => string,
): (call: Call) => Result<Found<T>, HttpProblem> {
  const all = entries.map((entry) => [textOf(entry).toLowerCase(), entry] as const)
  return (call) => {
    const { value: limit, fault } = readLimit(call, USUAL_ENTRIES)
    if (fault !== null) return failed(fault)
    const words = (call.query.get('q') ?? '').toLowerCase().split(/\s+/)
    const [first = ''] = words
    const found: T[] = []
    const others: T[] = []
    for (const [text, entry] of all) {
      if (!words.every((word) => text.includes(word))) continue
      const begins = text.startsWith(first) || text.startsWith(first, text.indexOf(':') + 1)
      const list = begins ? found : others
      list.push(entry)
    }
    return done({ total: found.length + others.length, found: [...found, ...others].slice(0, limit) })
  }
}
