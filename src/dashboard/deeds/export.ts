import { once } from 'node:events'
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

/** Milliseconds that a client may read nothing; Node waits twice, because what the kernel took is progress. */
const STALLED_MS = 15_000

/** All menus that are served, or the one of a `file`; with `notes`, what each loses. */
export function exportMenus(
  workspace: Workspace,
  operator: Operator,
  { file, hasNotes }: { readonly file: string | undefined; readonly hasNotes: boolean },
): Exporting {
  const { current } = workspace
  if (file !== undefined && !current().served.has(file)) throw new Refusal('no-file')
  const paths = [...current().served.keys()].filter((path) => file === undefined || path === file)
  const texts = () => toTexts(workspace, paths, hasNotes)
  return toExporting(workspace, operator, { type: 'application/json', file, texts })
}

/** A part of a text, and how many menus have been written by then. */
export interface ExportPart {
  readonly text: string
  readonly count: number
}

/** Writes the parts of an export one after the other, and records it. */
export function toExporting(
  { tally }: Workspace,
  { id: user, via, address }: Operator,
  {
    type,
    file,
    texts,
  }: {
    /** The media type. */
    readonly type: string
    readonly file: string | undefined
    readonly texts: () => AsyncGenerator<ExportPart>
  },
): Exporting {
  return async (request, response, headers = {}) => {
    const own = { 'content-type': type, 'cache-control': 'no-store', ...headers }
    sendHead(response, 200, toLines({ ...own, 'x-content-type-options': 'nosniff' }))
    if (request.method === 'HEAD') return void response.end()
    response.setTimeout(STALLED_MS, () => response.writableLength > 0 && response.destroy())
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    let menus = 0
    for await (const { text, count } of texts()) {
      menus = count
      if (response.destroyed) break
      if (!response.write(text)) await once(response, 'drain', gone).catch(() => {})
    }
    response.end()
    tally(`export ${user}`, { user, via, address, action: 'export', file: file ?? null, menus })
  }
}

/** The text of an export in parts. */
async function* toTexts(
  { config, settings }: Workspace,
  paths: readonly string[],
  hasNotes: boolean,
): AsyncGenerator<ExportPart> {
  const pause = createPause()
  const notes: string[] = []
  let count = 0
  yield { text: '{"menus":[', count }
  for (const path of paths) {
    const value = readMenu(config, path)?.value ?? null
    if (value === null) continue
    const { block, ...rest } = exportMenu(value, settings.locales)
    const separator = count === 0 ? '\n' : ',\n'
    count++
    if (hasNotes) notes.push(JSON.stringify({ file: path, ...rest }))
    yield { text: separator + JSON.stringify(block), count }
    await pause()
  }
  yield { text: `${hasNotes ? `],"notes":[\n${notes.join(',\n')}` : ''}]}\n`, count }
}
