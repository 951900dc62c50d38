import { renameSync, rmSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { toPlainJson } from '../model/plain-json.js'
import { type Log, toReason } from '../service/log.js'
import { appendLine } from './append-line.js'
import { inFolder } from './inside.js'
import { type At, besideFile, FileBusyError } from './publish/atomic-file.js'

/** What is recorded. */
export const AUDIT_ACTIONS = [
  'create',
  'copy',
  'change',
  'replace',
  'delete',
  'restore',
  'move',
  'import',
  'publish',
  'propose',
  'draft-discarded',
  'draft-taken-over',
  'export',
  'link-created',
  'signed-in',
  'signed-out',
  'sign-in-failed',
  'user-added',
  'password-changed',
  'user-removed',
  'role-changed',
  'sessions-ended',
  'password-link-created',
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

/** Who did something, and from where. No member is a secret. */
export interface AuditRecord {
  /** Null if the user is not known. */
  readonly user: string | null
  /** How the user was recognized. */
  readonly via: string
  /** That of the client; null for a command on this machine. */
  readonly address: string | null
  readonly action: AuditAction
  /** What it was done to, in JSON. */
  readonly [member: string]: unknown
}

/** Records in lines of JSON that are only appended, in `audit.log` of a folder; several processes may append to it. */
export interface Audit {
  /**
   * Appends a record with the time; it is on the disk then. What it records has been done: when it cannot be written, the
   * log has the whole record.
   */
  readonly record: (record: AuditRecord) => void
}

export interface AuditLimits {
  /** Bytes after which a new file begins. */
  readonly bytes: number
  /** How many files are kept however old: `audit.log`, `audit.log.1` and so on, the newest first. */
  readonly files: number
  /** How many are kept at most, while their last line is younger than `age` milliseconds. */
  readonly youngFiles: number
  readonly age: number
}

const DAY_MS = 86_400_000
export const AUDIT_LIMITS: AuditLimits = {
  ...{ bytes: 10 * 1024 * 1024, files: 5 },
  ...{ youngFiles: 50, age: 90 * DAY_MS },
}
const NAME = 'audit.log'

/** Opens the audit log of a folder, which only the user of the process can read. */
export function openAudit(folder: string, log: Log, limits: AuditLimits = AUDIT_LIMITS): Audit {
  return {
    record: (record) => {
      const line = toPlainJson({ time: new Date().toISOString(), ...record })
      try {
        inFolder(folder, '', (at) => {
          if (appendLine(at(NAME), line) > limits.bytes) rotate(at, limits)
        })
      } catch (thrown) {
        log.error('audit_failed', { reason: toReason(thrown), record })
      }
    },
  }
}

/** The user of the operating system who runs this process, as the user of a record. */
export function commandUser(): Pick<AuditRecord, 'user' | 'via' | 'address'> {
  return { user: nameOfUser(), via: 'command', address: null }
}

/** Containers run under numbers that have no name. */
function nameOfUser(): string | null {
  try {
    return userInfo().username
  } catch {
    return process.getuid?.().toString() ?? null
  }
}

/** Where nothing can be kept. */
export const NO_AUDIT: Audit = { record: () => {} }

function rotate(at: At, { bytes, files, youngFiles, age }: AuditLimits): void {
  try {
    besideFile(at, NAME, () => {
      const timeOf = (name: string): number | null =>
        statSync(at(name), { throwIfNoEntry: false })?.mtimeMs ?? null
      // Another process may just have done it.
      if ((statSync(at(NAME), { throwIfNoEntry: false })?.size ?? 0) <= bytes) return false
      const names = [NAME]
      while (timeOf(`${NAME}.${names.length}`) !== null) names.push(`${NAME}.${names.length}`)
      const oldest = Date.now() - age
      for (const [place, name] of [...names.entries()].reverse()) {
        const next = place + 1
        const isKept = next < files || (next < youngFiles && (timeOf(name) ?? 0) >= oldest)
        if (isKept) renameSync(at(name), at(`${NAME}.${next}`))
        else rmSync(at(name), { force: true })
      }
      return true
    })
  } catch (thrown) {
    // Somebody else is at it.
    if (!(thrown instanceof FileBusyError)) throw thrown
  }
}
