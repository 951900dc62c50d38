import type { MenuDocument } from '../../document/menu-document.js'
import { derived } from '../../model/derived.js'
import type { Snapshot } from '../../model/snapshot.js'
import { toPlainJson } from '../../review/plain-json.js'
import { toUnifiedDiff } from '../../review/unified-diff.js'
import { type Log, toReason } from '../../service/log.js'
import type { Audit } from '../../store/audit.js'
import { contentHash } from '../../store/hash.js'
import type { Published, PublishFault } from '../../store/publish/plan.js'
import type { Publication } from '../../store/publish/publish.js'
import type { Operator } from '../access/operator.js'

export interface Records {
  readonly current: () => Snapshot
  readonly log: Log
  readonly audit: Audit
}

/** Files in a line of the log; an import may have thousands. The audit log has all of them. */
const MAX_LISTED = 20

/**
 * Records in the log and in the audit log what an operator wrote. The line is written after the files: only then it is known
 * what became of them. When it cannot be written, the save remains, because visitors may have seen it, and the log gets the whole
 * record; after a crash in between, the author of what was replaced is with the kept version, which is written first.
 */
export function recordPublication(
  { audit, current, log }: Records,
  operator: Operator,
  { files, commit }: Publication,
): void {
  const changed = files.filter(({ before, after }) => before !== after)
  if (changed.length === 0) return
  const { id: user, via, address } = operator
  const versions = changed.map(toVersions)
  const unlisted = Math.max(0, versions.length - MAX_LISTED)
  log.info('menus_published', { user, address, files: versions.slice(0, MAX_LISTED), unlisted, commit })
  const record = {
    ...{ time: new Date().toISOString(), user, via, address, action: 'publish' },
    files: changed.map((file, place) => ({ ...versions[place], lines: countLines(file) })),
    revision: current().revision,
    commit: commit?.kind === 'committed' ? commit.commit : null,
  }
  try {
    audit.append(toPlainJson(record))
  } catch (thrown) {
    log.error('audit_failed', { reason: toReason(thrown), record })
  }
}

/** Records in the log why nothing was written. */
export function recordRefusal({ log }: Records, { id: user, address }: Operator, fault: PublishFault): void {
  const { reason } = fault
  const file = reason === 'invalid' ? fault.problems[0]?.path : fault.path
  const what = 'what' in fault ? fault.what : undefined
  const isOurs = reason === 'read-only' || reason === 'no-space' || reason === 'failed'
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

function countLines(file: Published): object {
  const [, ...hunks] = toDiff(file).split(/^@@.*\n/m)
  const count = (sign: RegExp): number => hunks.join('').match(sign)?.length ?? 0
  return { added: count(/^\+/gm), removed: count(/^-/gm) }
}
