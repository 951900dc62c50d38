import type { Worker } from 'node:worker_threads'
import { type PackedFile, parseMenuFile, toMenuFile } from '../../document/parse.js'
import type { MenuFile } from '../../model/menu-file.js'
import { contentHash } from '../hash.js'
import type { ReadOptions } from '../read-options.js'

/** A message to the thread. */
export interface ParseTask {
  readonly path: string
  readonly bytes: Uint8Array
}

/** A message of the thread: that it is up, then a file for each task, in the same order. */
export type ParserMessage = 'ready' | PackedFile

/** Parses menu files, in a thread where that takes long. */
export interface Parser {
  readonly here: (path: string, bytes: Uint8Array) => MenuFile
  /** Rejects when the worker died of the file. */
  readonly aside: (path: string, bytes: Uint8Array) => Promise<MenuFile>
  readonly close: () => Promise<void>
}

/** Milliseconds after which an idle worker ends: it holds some 30 MB. */
const IDLE_MS = 10_000
/** Milliseconds after which a thread that could not start is tried again, such as when no descriptor is free. */
const RETRY_MS = 1_000
/** A file that takes longer than this to parse is not a menu. */
const MAX_HEAP_MB = 1_024

interface Pending extends ParseTask {
  readonly resolve: (file: MenuFile) => void
  readonly reject: (reason: Error) => void
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

/** At most one thread, started on demand. While none can start, files are parsed here. */
export function createParser(options: ReadOptions, startAnother: typeof startThread = startThread): Parser {
  /** What the thread has been given; it takes one after the other. */
  const pending: Pending[] = []
  let worker: Worker | null = null
  /** Whether the thread was ready: one that was and then ends died of its input. */
  let isUp = false
  let retryAt = 0
  let idle: NodeJS.Timeout | undefined

  const here: Parser['here'] = (path, bytes) => parseMenuFile(path, bytes, { ...options, hash: contentHash })

  const start = (): Worker => {
    isUp = false
    const started = startAnother(options)
    started.unref()
    started.on('message', (message: ParserMessage) => {
      if (worker !== started) return
      isUp = true
      if (message === 'ready') return
      pending.shift()?.resolve(toMenuFile(message))
      if (pending.length === 0) idle = setTimeout(stop, IDLE_MS).unref()
    })
    started.on('error', (reason) => worker === started && fail(reason as Error))
    started.on('exit', () => worker === started && fail(new Error('the parser ended')))
    return started
  }

  const fail = (reason: Error): void => {
    worker = null
    const left = pending.splice(0)
    // It died of the first, and has not seen the others.
    if (isUp) left.shift()?.reject(reason)
    else retryAt = performance.now() + RETRY_MS
    for (const { path, bytes, resolve, reject } of left) aside(path, bytes).then(resolve, reject)
  }

  const stop = async (): Promise<void> => {
    const stopped = worker
    worker = null
    await stopped?.terminate()
  }

  const aside: Parser['aside'] = async (path, bytes) => {
    if (worker === null && performance.now() < retryAt) return here(path, bytes)
    clearTimeout(idle)
    return new Promise((resolve, reject) => {
      pending.push({ path, bytes, resolve, reject })
      try {
        worker ??= start()
        worker.postMessage({ path, bytes } satisfies ParseTask)
      } catch (thrown) {
        fail(thrown as Error)
      }
    })
  }

  return {
    here,
    aside,
    close: async () => {
      clearTimeout(idle)
      const left = pending.splice(0)
      await stop()
      for (const { reject } of left) reject(new Error('the store is closed'))
    },
  }
}
