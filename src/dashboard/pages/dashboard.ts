import type { IncomingMessage, ServerResponse } from 'node:http'
import { MENUS_AT_LIMITS } from '../../document/exchange/import.js'
import { splitTarget } from '../../web/target.js'
import { createBodies } from '../access/bodies.js'
import { createManagementApi, managementEndpoints } from '../api/api.js'
import { type Described, describeManagement } from '../api/describe.js'
import { createAssets } from './assets.js'
import { createPages, type PagesDeps } from './pages.js'

export interface Dashboard {
  /** Answers a request for a path under its prefix. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => void
  /** Its endpoints in OpenAPI. */
  readonly described: Described
}

/** What no answer of the dashboard may be used for. */
const GUARDS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

/** The dashboard for those who may enter: its API, its assets and its pages. */
export async function createDashboard(given: Omit<PagesDeps, 'bodies'>): Promise<Dashboard> {
  const { config, access, editing, log } = given
  const { path_prefix: home } = config.options.dashboard
  const { limits } = config.options
  const bodies = createBodies(access.addressOf, MENUS_AT_LIMITS * limits.bytes)
  const deps = { ...given, bodies }
  const api = createManagementApi({ access, editing, bodies, limits, log })
  const assets = await createAssets(`${home}/assets`)
  const show = createPages(deps, { home, style: assets.style, script: assets.script, mark: assets.mark })
  return {
    described: describeManagement(`${home}/api`, managementEndpoints(access, editing)),
    answer: (request, response) => {
      const { path, query } = splitTarget(request.url ?? '/')
      const rest = path.slice(home.length)
      for (const [name, value] of Object.entries(GUARDS)) response.setHeader(name, value)
      if (rest.startsWith('/assets/')) assets.answer(request, response, rest.slice('/assets/'.length))
      else if (rest !== '/api' && !rest.startsWith('/api/')) show(request, response, rest, query)
      else api(request, response, rest.slice('/api'.length), query)
    },
  }
}
