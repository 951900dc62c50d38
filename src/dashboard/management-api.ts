import type { Limits } from '../model/limits.js'
import { parseJson, readText } from '../web/body.js'
import { noteRoute } from '../web/tracing.js'
import { isRead } from './access/same-origin.js'
import { needPath } from './deeds/faults.js'
import type { Entrance } from './door.js'
import { must, Refusal } from './refusal.js'
import { createRepeats } from './repeats.js'
import { type Call, readKey } from './routes/call.js'
import { badParameter, needAll, readQuery } from './routes/parameters.js'
import type { Deps, Route } from './routes/route.js'
import { ROUTES } from './routes.js'

/** Bytes around the text of a menu in a body: a value in JSON is longer than in YAML. */
const BODY_FACTOR = 4

/** The way in for scripts, and for the script of the pages: the management API, as the table of routes has it. */
export function createManagementApi(deps: Deps, limits: Limits): Entrance<string> {
  const repeats = createRepeats()
  return {
    methodsOf: (path) => {
      const methods = [...findRoutes(path).methods.keys()]
      return methods.includes('GET') ? ['HEAD', ...methods] : methods
    },
    find: ({ request, path, query: text }) => {
      const { methods, id, pattern } = findRoutes(path)
      noteRoute(request, `${deps.workspace.home}/api${pattern}`)
      const route = methods.get(request.method === 'HEAD' ? 'GET' : (request.method ?? '')) as Route
      const { body, role, query: own = [] } = route
      const query = readQuery(text, own, !isRead(request))
      const isDry = query.get('dry_run') === 'true'
      if (route.isNeverDry && isDry)
        throw badParameter('dry_run', 'This request writes no menu, so it has no dry run.')
      const most = route.maxBytes?.(limits) ?? limits.bytes * BODY_FACTOR
      return {
        role,
        isAnonymous: role === null,
        readBody: body && ((room) => readText(request, body.types, most, room)),
        tokenIn: () => null,
        run: (visit, sent) => {
          const isOnce = role !== null && route.isRead !== true && !isRead(request)
          if (isOnce) readKey(request)
          needAll(query, own)
          const file = query.get('file') ?? ''
          if (query.has('file') && own.some((name) => name.startsWith('file'))) needPath(file)
          const value = sent === null ? null : readValue(route, sent)
          // A route that is for operators is run for one.
          const operator = visit.operator as Call['operator']
          const call = { request, operator, query, id, file, body: value, isDry }
          return isOnce ? repeats(call, async () => route.run(deps, call)) : route.run(deps, call)
        },
      }
    },
    refuse: (_, problem) => problem,
  }
}

/** What a body says; throws where its route takes no such one. */
function readValue({ body }: Route, text: string): unknown {
  if (body === null || body.validate === null) return text
  const value = must(parseJson(text))
  if (body.validate(value)) return value
  const [{ instancePath = '', message = '' } = {}] = body.validate.errors ?? []
  const place = instancePath === '' ? '' : ` at ${instancePath}`
  throw new Refusal('bad-body', {}, `The body${place} ${message}.`)
}

type Methods = ReadonlyMap<string, Route>

/** The routes of each path, by method. */
const PATHS: ReadonlyMap<string, Methods> = (() => {
  const paths = new Map<string, Map<string, Route>>()
  for (const [name, route] of Object.entries(ROUTES)) {
    const [method = '', path = ''] = name.split(' ')
    paths.set(path, (paths.get(path) ?? new Map()).set(method, route))
  }
  return paths
})()

/** The routes of a path, where `{id}` matches its second step. */
function findRoutes(path: string) {
  const [, first = '', id = '', rest = ''] = /^(\/[^/]*)\/([^/]*)(.*)$/s.exec(path) ?? []
  const pattern = PATHS.has(path) ? path : `${first}/{id}${rest}`
  return { methods: PATHS.get(pattern) ?? (new Map() as Methods), id, pattern }
}
