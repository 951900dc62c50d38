import type { Config } from '../../config/load-config.js'
import { type Problem, toProblem } from '../../model/problem.js'
import { done, failed, type Result } from '../../model/result.js'
import { judgeStatePlace } from '../../store/state.js'
import { isLocalAddress } from '../../web/host.js'

/** Whether the dashboard is there at all, decided once at the start. */
export type Availability =
  /** The configuration has none. */
  | { readonly kind: 'off' }
  /** There is a login; one-time links are accepted as well. */
  | { readonly kind: 'open' }
  /** There is none, and only this machine can reach the service: a one-time link signs in. */
  | { readonly kind: 'link' }
  /** Nobody can sign in: every path of the dashboard is 404. `what` says why and what to set. */
  | { readonly kind: 'closed'; readonly what: string }

/** What it depends on besides options. */
export interface AvailabilityInputs {
  /** Why the users file cannot be used; null when it can. */
  readonly usersFault: string | null
  /** Whether a user can sign in, or is named, without a one-time link. */
  readonly hasLogin: boolean
  /** Opens the state folder, if links need it; returns why it cannot be used, null when it can. */
  readonly openState: () => string | null
  /** Whether another program's server asks us: how it listens is not known. */
  readonly isMounted: boolean
}

const LOGINS =
  'add a user ("menuscript user add"), set dashboard.oidc or dashboard.proxy_user_header, or export resolveOperator from policies'

/** Decides whether there is a dashboard; the fault is what keeps a service from starting whose configuration insists on its dashboard. */
export function judgeAvailability(config: Config, inputs: AvailabilityInputs): Result<Availability, Problem> {
  const { dashboard, server } = config.options
  const { hasLogin } = inputs
  if (!dashboard.enabled) return done({ kind: 'off' })
  const closed = whyClosed(server.host, inputs)
  const misplaced = closed === null ? judgeStatePlace(config.stateFolder, config.menusFolder) : null
  // A link among the menus could otherwise expose its files.
  if (misplaced !== null)
    return failed(toFault(config, 'state.dir', `${misplaced}.`, 'Set state.dir to a folder elsewhere.'))
  const what = closed ?? (hasLogin ? null : whyNoLink(inputs))
  if (what === null) return done({ kind: hasLogin ? 'open' : 'link' })
  if (config.origins.get('dashboard.enabled')?.kind === 'default') return done({ kind: 'closed', what })
  const todo = 'Do that, or delete dashboard.enabled to start without the dashboard.'
  return failed(toFault(config, 'dashboard.enabled', `There can be no dashboard: ${what}.`, todo))
}

/** What is wrong with an option, where it was set. */
export function toFault({ origins }: Config, option: string, what: string, todo: string): Problem {
  const { where = '' } = origins.get(option) ?? {}
  const [, path = where, line = '1'] = /^(.*):(\d+)$/.exec(where) ?? []
  return toProblem({ code: 'bad-option', path: path || option, line: Number(line), what, todo })
}

function whyClosed(host: string, { usersFault, hasLogin, isMounted }: AvailabilityInputs): string | null {
  // A broken file may list users.
  if (usersFault !== null) return `${usersFault}; fix it and start again`
  if (hasLogin || (!isMounted && isLocalAddress(host))) return null
  const where = isMounted ? '' : `${host} is not an address of this machine alone, and `
  return `${where}nobody can sign in; ${LOGINS}`
}

function whyNoLink({ openState }: AvailabilityInputs): string | null {
  const stateFault = openState()
  return stateFault === null ? null : `${stateFault}, so nobody can sign in by a link; fix that, or ${LOGINS}`
}
