import type { Config } from '../config/load-config.js'
import { isError, type Problem } from '../model/problem.js'
import type { Snapshot } from '../model/snapshot.js'
import { holdMenuErrors, type Log, toReason } from '../service/log.js'
import {
  type CommandContext,
  type ConfigFlags,
  loadConfigOrTell,
  tellMenuProblems,
  tellProblems,
} from './command.js'
import { count } from './count.js'
import { EXIT } from './exit-codes.js'
import { toGreeting } from './greeting.js'
import { createLogLines } from './log-lines.js'
import { toPlainJson } from './plain-json.js'
import { createSignals, type Signals } from './signals.js'

export interface ServeFlags extends ConfigFlags {
  /** Refuses to start while a file has an error. */
  readonly strict: boolean
  /** Tells where it listens, and all that follows, as JSON. */
  readonly json: boolean
}

/** A service that has read its menus and can be reached once it listens. */
export interface Served {
  readonly current: () => Snapshot
  /** Answers the address. Throws when it cannot listen. */
  readonly listen: () => Promise<string>
  /** Looks at the menus now. */
  readonly reload: () => Promise<void>
  /** Ends the requests under way and lets go of everything. */
  readonly close: () => Promise<void>
}

export type OpenServed = (
  config: Config,
  log: Log,
  onProgress: (read: number, total: number) => void,
) => Promise<{ readonly served: Served | null; readonly problems: readonly Problem[] }>

const MIN_TOKEN_LENGTH = 32

/** `menuscript serve`: answers once the service was stopped by a signal, or could not start. */
export async function serve(context: CommandContext, flags: ServeFlags, open: OpenServed): Promise<number> {
  const { terminal, environment } = context
  const signals = createSignals()
  terminal.outlive()
  const config = await loadConfigOrTell(context, flags)
  if (config === null) return EXIT.configuration
  const fault = judgeToken(environment['MENUSCRIPT_ADMIN_TOKEN'])
  if (fault !== null) {
    terminal.err(`error: MENUSCRIPT_ADMIN_TOKEN ${fault}`)
    return EXIT.configuration
  }
  const { level } = config.options.log
  const lines = createLogLines(terminal, {
    level,
    json: flags.json || !process.stderr.isTTY,
    now: () => new Date(),
  })
  // With --strict they are reported once, as what keeps the service from starting.
  const held = holdMenuErrors(lines)
  if (!flags.strict) held.release()
  const opened = await open(config, held.log, (read, total) =>
    terminal.progress(`reading ${read} of ${total} files`),
  )
  terminal.progress(null)
  if (opened.served === null) {
    tellProblems(terminal, opened.problems)
    return EXIT.configuration
  }
  const { served } = opened
  const snapshot = served.current()
  const errors = snapshot.problems.filter(isError)
  if (flags.strict && errors.length > 0) {
    tellMenuProblems(context, config.menusFolder, errors)
    terminal.err(`error: --strict does not start while files have errors (${count(errors.length, 'error')})`)
    await served.close()
    return EXIT.configuration
  }
  held.release()
  return run(context, flags, config, served, held.log, signals)
}

/** What keeps the admin token from being one; the text itself is told to nobody. */
function judgeToken(token: string | undefined): string | null {
  if (token === undefined) return null
  if (token.length < MIN_TOKEN_LENGTH) return `needs ${MIN_TOKEN_LENGTH} characters or more`
  if (/^[\x21-\x7e]+$/.test(token)) return null
  // Secrets that are mounted as variables often end so.
  if (/^[\x21-\x7e]+\s+$/.test(token)) return 'ends with a blank or a line break, which no header can carry'
  return 'has characters that no header can carry: blanks, control characters or letters beyond ASCII'
}

async function run(
  context: CommandContext,
  flags: ServeFlags,
  config: Config,
  served: Served,
  log: Log,
  signals: Signals,
): Promise<number> {
  const { terminal } = context
  const snapshot = served.current()
  let address: string
  try {
    address = await served.listen()
  } catch (thrown) {
    await served.close()
    terminal.err(`error: ${toListenError(thrown, config)}`)
    return EXIT.configuration
  }
  if (flags.json) terminal.out(toPlainJson(toReady(snapshot, address)))
  else for (const line of toGreeting(context, config, snapshot, address)) terminal.out(line)
  signals.onHangUp(() => {
    log.info('reload_requested', { by: 'SIGHUP' })
    served.reload().catch((thrown: unknown) => log.error('look_failed', { reason: toReason(thrown) }))
  })
  const signal = await signals.first()
  log.info('stopping', { signal })
  await served.close()
  log.info('stopped')
  return EXIT.fine
}

function toListenError(thrown: unknown, { options }: Config): string {
  const { code } = thrown as NodeJS.ErrnoException
  const { host, port } = options.server
  if (code === 'EADDRINUSE') return `port ${port} is taken; choose another with --port (0 picks a free one)`
  if (code === 'EACCES') return `port ${port} may not be used by this user; choose one above 1023 with --port`
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL')
    return `${host} is no address of this machine; see --host`
  return `cannot listen on ${host}:${port}: ${toReason(thrown)}`
}

/** What `serve --json` says once it is ready. */
function toReady({ revision, served }: Snapshot, url: string): unknown {
  return { version: 1, event: 'listening', url, revision, menus: served.size }
}
