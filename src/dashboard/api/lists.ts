import { done, failed } from '../../model/result.js'
import { isRequired, paramsOf } from '../../model/route.js'
import { toLintJson } from '../../review/lint/formats.js'
import { toReport } from '../../review/lint/report.js'
import { EVERYTHING } from '../../review/lint/scope.js'
import { type Answered, type Call, type Endpoints, readLimit } from './call.js'
import type { Editing } from './editing.js'

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
  return {
    '/problems': { GET: { role: 'view', answer: (call) => problems(editing, call) } },
    '/icons': { GET: { role: 'view', answer: (call) => search('icons', icons, (name) => name, call) } },
    '/routes': {
      GET: {
        role: 'view',
        answer: (call) => search('routes', routes, ({ name, pattern }) => `${name} ${pattern}`, call),
      },
    },
  }
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

/** The entries that have all words of `?q=`; first those with a name that begins with the first word. */
function search<T>(member: string, all: readonly T[], textOf: (entry: T) => string, call: Call): Answered {
  const { value: limit, fault } = readLimit(call, USUAL_ENTRIES)
  if (fault !== null) return failed(fault)
  const words = (call.query.get('q') ?? '').toLowerCase().split(/\s+/)
  const [first = ''] = words
  const found: T[] = []
  const others: T[] = []
  for (const entry of all) {
    const text = textOf(entry).toLowerCase()
    if (!words.every((word) => text.includes(word))) continue
    const begins = text.startsWith(first) || text.startsWith(first, text.indexOf(':') + 1)
    const list = begins ? found : others
    list.push(entry)
  }
  const total = found.length + others.length
  return done({ value: { total, [member]: [...found, ...others].slice(0, limit) } })
}
