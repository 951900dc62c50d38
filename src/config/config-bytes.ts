import { readFileSync, statSync } from 'node:fs'

/** More than any configuration has; a file of routes may have tens of thousands. */
const MAX_BYTES = 8 * 1_048_576

/** Reads a file of the configuration. A pipe is not waited for, and a device not read without an end. Throws why not. */
export function readConfigBytes(file: string): Uint8Array {
  const stats = statSync(file)
  if (stats.isDirectory()) throw new Error('it is a folder')
  if (!stats.isFile()) throw new Error('it is no regular file')
  if (stats.size > MAX_BYTES) throw new Error(`it has ${stats.size} bytes, and ${MAX_BYTES} are allowed`)
  return readFileSync(file)
}
