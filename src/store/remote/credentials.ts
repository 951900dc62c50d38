import { readFileSync } from 'node:fs'

/** How the service signs in to a remote repository; files are read for each call, so that secrets can be replaced. */
export interface Credentials {
  /** The absolute path of a file with an access token; for https only. */
  readonly tokenFile: string | null
  /** The absolute path of a private key; for ssh only. */
  readonly keyFile: string | null
  /** The absolute path of the file in which ssh keeps the keys of hosts. */
  readonly knownHosts: string
}

/** Seconds after which a connection that moves nearly nothing counts as dead. */
const STALLED_SECONDS = 20

/** Variables that name the certificates of a company. */
const TRUSTED = ['GIT_SSL_CAINFO', 'GIT_SSL_CAPATH']

/** What a remote may be reached by; `ext::` would run a program. */
const PROTOCOLS = 'https:http:ssh:file'

/**
 * The environment of git for calls that reach the remote. A token is neither in arguments, which every user of the machine can
 * list, nor in the settings of the clone. Git sends it to that address only: redirects are not followed.
 */
export function toRemoteVariables(
  url: string,
  { tokenFile, keyFile, knownHosts }: Credentials,
): Readonly<Record<string, string>> {
  const settings: [name: string, value: string][] = [
    ['http.followRedirects', 'false'],
    ['http.lowSpeedLimit', '100'],
    ['http.lowSpeedTime', String(STALLED_SECONDS)],
  ]
  if (tokenFile !== null) {
    const token = readFileSync(tokenFile, 'utf8').trim()
    // Hosts take any name with a token; GitHub asks for this one.
    const user = decodeURIComponent(new URL(url).username) || 'x-access-token'
    const basic = Buffer.from(`${user}:${token}`).toString('base64')
    settings.push([`http.${withoutUser(url)}.extraHeader`, `Authorization: Basic ${basic}`])
  }
  return {
    ...Object.fromEntries(
      settings.flatMap(([name, value], place) => [
        [`GIT_CONFIG_KEY_${place}`, name],
        [`GIT_CONFIG_VALUE_${place}`, value],
      ]),
    ),
    GIT_CONFIG_COUNT: String(settings.length),
    GIT_ALLOW_PROTOCOL: PROTOCOLS,
    // Otherwise SSH_ASKPASS would be called.
    GIT_ASKPASS: '',
    // Traces would have the settings above; what hides them there depends on the versions of git and curl.
    GIT_TRACE_CURL: '0',
    GIT_TRACE2_ENV_VARS: '',
    GIT_TRACE2_CONFIG_PARAMS: '',
    ...Object.fromEntries(TRUSTED.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
    // A partial clone fetches contents when it checks them out.
    GIT_NO_LAZY_FETCH: '0',
    GIT_SSH_COMMAND: toSshCommand(keyFile, knownHosts),
  }
}

/** The address without a user, as settings for addresses are matched (git-config, "http.<url>.*"). */
export function withoutUser(url: string): string {
  return url.replace(/^(https?:\/\/)[^/@]*@/, '$1')
}

function toSshCommand(keyFile: string | null, knownHosts: string): string {
  const options = [
    'BatchMode=yes',
    'ConnectTimeout=10',
    `ServerAliveInterval=${STALLED_SECONDS / 2}`,
    'ServerAliveCountMax=2',
    // The key of a host is kept at the first connection; another one is refused later.
    'StrictHostKeyChecking=accept-new',
    `UserKnownHostsFile=${knownHosts}`,
    ...(keyFile === null ? [] : ['IdentitiesOnly=yes', `IdentityFile=${keyFile}`]),
  ]
  return ['ssh', ...options.map((option) => `-o ${quote(option)}`)].join(' ')
}

/** One word for a shell. */
function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
