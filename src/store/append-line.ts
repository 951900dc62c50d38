import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeFileSync } from 'node:fs'

const NEW_LINE = 10

/**
 * Appends a line to a file that only its owner can read; it is on the disk then. What a killed process or a full disk left of
 * a line before it becomes a line of its own. Returns the size of the file. Throws file system errors.
 */
export function appendLine(file: string, line: string): number {
  const descriptor = openSync(file, 'a+', 0o600)
  try {
    const { size } = fstatSync(descriptor)
    const last = Buffer.alloc(1, NEW_LINE)
    if (size > 0) readSync(descriptor, last, 0, 1, size - 1)
    const bytes = Buffer.from(`${last[0] === NEW_LINE ? '' : '\n'}${line}\n`)
    writeFileSync(descriptor, bytes)
    fsyncSync(descriptor)
    return size + bytes.length
  } finally {
    closeSync(descriptor)
  }
}
