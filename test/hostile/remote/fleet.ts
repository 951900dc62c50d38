import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startMenuscript } from '../../cli/command.js'
import { freePort } from '../../support/free-port.js'
import { get } from '../../support/http.js'
import type { Hub } from '../../support/hub.js'
import { createMenusFolder } from '../../support/menus-folder.js'
import type { Running } from '../../support/process.js'
import { behindNginx } from '../http/nginx.js'

/** Operators are who their header says. */
const POLICIES = `export const resolveOperator = ({ headers }) => ({ id: headers['x-user'], role: 'edit' })`
const SECRET = 'one secret of more than 32 characters for all'

/** One of several services on one repository, a process of its own. */
export interface Replica {
  readonly url: string
  /** The folder of its configuration. */
  readonly dir: string
  readonly start: () => Promise<void>
  /** Ends it by SIGKILL, or a git that it runs now. */
  readonly kill: () => void
  readonly killGit: () => void
  readonly stop: () => Promise<void>
}

export interface FleetOptions {
  readonly count: number
  /** Options beside those of the fleet. */
  readonly config?: object
  /** Options of `storage.git`. */
  readonly git?: object
  /** The environment of each replica. */
  readonly environment?: (place: number) => Readonly<Record<string, string>>
}

/** Runs services on one repository behind one nginx while some work lasts. */
export async function withFleet(
  hub: Hub,
  { count, config = {}, git = {}, environment = () => ({}) }: FleetOptions,
  work: (url: string, replicas: readonly Replica[]) => Promise<void>,
): Promise<void> {
  const ports = await Promise.all(Array.from({ length: count }, freePort))
  const urls = ports.map((port) => `http://127.0.0.1:${port}`)
  const replicas = urls.map((url, place) => {
    const options = {
      storage: { git: { remote: hub.url, interval: 1, ...git } },
      server: { port: ports[place] },
      dashboard: { enabled: true, session_secret: SECRET },
      policies: './policies.mjs',
      ...config,
    }
    return createReplica(url, JSON.stringify(options), environment(place))
  })
  try {
    await Promise.all(replicas.map((each) => each.start()))
    await behindNginx(urls, (url) => work(url, replicas))
  } finally {
    await Promise.all(replicas.map((each) => each.stop()))
  }
}

function createReplica(url: string, config: string, env: Readonly<Record<string, string>>): Replica {
  const folder = createMenusFolder({ 'menuscript.config.json': config, 'policies.mjs': POLICIES })
  let running: Running | null = null
  return {
    url,
    dir: folder.dir,
    start: async () => {
      running = startMenuscript(['serve'], { cwd: folder.dir, env })
      await running.waitFor(/^listening on (\S+)$/m)
    },
    kill: () => running?.send('SIGKILL'),
    killGit: () => void spawnSync('pkill', ['-9', '-P', String(running?.pid), 'git']),
    stop: async () => {
      await running?.stop()
      folder.close()
    },
  }
}

/** An answer to an operator; null where none came, so that it is not known what was done. */
export interface Reply {
  readonly status: number
  readonly code: string
  readonly value: Readonly<Record<string, unknown>>
}

export type Operate = (method: string, path: string, body?: unknown) => Promise<Reply | null>

/** An operator who works at one of several services, and goes on at the next one when it does not respond. */
export function operatorOf(replicas: readonly Replica[], user: string, place: number): Operate {
  let at = place
  let csrf: string | null = null
  const send = async (method: string, path: string, body: unknown): Promise<Reply | null> => {
    const headers = {
      'x-user': user,
      'sec-fetch-site': 'same-origin',
      ...(csrf !== null && { 'x-csrf-token': csrf }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    try {
      const base = `${replicas[at % replicas.length]?.url}/admin/menus/api`
      const text = body === undefined ? {} : { body: JSON.stringify(body) }
      const answer = await get(`${base}${path}`, { method, headers, ...text, within: 60_000 })
      const value = answer.text.startsWith('{') ? (answer.json() as Reply['value']) : {}
      return { status: answer.status, code: String(value['code'] ?? ''), value }
    } catch {
      at++
      return null
    }
  }
  return async (method, path, body) => {
    csrf ??= String((await send('GET', '/session', undefined))?.value['csrf'] ?? '') || null
    return csrf === null ? null : send(method, path, body)
  }
}

/** The text of a menu file in the clone of a replica. */
export function clonedText({ dir }: Replica, path: string): string | null {
  const file = join(dir, '.menuscript-clone', path)
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}
