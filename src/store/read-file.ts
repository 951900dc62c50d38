import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { toSignature } from './scan.js'

/** The bytes of a file with the signature that they were read under. */
export interface FileBytes {
  readonly bytes: Uint8Array
  readonly signature: string
  /** The file's size, which is more than there are bytes where it is over the limit. */
  readonly size: number
}

/**
 * Reads a regular file of at most `limit` bytes; of a larger one only as much as tells that it is one. Never waits for
 * a pipe to be written to. Throws what the file system says.
 */
export function readMenuBytes(file: string, limit: number): FileBytes {
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) throw new Error('it is not a regular file')
    const signature = toSignature(stats)
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
