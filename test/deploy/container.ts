import { chownSync, existsSync, readFileSync } from 'node:fs'
import { createMenusFolder } from '../support/menus-folder.js'
import { runProcess, startProcess } from '../support/process.js'
import { ENTER, type Image, NODE_BIN } from './image.js'

/** How a container differs from its image. */
export interface ContainerOptions {
  readonly command?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly user?: string
  /** Folders of this machine, by where they are mounted. */
  readonly mounts?: Readonly<Record<string, string>>
}

/** A container that listens. */
export interface Container {
  readonly log: () => string
  /** Runs a command in it and gives its exit code and output. */
  readonly execute: (...words: readonly string[]) => Promise<readonly [code: number | null, output: string]>
  /** Sends SIGTERM to its first process and gives the exit code of that. */
  readonly stop: () => Promise<number | null>
}

/** What begins with MOUNT_ is `SOURCE=TARGET`. The root is read-only, the network is its own. */
const START = `${ENTER}
  for name in $(env | sed -n 's/^\\(MOUNT_[0-9]*\\)=.*/\\1/p'); do
    eval "pair=\\$$name"
    mkdir -p ".\${pair#*=}"
    mount --bind "\${pair%%=*}" ".\${pair#*=}"
  done
  mount -o remount,bind,ro "$ROOT"
  { ip link set lo up || ifconfig lo up; } 2>/dev/null
  exec unshare --pid --fork --kill-child sh -euc 'mount -t proc none "$ROOT/proc" && exec "$@"' sh "$@"`

/** Starts an image, its volumes in folders of the test, and stops it after some work. */
export async function inContainer(
  image: Image,
  options: ContainerOptions,
  work: (container: Container) => Promise<void>,
): Promise<void> {
  const { command = image.command, user = image.user, mounts = {} } = options
  const volumes = image.volumes.map((volume) => [volume, createMenusFolder()] as const)
  for (const [, { dir }] of volumes) chownSync(dir, ...(user.split(':').map(Number) as [number, number]))
  const all = { ...Object.fromEntries(volumes.map(([volume, { dir }]) => [volume, dir])), ...mounts }
  const variables = Object.entries({ ...image.env, ...options.env }).map(
    ([name, value]) => `${name}=${value}`,
  )
  const enter = [
    ...['chroot', `--userspec=${user}`, image.root],
    ...['env', '-i', '-C', image.workdir, ...variables],
  ]
  const env = {
    ROOT: image.root,
    NODE_BIN,
    ...Object.fromEntries(Object.entries(all).map(([to, from], at) => [`MOUNT_${at}`, `${from}=${to}`])),
  }
  const outer = ['--mount', '--net', 'sh', '-euc', START, 'sh', ...enter, ...command]
  const running = startProcess('unshare', outer, { env })
  // The one child of the process that has the namespaces; all others end with it.
  const first = (): number =>
    Number(readFileSync(`/proc/${running.pid}/task/${running.pid}/children`, 'utf8'))
  try {
    await running.waitFor(/^listening on \S+$/m)
    const stop = async () => {
      process.kill(first(), 'SIGTERM')
      return (await running.ended).code
    }
    const execute: Container['execute'] = async (...words) => {
      const inside = ['--target', String(running.pid), '--mount', '--net', '--', ...enter, ...words]
      const { code, stdout, stderr } = await runProcess('nsenter', inside)
      return [code, stdout + stderr]
    }
    await work({ log: () => running.stdout() + running.stderr(), execute, stop })
  } finally {
    if (existsSync(`/proc/${running.pid}`) && first() > 0) process.kill(first(), 'SIGKILL')
    await running.stop()
    for (const [, folder] of volumes) folder.close()
  }
}

/** The status and the beginning of the body of what each path returns in a container, from one process, a line each. */
export async function fetchIn({ execute }: Container, ...paths: readonly string[]): Promise<string> {
  const script = `for (const path of process.argv.slice(1)) {
    const answer = await fetch('http://127.0.0.1:4400' + path, { redirect: 'manual' })
    console.log(path, answer.status, (await answer.text()).slice(0, 40))
  }`
  const [code, output] = await execute('node', '--input-type=module', '-e', script, ...paths)
  if (code !== 0) throw new Error(output)
  return output
}
