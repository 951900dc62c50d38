import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import type { Config } from '../../config/load-config.js'
import { type Problem, toProblem } from '../../model/problem.js'
import { done, failed, type Result } from '../../model/result.js'
import { createHookCalls } from '../../service/hook-calls.js'
import type { Policies, Role } from '../../service/hooks.js'
import { type Log, toReason } from '../../service/log.js'
import { commandUser, NO_AUDIT, openAudit } from '../../store/audit.js'
import { createLink, linkEpoch } from '../../store/one-time-links.js'
import { openState, type State } from '../../store/state.js'
import { isReserved, toUserKey, USER_NAME } from '../../store/user-names.js'
import { openUsers, type Users, type UsersFault } from '../../store/users.js'
import { createAdminCheck } from '../../web/insider.js'
import { NOT_FOUND } from '../../web/problem-json.js'
import { createTrustedProxies } from '../../web/trusted-proxies.js'
import { Refusal } from '../refusal.js'
import { type Accounts, createAccounts } from './accounts.js'
import { type Availability, judgeAvailability, toFault } from './availability.js'
import { createProvider } from './oidc.js'
import { createOidcSignIn, type OidcSignIn, toOidcEpoch } from './oidc-sign-in.js'
import { createOperators, hasBearer, needRole, type Operator } from './operator.js'
import { createHostCheck, isFromOwnPage, isRead, type OwnHost } from './same-origin.js'
import { createSessions } from './sessions.js'
import { createSignIn, type SignIn, type SignInDeps } from './sign-in.js'

/** Who may do what in the dashboard. Anything not allowed throws a Refusal. */
export interface Access {
  readonly availability: Availability
  /** Where the dashboard keeps what is not a menu; null where there is no dashboard, or no folder that can be used. */
  readonly state: State | null
  /**
   * A fresh one-time link, for a service at this address, and for a person of this name; the fault says in one sentence why
   * there is none.
   */
  readonly linkAt: (url: string, name?: string) => Result<string, string>
  /**
   * The operator of a request, if they have the role. What is not a GET, HEAD or OPTIONS must come from a page of ours or
   * carry the admin token.
   */
  readonly operatorOf: (request: IncomingMessage, role: Role) => Promise<Operator>
  readonly signIn: SignIn
  /** Null without an OpenID Connect provider. */
  readonly oidc: OidcSignIn | null
  readonly accounts: Accounts
  /** The address of the client of a request. */
  readonly addressOf: (request: IncomingMessage) => string
  /** What is wrong with the users file now. */
  readonly problems: () => readonly Problem[]
  /** The current ways to sign in besides a one-time link. */
  readonly logins: () => Logins
}

export interface Logins {
  /** Somebody has a password, or the list of users cannot be read. */
  readonly byPassword: boolean
  /** A proxy or the hook says who asks, before a request comes here. */
  readonly elsewhere: boolean
  /** The name of the OpenID Connect provider; null for none. */
  readonly oidc: string | null
}

export interface AccessInputs {
  readonly policies: Policies
  readonly adminToken: string | null
  readonly isMounted: boolean
  readonly log: Log
  /** Milliseconds of Unix time. Default: the clock's. */
  readonly now?: () => number
}

/** The page that a one-time link leads to, below the prefix of the dashboard. */
export const SIGN_IN_PATH = '/sign-in'
/** Characters, as for the option. */
const MIN_SECRET = 32

