import type { IncomingMessage, ServerResponse } from 'node:http'
import { MENUS_AT_LIMITS } from '../document/exchange/import.js'
import { splitTarget } from '../web/target.js'
import { createBodies } from './access/bodies.js'
import { createDoor } from './door.js'
import { createManagementApi } from './management-api.js'
import { type Described, describeManagement } from './openapi.js'
import { createAssets } from './pages/assets.js'
import { createPages } from './pages/pages.js'
import type { Deps } from './routes/route.js'

export interface Dashboard {
  /** Answers a request for a path under its prefix. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => void
  /** Its endpoints in OpenAPI. */
  readonly described: Described
}

/** What no answer of the dashboard may be used for. `css` is the style sheet of the preview. */
const toGuards = (css: string | null): Readonly<Record<string, string>> => ({
  'content-security-policy': `default-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'${toStyleSources(css)}`,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
})

/** Where the frame of a preview may get styles, fonts and images from. */
function toStyleSources(css: string | null): string {
  if (css === null) return ''
  const sources = `'self'${/^[./]/.test(css) ? '' : ` ${new URL(css).origin}`}`
  return `; style-src ${sources}; font-src ${sources} data:; img-src ${sources} data:`
}

/** The dashboard for those who may enter: its API, its assets and its pages. */
export async function createDashboard({ workspace, access }: Deps): Promise<Dashboard> {
  const { home, config } = workspace
  const { limits } = config.options
  const guards = toGuards(config.options.dashboard.preview_css)
  const bodies = createBodies(access.addressOf, MENUS_AT_LIMITS * limits.bytes)
  const door = createDoor({ access, workspace, bodies })
  const api = createManagementApi({ access, workspace }, limits)
  const assets = await createAssets(`${home}/assets`, workspace.previewStyle)
  const pages = createPages({ access, workspace, bodies }, assets)
  return {
    described: describeManagement(`${home}/api`),
    answer: (request, response) => {
      const { path, query } = splitTarget(request.url ?? '/')
      const rest = path.slice(home.length)
      for (const [name, value] of Object.entries(guards)) response.setHeader(name, value)
      if (rest.startsWith('/assets/')) assets.answer(request, response, rest.slice('/assets/'.length))
      else if (rest !== '/api' && !rest.startsWith('/api/'))
        // A slash at the end, as it is often typed, is none.
        door(pages, { request, response, path: rest === '/' ? '' : rest, query })
      else door(api, { request, response, path: rest.slice('/api'.length), query })
    },
  }
}
