import type { IncomingMessage, ServerResponse } from 'node:http'
import { exportMenu } from '../../document/exchange/export.js'
import { readMenu } from '../../review/reading.js'
import { createPause } from '../../store/pause.js'
import { sendHead, toLines } from '../../web/head.js'
import type { Headers } from '../../web/problem-json.js'
import type { Operator } from '../access/operator.js'
import { Refusal } from '../refusal.js'
import type { Workspace } from './workspace.js'

/** Writes an export to a response, menu by menu: all menus may be larger than the memory. */
export type Exporting = (
  request: IncomingMessage,
  response: ServerResponse,
  headers?: Headers,
) => Promise<void>

/** Milliseconds that a client may read nothing. */
const STALLED_MS = 30_000

/** All menus that are served, or the one of a `file`; with `notes`, what each loses. */
export function exportMenus(
  workspace: Workspace,
  operator: Operator,
  { file, hasNotes }: { readonly file: string | undefined; readonly hasNotes: boolean },
): Exporting {
  const { current, tally } = workspace
  if (file !== undefined && !current().served.has(file)) throw new Refusal('no-file')
  const paths = [...current().served.keys()].filter((path) => file === undefined || path === file)
  const { id: user, via, address } = operator
  return async (request, response, headers = {}) => {
    const own = { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers }
    sendHead(response, 200, toLines({ ...own, 'x-content-type-options': 'nosniff' }))
    if (request.method === 'HEAD') return void response.end()
    let menus = 0
    for await (const { text, count } of toTexts(workspace, paths, hasNotes)) {
      menus = count
      if (response.destroyed) break
      if (!response.write(text)) await untilDrained(response)
    }
    response.end()
    tally(`export ${user}`, { user, via, address, action: 'export', file: file ?? null, menus })
  }
}

/** Waits for the client; one that reads nothing for too long loses its connection. */
function untilDrained(response: ServerResponse): Promise<void> {
  if (response.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      response.off('drain', end).off('close', end)
      resolve()
    }
    const timer = setTimeout(() => response.destroy(), STALLED_MS)
    response.on('drain', end).on('close', end)
  })
}

/** The text of an export in parts, and of how many menus it has something by then. */
async function* toTexts(
  { config, defaults }: Workspace,
  paths: readonly string[],
  hasNotes: boolean,
): AsyncGenerator<{ readonly text: string; readonly count: number }> {
  const pause = createPause()
  const notes: string[] = []
  let count = 0
  yield { text: '{"menus":[', count }
  for (const path of paths) {
    const value = readMenu(config, path)?.value ?? null
    if (value === null) continue
    const { block, ...rest } = exportMenu(value, defaults)
    const separator = count === 0 ? '\n' : ',\n'
    count++
    if (hasNotes) notes.push(JSON.stringify({ file: path, ...rest }))
    yield { text: separator + JSON.stringify(block), count }
    await pause()
  }
  yield { text: `${hasNotes ? `],"notes":[\n${notes.join(',\n')}` : ''}]}\n`, count }
}
