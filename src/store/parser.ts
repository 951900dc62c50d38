import { Worker } from 'node:worker_threads'
import { type ParseOptions, parseMenuFile } from '../document/parse.js'
import { deepFreeze } from '../document/to-menu.js'
import type { MenuFile } from '../model/snapshot.js'
import { contentHash } from './hash.js'

/** What the worker is asked. */
export interface ParseTask {
  readonly id: number
  readonly path: string
  readonly bytes: Uint8Array
}

interface Parsed {
  readonly id: number
  readonly file: MenuFile
}

/** Parses menu files, beside the requests where that takes long. */
export interface Parser {
  readonly here: (path: string, bytes: Uint8Array) => MenuFile
  /** Rejects when the worker died of the file. */
  readonly aside: (path: string, bytes: Uint8Array) => Promise<MenuFile>
  readonly close: () => Promise<void>
}

/** Milliseconds after which a worker with nothing to do is let go: it holds some 30 MB. */
const IDLE_MS = 10_000
/** A file that needs more than this to be parsed is no menu. */
const MAX_HEAP_MB = 1_024

interface Pending {
  readonly resolve: (file: MenuFile) => void
  readonly reject: (reason: Error) => void
}

/** One thread at most, started when it is needed first. */
export function createParser(options: Omit<ParseOptions, 'hash'>): Parser {
  const pending = new Map<number, Pending>()
  let worker: Worker | null = null
  let idle: NodeJS.Timeout | null = null
  let ids = 0

  const start = (): Worker => {
    const started = new Worker(new URL('./parse-worker.js', import.meta.url), {
      workerData: options,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    })
    started.unref()
    started.on('message', ({ id, file }: Parsed) => {
      // What crosses threads is copied, and copies are not frozen.
      pending.get(id)?.resolve(deepFreeze(file))
      pending.delete(id)
      if (pending.size === 0) idle = setTimeout(stop, IDLE_MS).unref()
    })
    const end = (reason: Error): void => {
      if (worker !== started) return
      worker = null
      for (const { reject } of pending.values()) reject(reason)
      pending.clear()
    }
    started.on('error', end)
    started.on('exit', () => end(new Error('the parser ended')))
    return started
  }

  const stop = async (): Promise<void> => {
    const stopped = worker
    worker = null
    await stopped?.terminate()
  }

  return {
    here: (path, bytes) => parseMenuFile(path, bytes, { ...options, hash: contentHash }),
    aside: (path, bytes) =>
      new Promise((resolve, reject) => {
        if (idle !== null) clearTimeout(idle)
        worker ??= start()
        const id = ids++
        pending.set(id, { resolve, reject })
        worker.postMessage({ id, path, bytes } satisfies ParseTask)
      }),
    close: async () => {
      if (idle !== null) clearTimeout(idle)
      const left = [...pending.values()]
      pending.clear()
      await stop()
      for (const { reject } of left) reject(new Error('the store is closed'))
    },
  }
}
