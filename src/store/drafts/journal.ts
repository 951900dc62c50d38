import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs'

/** Records that only ever grow, each a line of JSON. What was appended is on the disk. */
export interface Journal {
  readonly records: readonly unknown[]
  /** The bytes of the whole records: a process that was killed may have left a part of one behind them. */
  readonly size: number
}

/** Reads a journal. Throws file system errors. */
export function readJournal(file: string): Journal {
  const bytes = readFileSync(file)
  const records: unknown[] = []
  let size = 0
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, size)) {
    const record = parseRecord(bytes.toString('utf8', size, end))
    if (record === undefined) break
    records.push(record)
    size = end + 1
  }
  return { records, size }
}

function parseRecord(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Appends a record behind the whole ones, and answers their size then. Throws file system errors; a record of which only a part
 * was written does not count.
 */
export function appendRecord(file: string, size: number, record: unknown): number {
  const descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600)
  try {
    if (fstatSync(descriptor).size > size) ftruncateSync(descriptor, size)
    const bytes = Buffer.from(`${JSON.stringify(record)}\n`)
    for (let done = 0; done < bytes.length; )
      done += writeSync(descriptor, bytes, done, bytes.length - done, size + done)
    fsyncSync(descriptor)
    return size + bytes.length
  } finally {
    closeSync(descriptor)
  }
}
