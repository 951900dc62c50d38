import { spawnSync } from 'node:child_process'
import { PROGRAM, withoutOptions } from '../../cli/command.js'
import { createMenusFolder } from '../../support/menus-folder.js'
import { type Running, startProcess } from '../../support/process.js'
import { programOf } from '../../support/programs.js'
import { TOKEN } from './live-service.js'

/** A user namespace of one's own, in which one is root: its limits and its mounts are nobody else's. */
const UNSHARE = ['--user', '--map-root-user', '--mount']
const LIMITS = '/proc/sys/user'

/**
 * What this machine allows. Linux gives a user namespace of one's own to root, and mostly to everybody; the default
 * profile of Docker and some distributions do not. What cannot be tried then is told by the test that would.
 */
export const WORLD: { readonly limits: boolean; readonly mounts: boolean } = {
  limits: isPossible(`echo 100 > ${LIMITS}/max_inotify_watches`),
  mounts: isPossible('test -w /dev/fuse && mount -t tmpfs none .'),
}

function isPossible(script: string): boolean {
  const folder = createMenusFolder()
  const { status } = spawnSync('unshare', [...UNSHARE, 'sh', '-c', script], { cwd: folder.dir })
  folder.close()
  return status === 0
}

export interface LimitedOptions {
  /** How many inotify watches there may be. Default: any. */
  readonly watches?: number
  /** How many inotify instances there may be. Default: any. */
  readonly instances?: number
  /** Seconds between two rescans. Default: 5. */
  readonly rescanSeconds?: number
}

/** Starts `menuscript serve` in a folder under limits of inotify. */
export function startLimited(cwd: string, limits: LimitedOptions): Running {
  return startUnderLimits(cwd, limits, [...PROGRAM, 'serve', '--port', '0'])
}

/**
 * Starts a program of Node in a folder under limits of inotify. As soon as there is a file `raise` in the folder the
 * limits are gone.
 */
export function startUnderLimits(
  cwd: string,
  { watches, instances, rescanSeconds = 5 }: LimitedOptions,
  words: readonly string[],
): Running {
  const limits = Object.entries({ max_inotify_watches: watches, max_inotify_instances: instances })
  const set = (value: (given: number) => number): string =>
    limits
      .flatMap(([name, given]) => (given === undefined ? [] : [`echo ${value(given)} > ${LIMITS}/${name}`]))
      .join(' && ')
  const script = `
    ${set((given) => given)} || exit 70
    (while kill -0 $$ && ! test -e raise; do sleep 0.1; done; ${set(() => 1_000_000)}) >/dev/null 2>&1 &
    exec "$@"`
  return startInWorld(cwd, ['sh', '-c', script, 'sh', process.execPath, ...words], rescanSeconds)
}

/** How exact the times on a mount are: the milliseconds of a tick, or others at each look. */
export type MountTimes = number | 'restless'

const SERVE = [...PROGRAM, 'serve', '--port', '0']

/** Starts a program of Node, else `menuscript serve`, in a folder whose `menus` is a network mount of its `export`. */
export function startOnNetworkMount(
  cwd: string,
  rescanSeconds: number,
  times: MountTimes = 1e-3,
  program: readonly string[] = SERVE,
): Running {
  const mount = programOf('hostile/files/network-mount.program.ts')
  const mounting = [process.execPath, ...mount, 'export', 'menus', String(times)]
  return startInWorld(cwd, [...mounting, process.execPath, ...program], rescanSeconds)
}

function startInWorld(cwd: string, command: readonly string[], rescanSeconds: number): Running {
  const env = {
    ...withoutOptions(),
    MENUSCRIPT_ADMIN_TOKEN: TOKEN,
    MENUSCRIPT_STORAGE_RESCAN_SECONDS: String(rescanSeconds),
  }
  return startProcess('unshare', [...UNSHARE, ...command], { cwd, env })
}
