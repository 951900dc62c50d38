import { existsSync } from 'node:fs'
import { readAdminToken } from '../config/admin-token.js'
import type { Config } from '../config/load-config.js'
import { toPlainJson } from '../model/plain-json.js'
import { isError } from '../model/problem.js'
import { count } from '../review/count.js'
import { refuse } from '../review/refusal.js'
import { createServerOf, openAccessOf, openDashboardOf, openRuntime, reload } from '../runtime.js'
import { holdMenuErrors, type Log, toReason } from '../service/log.js'
import { leaveAddress } from '../store/service-address.js'
import type { State } from '../store/state.js'
import { type CommandContext, type Flags, needConfig, note, reportMenuProblems } from './command.js'
import { toGreeting } from './greeting.js'
import { createLogLines } from './log-lines.js'
import { openWith } from './read-menus.js'
import { createSignals } from './signals.js'

/** Milliseconds from the start of the service until the pages of the dashboard are loaded. */
const PAGES_MS = 500

/** `menuscript serve`: answers once the service was stopped by a signal, or could not start. */
export async function serve(context: CommandContext, flags: Flags<'strict' | 'json'>): Promise<undefined> {
  const { terminal, environment, version } = context
  const signals = createSignals()
  terminal.outlive()
  const site = await needConfig(context, flags)
  const { value: token, fault } = readAdminToken(environment)
  if (fault !== null) return refuse('configuration', fault)
  const { staticFolder } = site
  // Only a folder has an entry for itself.
  if (staticFolder !== null && !existsSync(`${staticFolder}/.`))
    return refuse('configuration', `${staticFolder} (server.static) is not a folder`)
  const { level } = site.options.log
  const json = flags.json || !process.stderr.isTTY
  // With --strict they are reported once, as what keeps the service from starting.
  const { log, release } = holdMenuErrors(createLogLines(terminal, { level, json, now: () => new Date() }))
  if (!flags.strict) release()
  const runtime = await openWith(context, (options) => openRuntime(site, { watch: true, log, ...options }))
  const { store } = runtime
  const errors = store.current.problems.filter(isError)
  if (flags.strict && errors.length > 0) {
    reportMenuProblems(terminal, site, errors)
    const what = `--strict refuses to start while files have errors (${count(errors.length, 'error')})`
    return refuse('configuration', what)
  }
  release()
  const inputs = { adminToken: token, isMounted: false, log }
  const access = await openAccessOf(site, inputs)
  const dashboard = await openDashboardOf(runtime, access)
  const server = createServerOf(runtime, version, token, dashboard)
  const snapshot = store.current
  const close = async (): Promise<void> => {
    dashboard?.stop()
    await server.close()
    await dashboard?.close()
    await runtime.close()
  }
  let url: string
  try {
    url = await server.listen(site.options.server.port, site.options.server.host)
  } catch (thrown) {
    await close()
    return refuse('configuration', toListenError(thrown, site))
  }
  const removeAddress = leaveFor(access.state, url, log)
  const { revision, served } = snapshot
  // Requests that waited for the start are answered first.
  setTimeout(() => dashboard?.load().catch(() => {}), PAGES_MS).unref()
  const link = access.availability.kind === 'link' ? access.linkAt(url).value : null
  if (access.availability.kind === 'closed')
    note(context, `there is no dashboard: ${access.availability.what}`)
  const ready = { version: 1, event: 'listening', url, revision, menus: served.size, link }
  terminal.out(flags.json ? toPlainJson(ready) : toGreeting(version, site, snapshot, url, link).join('\n'))
  signals.onHangUp(() => {
    log.info('reload_requested', { by: 'SIGHUP' })
    reload(runtime).catch((thrown: unknown) => log.error('rescan_failed', { reason: toReason(thrown) }))
  })
  const signal = await signals.first()
  log.info('stopping', { signal })
  removeAddress()
  await close()
  log.info('stopped')
}

/** Leaves the address for `menuscript link`, and answers what removes it. */
function leaveFor(state: State | null, url: string, log: Log): () => void {
  try {
    return state === null ? () => {} : leaveAddress(state, url)
  } catch (thrown) {
    log.warn('address_not_kept', { reason: toReason(thrown) })
    return () => {}
  }
}

function toListenError(thrown: unknown, { options }: Config): string {
  const { code } = thrown as NodeJS.ErrnoException
  const { host, port } = options.server
  if (code === 'EADDRINUSE')
    return `port ${port} is already in use; choose another with --port (0 picks a free one)`
  if (code === 'EACCES') return `port ${port} may not be used by this user; choose one above 1023 with --port`
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL')
    return `${host} is not an address of this machine; see --host`
  return `cannot listen on ${host}:${port}: ${toReason(thrown)}`
}
