import { openAccessOf } from '../runtime.js'
import { SILENT_LOG } from '../service/log.js'
import { LINK_MINUTES } from '../store/one-time-links.js'
import { type CommandContext, type Flags, fail, failOf, needConfig, note, print } from './command.js'
import { EXIT } from './exit-codes.js'

/** `menuscript link`: prints a one-time link that signs in to the dashboard of a running service. */
export async function link(context: CommandContext, flags: Flags<'json'>): Promise<number> {
  const site = await needConfig(context, flags)
  const { host, port, public_url: publicUrl } = site.options.server
  if (port === 0 && publicUrl === null)
    fail(context, EXIT.usage, 'the port is not fixed; give --port with the one that the service listens on')
  const inputs = { adminToken: null, isMounted: false, log: SILENT_LOG }
  const { value: access, fault } = await openAccessOf(site, inputs)
  if (fault !== null) return failOf(context, fault)
  const made = access.linkAt(publicUrl?.replace(/\/$/, '') ?? `http://${toHost(host)}:${port}`)
  if (made.fault !== null) return fail(context, EXIT.configuration, made.fault)
  const url = made.value
  print(context, flags.json, { url }, () => url)
  note(context, `it signs in once, within ${LINK_MINUTES} minutes, while the service runs`)
  return EXIT.fine
}

/** The host under which this machine reaches what listens on an address. */
function toHost(address: string): string {
  if (address === '0.0.0.0' || address === '::') return 'localhost'
  return address.includes(':') ? `[${address}]` : address
}
