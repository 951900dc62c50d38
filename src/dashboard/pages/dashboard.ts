import type { IncomingMessage, ServerResponse } from 'node:http'
import { NOT_FOUND, sendProblem } from '../../web/problem-json.js'
import { splitTarget } from '../../web/target.js'
import { createManagementApi } from '../api/api.js'
import { createAssets } from './assets.js'
import { createPages, type PagesDeps } from './pages.js'

/** Answers the requests for paths under its prefix. */
export type Dashboard = (request: IncomingMessage, response: ServerResponse) => void

/** What no answer of the dashboard may be used for. */
const GUARDS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

/** The dashboard for those who may enter: its API, its assets and its pages. */
export function createDashboard(deps: PagesDeps): Dashboard {
  const { config, access, editing, log } = deps
  const { path_prefix: home } = config.options.dashboard
  const api = editing && createManagementApi({ access, editing, limits: config.options.limits, log })
  const assets = createAssets(`${home}/assets`)
  const show = createPages(deps, { home, style: assets.style, script: assets.script, mark: assets.mark })
  return (request, response) => {
    const { path, query } = splitTarget(request.url ?? '/')
    const rest = path.slice(home.length)
    for (const [name, value] of Object.entries(GUARDS)) response.setHeader(name, value)
    if (rest.startsWith('/assets/')) assets.answer(request, response, rest.slice('/assets/'.length))
    else if (rest !== '/api' && !rest.startsWith('/api/')) show(request, response, rest, query)
    else if (api !== null) api(request, response, rest.slice('/api'.length), query)
    else sendProblem(request, response, NOT_FOUND)
  }
}
