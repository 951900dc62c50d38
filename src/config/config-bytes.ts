import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

/** More than any configuration has; a file of routes may have tens of thousands. */
const MAX_BYTES = 8 * 1_048_576

/**
 * Reads a file of the configuration. What is judged is what was opened, so that nothing can take its place meanwhile: a
 * pipe is not waited for, and a device is not read without an end. Throws why not.
 */
export function readConfigBytes(file: string): Uint8Array {
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const stats = fstatSync(descriptor)
    if (stats.isDirectory()) throw new Error('it is a folder')
    if (!stats.isFile()) throw new Error('it is no regular file')
    if (stats.size > MAX_BYTES) throw new Error(`it has ${stats.size} bytes, and ${MAX_BYTES} are allowed`)
    return readFileSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
