import type { MenuDocument } from '../../document/menu-document.js'
import { derived } from '../../model/derived.js'
import { toPlainJson } from '../../model/plain-json.js'
import type { Snapshot } from '../../model/snapshot.js'
import { toUnifiedDiff } from '../../review/unified-diff.js'
import type { Log } from '../../service/log.js'
import type { Audit, AuditAction } from '../../store/audit.js'
import type { Tally } from '../../store/audit-tally.js'
import { contentHash } from '../../store/hash.js'
import type { Published, PublishFault } from '../../store/publish/plan.js'
import type { Occasion, Publication } from '../../store/publish/queue.js'
import type { Operator } from '../access/operator.js'

export interface Records {
  readonly current: () => Snapshot
  readonly log: Log
  readonly audit: Audit
  /** Records in it what can be repeated without end. */
  readonly tally: Tally
}

/** What an operator asked for that writes menu files. */
export interface Publishing {
  readonly operator: Operator
  /** Whether nothing is to be written. */
  readonly isDry: boolean
  readonly action: AuditAction
  /** For the message of the commit. Default: as of a PublishRequest. */
  readonly occasion?: Occasion
}

/** Files in a line of the log, and in a record of the audit log; an import of more has several records. */
const MAX_LISTED = 20

/** Bytes of the differences in a record, as JSON escapes them. The whole texts are with the versions. */
const MAX_DIFF = 8_192

/** Versions of which it is remembered who published them, until the service ends. */
const MAX_AUTHORS = 1_000

/** Who wrote a version of a file, and when, in milliseconds since 1970. */
export interface Authorship {
  readonly user: string
  readonly time: number
  /** Whether it took the place of another version; absent where that is not known. */
  readonly isEdit?: boolean
}

/** Those of the latest publishes, by path and version. */
export const authorsOf: (records: Records) => Map<string, Authorship> = derived(() => new Map())

/**
 * Records in the log and in the audit log what an operator wrote. The line is written after the files: only then it is known
 * what became of them. After a crash in between, the author of what was replaced is with the kept version, which is written first.
 */
export function recordPublication(
  records: Records,
  { operator, action }: Pick<Publishing, 'operator' | 'action'>,
  { files, commit }: Publication,
): void {
  const { audit, current, log } = records
  const changed = files.filter(({ before, after }) => before !== after)
  if (changed.length === 0) return
  const { id: user, via, address } = operator
  const authors = authorsOf(records)
  for (const { path, before, after } of changed)
    if (after !== null)
      authors.set(`${path} ${contentHash(after.bytes)}`, { user, time: Date.now(), isEdit: before !== null })
  for (const oldest of authors.keys()) if (authors.size > MAX_AUTHORS) authors.delete(oldest)
  const versions = changed.map(toVersions)
  const unlisted = Math.max(0, versions.length - MAX_LISTED)
  log.info('menus_published', { user, address, files: versions.slice(0, MAX_LISTED), unlisted, commit })
  const revision = current().revision
  const hash = commit?.kind === 'committed' ? commit.commit : null
  for (let first = 0; first < changed.length; first += MAX_LISTED) {
    let room = MAX_DIFF
    const described = changed.slice(first, first + MAX_LISTED).map((file, place) => {
      const difference = describeDiff(toDiff(file), room)
      room -= escapedBytes(difference.diff)
      return { ...versions[first + place], ...difference }
    })
    audit.record({ user, via, address, action, files: described, revision, commit: hash })
  }
}

/** Records that an operator pushed a draft as a branch. */
export function recordProposal(
  { audit, log }: Records,
  { id: user, via, address }: Operator,
  proposed: { readonly branch: string; readonly commit: string; readonly file: string },
): void {
  log.info('proposal_pushed', { user, address, ...proposed })
  audit.record({ user, via, address, action: 'propose', ...proposed })
}

/** Reasons that operators cannot change. */
const OURS: ReadonlySet<string> = new Set(['read-only', 'no-space', 'failed', 'unreachable', 'denied'])

/** Records in the log why nothing was written. */
export function recordRefusal({ log }: Records, { id: user, address }: Operator, fault: PublishFault): void {
  const { reason } = fault
  const file = reason === 'invalid' ? fault.problems[0]?.path : fault.path
  const what = 'what' in fault ? fault.what : undefined
  const isOurs = OURS.has(reason)
  if (isOurs) log.error('publish_failed', { user, address, reason, file, what })
  else log.info('publish_refused', { user, address, reason, file, what })
}

/** The versions of a file before and after; null is a file that does not exist. */
function toVersions({ path, before, after }: Published): object {
  const [from, to] = [before, after].map((document) => document && contentHash(document.bytes))
  return { file: path, before: from, after: to }
}

/** The difference that a publish made, or would make, as `git apply` reads it. */
export const toDiff: (file: Published) => string = derived(({ path, before, after }: Published) => {
  const textOf = (document: MenuDocument | null): string | null => document && document.mark + document.text
  return toUnifiedDiff({ path, before: textOf(before), after: textOf(after) })
})

interface Difference {
  readonly lines: { readonly added: number; readonly removed: number }
  readonly diff: string
  readonly cut?: number
}

/** A unified diff, as many of its lines as there is room for: `cut` counts the others. */
function describeDiff(whole: string, room: number): Difference {
  const lines = whole.split(/(?<=\n)/)
  const hunks = lines.slice(lines.findIndex((line) => line.startsWith('@@')))
  const count = (sign: string): number => hunks.filter((line) => line.startsWith(sign)).length
  let left = room
  const fitting = lines.findIndex((line) => {
    left -= escapedBytes(line)
    return left < 0
  })
  const changed = { added: count('+'), removed: count('-') }
  if (fitting === -1) return { lines: changed, diff: whole }
  return { lines: changed, diff: lines.slice(0, fitting).join(''), cut: lines.length - fitting }
}

/** The bytes of a text within a JSON string. */
function escapedBytes(text: string): number {
  return Buffer.byteLength(toPlainJson(text)) - 2
}
