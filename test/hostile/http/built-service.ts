import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { startMenuscript } from '../../cli/command.js'
import { get } from '../../support/http.js'
import { createMenusFolder, type MenusFolder } from '../../support/menus-folder.js'
import type { Running } from '../../support/process.js'

export const TOKEN: string = 'a-token-of-at-least-thirty-two-characters'

/** `menuscript serve` as it is installed, in a process of its own that can be weighed. */
export interface BuiltService extends Running {
  readonly url: string
  readonly port: number
  readonly folder: MenusFolder
  /** Its open descriptors, by number with what each leads to; none where the platform does not tell. */
  readonly descriptors: () => readonly string[]
  /** Bytes of memory that it has now; 0 where the platform does not tell. */
  readonly resident: () => number
  /** Bytes that are left after all garbage is collected. */
  readonly heap: () => Promise<number>
}

const HEAP_TELLER = new URL('./heap-teller.mjs', import.meta.url).href

/** Serves these files on a free port; who starts it stops it. */
export async function startService(
  files: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
): Promise<BuiltService> {
  const folder = createMenusFolder(files)
  const running = startMenuscript(['serve', '--port', '0'], {
    cwd: folder.dir,
    env: { MENUSCRIPT_ADMIN_TOKEN: TOKEN, NODE_OPTIONS: `--import ${HEAP_TELLER}`, ...env },
  })
  const [, url = ''] = await running.waitFor(/^listening on (\S+)$/m)
  let asked = 0
  const heap = async (): Promise<number> => {
    asked++
    running.send('SIGUSR2')
    const [, bytes] = await running.waitFor(new RegExp(`^heap ${asked} (\\d+)$`, 'm'))
    return Number(bytes)
  }
  const { pid } = running
  const tellers = { descriptors: () => descriptorsOf(pid), resident: () => residentOf(pid), heap }
  return { ...running, ...tellers, url, port: Number(new URL(url).port), folder }
}

/** The same for the time of some work; answers its standard error. It must end by itself with exit code 0. */
export async function withService(
  files: Readonly<Record<string, string>>,
  work: (service: BuiltService) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const service = await startService(files, env)
  let code: number | null = null
  try {
    await work(service)
  } finally {
    code = await service.stop()
    service.folder.close()
  }
  if (code !== 0) throw new Error(`It ended with exit code ${code}.\n${service.stderr()}`)
  return service.stderr()
}

function descriptorsOf(pid: number): readonly string[] {
  const dir = `/proc/${pid}/fd`
  return existsSync(dir) ? readdirSync(dir) : []
}

function residentOf(pid: number): number {
  const path = `/proc/${pid}/status`
  if (!existsSync(path)) return 0
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(path, 'utf8')) ?? []
  return Number(kilobytes ?? 0) * 1_024
}

/** A metric of `/metrics` by its name with its labels; 0 when it is not there. */
export async function metricOf({ url }: { readonly url: string }, name: string): Promise<number> {
  const { text } = await get(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
  const line = text.split('\n').find((each) => each.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1) ?? 0)
}

/** A menu of so many links, about 60 bytes each in the answer, and more with a filling. */
export function bigMenu(code: string, count: number, filling: string = ''): string {
  const items = Array.from({ length: count }, (_, place) => ({
    label: `Entry ${place}${filling}`,
    url: `/${place}`,
  }))
  return JSON.stringify({ version: 1, code, name: code, items })
}

/** Megabytes, with one place. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MB`
}
