import { closeSync, fstatSync, readSync, type Stats } from 'node:fs'
import { toSignature } from './entry.js'
import { type Bounds, openInside } from './inside.js'

/** The bytes of a file with the signature that they were read under. */
export interface FileBytes {
  readonly bytes: Uint8Array
  /** Empty, which equals no other, where the file may still change without changing its signature. */
  readonly signature: string
  /** The file's size, larger than the bytes where it is over the limit. */
  readonly size: number
}

/** Milliseconds between two different times on a file system: Linux before 6.13 has 1 to 10; some have seconds. */
const TICK_MS = 20
const SECONDS_TICK_MS = 2_000

/**
 * Reads a regular file of a folder, up to `limit` bytes; of a larger one only its size. Never waits for a writer of a pipe.
 * Throws OutsideError for a path that leads out of the folder, or file system errors.
 */
export function readMenuBytes(folder: Bounds, path: string, limit: number): FileBytes {
  return readOpened(openInside(folder, path), limit)
}

/** When a file of a folder was changed, in milliseconds since 1970. Throws like the other. */
export function changedAt(folder: Bounds, path: string): number {
  const descriptor = openInside(folder, path)
  try {
    return fstatSync(descriptor).mtimeMs
  } finally {
    closeSync(descriptor)
  }
}

/** The same for an open file; closes it. */
export function readOpened(descriptor: number, limit: number): FileBytes {
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) throw new Error('it is not a regular file')
    const signature = mayChangeUnseen(stats) ? '' : toSignature(stats)
    if (stats.size > limit) return { bytes: new Uint8Array(0), signature, size: stats.size }
    const bytes = Buffer.alloc(stats.size)
    let filled = 0
    while (filled < bytes.length) {
      const count = readSync(descriptor, bytes, filled, bytes.length - filled, filled)
      if (count === 0) break
      filled += count
    }
    return { bytes: bytes.subarray(0, filled), signature, size: stats.size }
  } finally {
    closeSync(descriptor)
  }
}

/** Another change of equal size within the tick of the last one leaves the times as they are. */
function mayChangeUnseen({ ctimeMs, mtimeMs }: Stats): boolean {
  const isWhole = ctimeMs % 1000 === 0 && mtimeMs % 1000 === 0
  return Math.abs(Date.now() - ctimeMs) < (isWhole ? SECONDS_TICK_MS : TICK_MS)
}
