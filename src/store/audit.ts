import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { inFolder } from './inside.js'
import { type At, besideFile, FileBusyError } from './publish/put-file.js'

/** Lines that are only appended, in `audit.log` of a folder; several processes may append to it. */
export interface Audit {
  /** Appends a line, which is on the disk then. Throws file system errors. */
  readonly append: (line: string) => void
}

export interface AuditLimits {
  /** Bytes after which a new file begins. */
  readonly bytes: number
  /** How many files are kept: `audit.log`, `audit.log.1` and so on, the newest first. */
  readonly files: number
}

export const AUDIT_LIMITS: AuditLimits = { bytes: 10 * 1024 * 1024, files: 5 }
const NAME = 'audit.log'
const NEW_LINE = 10

/** Opens the audit log of a folder, which only the user of the process can read. */
export function openAudit(folder: string, limits: AuditLimits = AUDIT_LIMITS): Audit {
  return {
    append: (line) =>
      inFolder(folder, '', (at) => {
        if (appendLine(at(NAME), line) > limits.bytes) rotate(at, limits)
      }),
  }
}

/** The bytes that the file has then. */
function appendLine(file: string, line: string): number {
  const descriptor = openSync(file, 'a+', 0o600)
  try {
    const { size } = fstatSync(descriptor)
    const last = Buffer.alloc(1, NEW_LINE)
    if (size > 0) readSync(descriptor, last, 0, 1, size - 1)
    // A full disk may have cut the line before this one.
    const bytes = Buffer.from(`${last[0] === NEW_LINE ? '' : '\n'}${line}\n`)
    writeFileSync(descriptor, bytes)
    fsyncSync(descriptor)
    return size + bytes.length
  } finally {
    closeSync(descriptor)
  }
}

function rotate(at: At, { bytes, files }: AuditLimits): void {
  try {
    besideFile(at, NAME, () => {
      // Another process may just have done it.
      if ((statSync(at(NAME), { throwIfNoEntry: false })?.size ?? 0) <= bytes) return false
      for (let place = files - 1; place > 0; place--) {
        const from = place === 1 ? NAME : `${NAME}.${place - 1}`
        if (statSync(at(from), { throwIfNoEntry: false }) !== undefined)
          renameSync(at(from), at(`${NAME}.${place}`))
      }
      return true
    })
  } catch (thrown) {
    // Somebody else is at it.
    if (!(thrown instanceof FileBusyError)) throw thrown
  }
}
