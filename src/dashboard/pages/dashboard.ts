import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log } from '../../service/log.js'
import { NOT_FOUND, sendProblem } from '../../web/problem-json.js'
import { splitTarget } from '../../web/target.js'
import type { Access } from '../access/access.js'
import { createManagementApi } from '../api/api.js'
import type { Editing } from '../api/editing.js'

export interface DashboardDeps {
  readonly access: Access
  /** Null where menus cannot be changed. */
  readonly editing: Editing | null
  readonly log: Log
}

/** Answers requests under the prefix of the dashboard, and calls `next` for all others. */
export type Dashboard = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

/** What no answer of the dashboard may be used for. */
const GUARDS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'same-origin',
}

/** @param prefix the option `dashboard.path_prefix` */
export function createDashboard(prefix: string, { access, editing, log }: DashboardDeps): Dashboard {
  const isOpen = access.door.kind === 'open' || access.door.kind === 'link'
  const limits = editing?.config.options.limits
  const api =
    isOpen && editing !== null && limits !== undefined
      ? createManagementApi({ access, editing, limits, log })
      : null
  const start = `${prefix}/api/`
  return (request, response, next) => {
    const { path, query } = splitTarget(request.url ?? '/')
    if (path !== prefix && !path.startsWith(`${prefix}/`)) return next()
    for (const [name, value] of Object.entries(GUARDS)) response.setHeader(name, value)
    if (api !== null && path.startsWith(start)) api(request, response, path.slice(start.length - 1), query)
    else sendProblem(request, response, NOT_FOUND)
  }
}
