import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { parseMenuFile } from '../../document/parse.js'
import { deepFreeze } from '../../model/freeze.js'
import type { MenuFile } from '../../model/menu-file.js'
import { contentHash } from '../hash.js'
import type { ReadOptions } from '../read-options.js'
import { createTurns } from '../turns.js'

/** A message to the thread. */
export interface ParseTask {
  readonly path: string
  readonly bytes: Uint8Array
}

/** A message of the thread: that it is up, then a file for each task. */
export type ParserMessage = 'ready' | MenuFile

/** Parses menu files, in a thread where that takes long. */
export interface Parser {
  readonly here: (path: string, bytes: Uint8Array) => MenuFile
  /** Rejects when the thread died of the file, or was closed. */
  readonly aside: (path: string, bytes: Uint8Array) => Promise<MenuFile>
  readonly close: () => Promise<void>
}

/** Bytes above which parsing a file would delay requests noticeably. */
const LARGE = 16_384
/** Milliseconds after which an idle thread ends: it holds some 30 MB. */
const IDLE_MS = 10_000
/** Milliseconds after which a thread that could not start is tried again, such as when no descriptor is free. */
const RETRY_MS = 1_000
/** A file that takes more memory than this to parse is not a menu. */
const MAX_HEAP_MB = 1_024

/** Whether a file belongs in the thread. */
export function isLarge(bytes: Uint8Array): boolean {
  return bytes.length > LARGE
}

/** Starts the built thread, also when running from sources: a thread has no loader for them. */
export function startThread(options: ReadOptions): Worker {
  // Most folders need no thread, and most commands end sooner than Node loads what makes one.
  const threads = process.getBuiltinModule('node:worker_threads')
  return new threads.Worker(new URL(import.meta.resolve('#parse-worker')), {
    workerData: options,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  })
}

/** At most one thread, started on demand, for one file after the other. While none can start, files are parsed here. */
export function createParser(options: ReadOptions, startAnother: typeof startThread = startThread): Parser {
  const inTurn = createTurns(1)
  let worker: Worker | null = null
  let retryAt = 0
  let idle: NodeJS.Timeout | undefined
  let isClosed = false

  const here: Parser['here'] = (path, bytes) => parseMenuFile(path, bytes, { ...options, hash: contentHash })

  /** The next message of a thread; rejects when it ends. */
  const messageOf = async (thread: Worker): Promise<ParserMessage> => {
    const ended = new AbortController()
    const onExit = (): void => ended.abort()
    thread.once('exit', onExit)
    try {
      const [message] = await once(thread, 'message', { signal: ended.signal })
      return message as ParserMessage
    } finally {
      thread.off('exit', onExit)
    }
  }
  const start = async (): Promise<Worker | null> => {
    if (performance.now() < retryAt) return null
    try {
      const started = startAnother(options)
      started.unref()
      // Between files, nothing else listens.
      started.on('error', () => {})
      started.on('exit', () => {
        if (worker === started) worker = null
      })
      await messageOf(started)
      return started
    } catch {
      retryAt = performance.now() + RETRY_MS
      return null
    }
  }
  const stop = async (): Promise<void> => {
    clearTimeout(idle)
    const stopped = worker
    worker = null
    await stopped?.terminate()
  }

  return {
    here,
    aside: (path, bytes) =>
      inTurn(async () => {
        if (isClosed) throw new Error('the store is closed')
        clearTimeout(idle)
        worker ??= await start()
        if (worker === null) return here(path, bytes)
        const answer = messageOf(worker)
        worker.postMessage({ path, bytes } satisfies ParseTask)
        const message = await answer
        idle = setTimeout(stop, IDLE_MS).unref()
        return deepFreeze(message as MenuFile)
      }),
    close: async () => {
      isClosed = true
      await stop()
    },
  }
}
