import type { Config } from '../config/load-config.js'
import { refuse } from '../review/refusal.js'
import { openAccessOf } from '../runtime.js'
import { SILENT_LOG } from '../service/log.js'
import { LINK_MINUTES } from '../store/one-time-links.js'
import { readAddress } from '../store/service-address.js'
import type { State } from '../store/state.js'
import { type CommandContext, type Flags, needConfig, note, print } from './command.js'

/** `menuscript link`: prints a one-time link that signs in to the dashboard of a running service. */
export async function link(context: CommandContext, flags: Flags<'json', 'name'>): Promise<undefined> {
  const site = await needConfig(context, flags)
  const inputs = { adminToken: null, isMounted: false, log: SILENT_LOG }
  const access = await openAccessOf(site, inputs)
  const address = await addressOf(site, access.state)
  if (address === null && access.state !== null)
    refuse(
      'usage',
      'the port is not fixed and no service is listening; start the service first, or pass --port',
    )
  const made = access.linkAt(address ?? '', flags.name)
  if (made.fault !== null) return refuse('configuration', made.fault)
  const url = made.value
  print(context, flags.json, { url }, () => url)
  note(context, `it signs in once, within ${LINK_MINUTES} minutes, while the service runs`)
}

/** Milliseconds that a service on this machine gets to answer. */
const PATIENCE_MS = 1_000

/**
 * Where the service is reached: at its public address, at a port that was asked for, where it says that it listens, or where it
 * would by its configuration. Null where that is any free port.
 */
async function addressOf({ options, origins }: Config, state: State | null): Promise<string | null> {
  const { host, port, public_url: publicUrl } = options.server
  if (publicUrl !== null) return publicUrl.replace(/\/$/, '')
  const isAsked = origins.get('server.port')?.kind === 'flag'
  const listens = state === null || isAsked ? null : readAddress(state)
  const left = listens?.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:|$)/, '//localhost') ?? null
  if (left !== null && (await answers(left))) return left
  return port === 0 ? null : `http://${toHost(host)}:${port}`
}

/** Whether a service is there: one that was killed has left its address. */
async function answers(address: string): Promise<boolean> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  return fetch(`${address}/livez`, { signal }).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** The host under which this machine reaches what listens on an address. */
function toHost(address: string): string {
  if (address === '0.0.0.0' || address === '::') return 'localhost'
  return address.includes(':') ? `[${address}]` : address
}
