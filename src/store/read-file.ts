import { closeSync, fstatSync, readSync, type Stats } from 'node:fs'
import { openInside } from './inside.js'
import { toSignature } from './scan.js'

/** The bytes of a file with the signature that they were read under. */
export interface FileBytes {
  readonly bytes: Uint8Array
  /** Empty, which equals no other, where the file may still change without another signature. */
  readonly signature: string
  /** The file's size, which is more than there are bytes where it is over the limit. */
  readonly size: number
}

/** Milliseconds between two times that differ on a file system: Linux before 6.13 has 1 to 10; some have seconds. */
const TICK_MS = 20
const SECONDS_TICK_MS = 2_000

/**
 * Reads a regular file of a folder, of at most `limit` bytes; of a larger one nothing but its size. Never waits for a
 * pipe to be written to. Throws OutsideError for a path that leads out of the folder, or what the file system says.
 */
export function readMenuBytes(root: string, path: string, limit: number): FileBytes {
  return readOpened(openInside(root, path), limit)
}

/** The same of a file that is open, and closes it. */
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

/** Another change of equal size within the tick in which a file was changed leaves its times as they are. */
function mayChangeUnseen({ ctimeMs, mtimeMs }: Stats): boolean {
  const isWhole = ctimeMs % 1000 === 0 && mtimeMs % 1000 === 0
  return Math.abs(Date.now() - ctimeMs) < (isWhole ? SECONDS_TICK_MS : TICK_MS)
}