/** Puts together who may open the dashboard of a configuration. The fault is a problem that must stop the start. */
export function openAccess(config: Config, inputs: AccessInputs): Result<Access, Problem> {
  const { policies, adminToken, isMounted, log, now = Date.now } = inputs
  const { dashboard, server } = config.options
  const usersFile = openUsers(config.usersFile, config.usersPath)
  const hasHook = policies.resolveOperator !== undefined
  const openFolder = (): Result<State, string> => openState(config.stateFolder, config.menusFolder)
  const proxyHeader = dashboard.proxy_user_header?.toLowerCase() ?? null
  const logins = (): Logins => {
    const { value: known } = usersFile.read()
    return {
      byPassword: known === null || [...known.values()].some(({ hash }) => hash !== null),
      elsewhere: hasHook || proxyHeader !== null,
      oidc: dashboard.oidc.issuer === null ? null : dashboard.oidc.label,
    }
  }
  const { byPassword, elsewhere, oidc: provider } = logins()
  const hasLogin = byPassword || elsewhere || provider !== null
  const facts = {
    // The next commit may correct one of a repository.
    usersFault: config.usersPath === null ? usersFile.read().fault : null,
    ...{ hasLogin, isMounted },
    openState: () => openFolder().fault,
  }
  const { value: availability, fault } = judgeAvailability(config, facts)
  if (fault !== null) return failed(fault)
  const isOpen = availability.kind === 'open' || availability.kind === 'link'
  // A dashboard that is not there writes nothing.
  const folder = isOpen ? openFolder() : failed(whyNone(availability))
  const state = folder.value
  let reported: string | null = null
  /** What is wrong with the users file now; logged once. */
  const reportFault = (): UsersFault | null => {
    const fault = usersFile.fault()
    const reason = fault?.what ?? null
    if (reason !== null && reason !== reported) log.error('users_unusable', { reason })
    reported = reason
    return fault
  }
  const problems = (): readonly Problem[] => {
    const fault = reportFault()
    if (fault === null) return []
    const what = `The users file cannot be used: ${fault.what}.`
    const path = config.usersPath ?? config.usersFile
    return [toProblem({ code: 'users-file', path, line: fault.line, what })]
  }
  const users = (): Users => {
    reportFault()
    const { value, fault: reason } = usersFile.read()
    if (reason !== null) throw new Refusal('users-unusable')
    return value
  }
  const proxies = createTrustedProxies(server.trusted_proxies)
  const secret = dashboard.session_secret ?? (isOpen ? secretOf(folder, log) : newSecret())
  const sessions = createSessions(secret, dashboard.session_hours * 3_600_000)
  const proxyRole = dashboard.proxy_default_role
  const epochOf = (id: string): number => (state === null ? 0 : linkEpoch(state, id))
  const isAdmin = createAdminCheck(adminToken)
  const hooks = createHookCalls(policies, log)
  const oidcEpoch = toOidcEpoch(dashboard.oidc)
  const ways = { isAdmin, sessions, oidcEpoch, users, proxies, proxyHeader, proxyRole, hooks, epochOf, now }
  const find = createOperators(ways)
  const audit = state === null ? NO_AUDIT : openAudit(state.dir, log)
  const findHost = createHostCheck(server.public_url, proxies)
  const hostOf = (request: IncomingMessage): OwnHost => {
    if (!isOpen) throw new Refusal(NOT_FOUND)
    const host = findHost(request)
    if (host === null) throw new Refusal('bad-host')
    if (!isRead(request) && !hasBearer(request) && !isFromOwnPage(request, host))
      throw new Refusal('cross-site')
    return host
  }
  /** Why a link cannot have a name, in one sentence; null if it can. */
  const judgeLinkName = (name: string): string | null => {
    if (!USER_NAME.test(name))
      return 'a name has up to 64 letters, digits and . _ @ + -, with a letter or a digit first'
    if (isReserved(name) || users().has(toUserKey(name))) return `the name ${name} is that of a user`
    const hasNames = elsewhere || provider !== null
    return hasNames ? 'people have their names from what signs them in: a provider, a proxy or a hook' : null
  }
  const deps = { hostOf, users, usersFile, sessions, secret, state, proxies, now, log, audit }
  const { value: oidc, fault: secretFault } = isOpen ? openOidc(config, deps) : done(null)
  if (secretFault !== null) return failed(secretFault)
  return done({
    availability,
    state,
    linkAt: (url, name = '') => {
      if (folder.fault !== null) return folder
      const unfit = name === '' ? null : judgeLinkName(name)
      if (unfit !== null) return failed(unfit)
      try {
        const token = createLink(folder.value, now(), name)
        audit.record({ ...commandUser(), action: 'link-created' })
        return done(`${url}${dashboard.path_prefix}${SIGN_IN_PATH}?link=${token}`)
      } catch (thrown) {
        return failed(`${folder.value.dir} (state.dir) cannot be written: ${toReason(thrown)}`)
      }
    },
    operatorOf: async (request, role) => {
      hostOf(request)
      const operator = await find(request)
      needRole(operator, role)
      return operator
    },
    addressOf: proxies.clientAddress,
    signIn: createSignIn(deps),
    oidc,
    accounts: createAccounts(deps, dashboard.path_prefix),
    ...{ problems, logins },
  })
}

/** Sign-in through the OpenID Connect provider of a configuration, null for none; the fault is about the client secret. */
function openOidc(config: Config, deps: SignInDeps): Result<OidcSignIn | null, Problem> {
  const { oidc: options, path_prefix: home } = config.options.dashboard
  const publicUrl = config.options.server.public_url
  if (options.issuer === null || publicUrl === null) return done(null)
  const { value: secret, fault } = readSecret(config.clientSecretFile)
  const todo = 'Write the client secret into it.'
  if (fault !== null) return failed(toFault(config, 'dashboard.oidc.client_secret_file', fault, todo))
  const provider = createProvider(options, secret)
  return done(createOidcSignIn({ ...deps, options, publicUrl, home, provider }))
}

function readSecret(file: string | null): Result<string | null, string> {
  if (file === null) return done(null)
  try {
    const secret = readFileSync(file, 'utf8').trim()
    return secret === '' ? failed(`${file} is empty.`) : done(secret)
  } catch (thrown) {
    return failed(`${file} cannot be read: ${toReason(thrown)}.`)
  }
}

/** Why no one can sign in by a link. */
function whyNone(availability: Availability): string {
  return `there is no dashboard: ${availability.kind === 'closed' ? availability.what : 'dashboard.enabled is false'}`
}

/** The secret that is made once; one that lasts as long as the process where it cannot be kept. */
function secretOf({ value: state, fault }: Result<State, string>, log: Log): string {
  try {
    const secret = state?.keep('session-secret', newSecret) ?? ''
    if (secret.length >= MIN_SECRET) return secret
    log.warn('session_secret_not_kept', {
      reason: fault ?? `its file has fewer than ${MIN_SECRET} characters`,
    })
  } catch (thrown) {
    log.warn('session_secret_not_kept', { reason: toReason(thrown) })
  }
  return newSecret()
}

function newSecret(): string {
  return randomBytes(32).toString('base64url')
}
