import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

export interface Place {
  readonly line: number
  readonly character: number
}

export interface Diagnostic {
  readonly range: { readonly start: Place }
  readonly message: string
}

export interface Completion {
  readonly label: string
  readonly kind?: number
  readonly insertText?: string
  readonly documentation?: string | { readonly value: string }
}

/** An editor's view of YAML files: what the language server of most editors says about them. */
export interface Editor {
  /** Opens a text under a path and gives what is wrong with it. */
  readonly diagnose: (path: string, text: string) => Promise<readonly Diagnostic[]>
  readonly complete: (path: string, place: Place) => Promise<readonly Completion[]>
  readonly hover: (path: string, place: Place) => Promise<string>
  readonly close: () => Promise<void>
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: unknown
  readonly result?: unknown
}

const PATIENCE_MS = 60_000

/** Starts yaml-language-server over stdio. */
export async function openEditor(): Promise<Editor> {
  const home = dirname(createRequire(import.meta.url).resolve('yaml-language-server/package.json'))
  const child = spawn(process.execPath, [join(home, 'bin', 'yaml-language-server'), '--stdio'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const endWithUs = () => child.kill('SIGKILL')
  process.once('exit', endWithUs)
  const waiting = new Map<string, (value: unknown) => void>()
  let lastId = 0

  const send = (message: Message) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
  const wait = (key: string) =>
    new Promise<unknown>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`the language server is silent on ${key}`)),
        PATIENCE_MS,
      )
      waiting.set(key, (value) => {
        clearTimeout(timer)
        waiting.delete(key)
        resolve(value)
      })
    })
  const request = (method: string, params: unknown) => {
    const id = ++lastId
    const answer = wait(`request ${id}`)
    send({ id, method, params })
    return answer
  }
  const receive = (message: Message) => {
    if (message.method === 'textDocument/publishDiagnostics') {
      const { uri, diagnostics } = message.params as { uri: string; diagnostics: unknown }
      waiting.get(`diagnostics ${uri}`)?.(diagnostics)
    } else if (message.method === 'workspace/configuration') {
      const { items } = message.params as { items: readonly unknown[] }
      send({ ...(message.id !== undefined && { id: message.id }), result: items.map(() => ({})) })
    } else if (message.method !== undefined && message.id !== undefined) {
      send({ id: message.id, result: null })
    } else if (message.id !== undefined) {
      waiting.get(`request ${message.id}`)?.(message.result)
    }
  }
  readMessages(child.stdout, receive)

  await request('initialize', {
    processId: process.pid,
    rootUri: null,
    capabilities: { textDocument: { completion: { completionItem: { snippetSupport: true } } } },
  })
  send({ method: 'initialized', params: {} })
  // Nothing from the network: the modeline alone names the schema.
  const yaml = { validate: true, hover: true, completion: true, schemaStore: { enable: false } }
  send({ method: 'workspace/didChangeConfiguration', params: { settings: { yaml } } })

  const at = (path: string, position: Place) => ({ textDocument: { uri: toUri(path) }, position })
  return {
    async diagnose(path, text) {
      const diagnostics = wait(`diagnostics ${toUri(path)}`)
      const textDocument = { uri: toUri(path), languageId: 'yaml', version: 1, text }
      send({ method: 'textDocument/didOpen', params: { textDocument } })
      return (await diagnostics) as readonly Diagnostic[]
    },
    async complete(path, place) {
      const found = (await request('textDocument/completion', at(path, place))) as {
        items: readonly Completion[]
      }
      return found.items
    },
    async hover(path, place) {
      const found = (await request('textDocument/hover', at(path, place))) as {
        contents: { value: string }
      } | null
      return found?.contents.value ?? ''
    },
    close() {
      process.removeListener('exit', endWithUs)
      child.kill('SIGKILL')
      return ended
    },
  }
}

function toUri(path: string): string {
  return pathToFileURL(path).href
}

/** The messages of a stream, each behind a header that tells its length. */
function readMessages(stream: NodeJS.ReadableStream, receive: (message: Message) => void): void {
  let rest = Buffer.alloc(0)
  stream.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const start = rest.indexOf('\r\n\r\n') + 4
      const length = Number(/Content-Length: (\d+)/.exec(rest.subarray(0, start).toString())?.[1])
      if (start < 4 || Number.isNaN(length) || rest.length < start + length) return
      receive(JSON.parse(rest.subarray(start, start + length).toString()))
      rest = rest.subarray(start + length)
    }
  })
}
