import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MenuFile } from '../../model/menu-file.js'
import { isError, type Problem } from '../../model/problem.js'
import { done, failed, type Result } from '../../model/result.js'
import { type Log, toReason } from '../../service/log.js'
import { judgeByRules, type Rules } from '../../service/project-rules.js'
import type { CommitOutcome } from '../git/commit.js'
import { contentHash } from '../hash.js'
import { toRealPath } from '../inside.js'
import type { JudgedFiles, Judging } from '../judged-files.js'
import { createPause } from '../pause.js'
import { writeNewFile } from './new-file.js'
import { type Edit, type MenusPlace, type Published, type PublishFault, planEdits, toFault } from './plan.js'
import { FileBusyError } from './put-file.js'
import { createQueues, type QueueLimits } from './queues.js'
import { removeFile, replaceFile } from './replace-file.js'
import type { Versions } from './versions.js'

export interface PublishRequest {
  /** Who publishes, for the versions that are kept. */
  readonly author: string
  /** Whether nothing is written, only judged. */
  readonly isDry?: boolean
}

/** What became of edits. */
export interface Publication {
  readonly files: readonly Published[]
  /** The warnings of these files. */
  readonly problems: readonly Problem[]
  /** What became of their commit; null where git has no part in it. */
  readonly commit: CommitOutcome | null
}

export interface PublisherDeps extends MenusPlace {
  /** The project's severities. */
  readonly rules: Rules
  readonly store: Judging
  readonly versions: Versions
  /**
   * Prepares the commit of files that are about to be written; it is made by the function that is answered, which never
   * throws and answers null where git has no part in it.
   */
  readonly toCommit: (files: readonly Published[], author: string) => () => Promise<CommitOutcome | null>
  /** Whether git is changing the work tree. */
  readonly isGitBusy: (now: number) => boolean
  readonly log: Log
}

/** Writes menu files. Publishes of one file come one after the other; those of different files do not wait for each other. */
export interface Publisher {
  /** Publishes edits of different files, all or none. */
  readonly publish: (
    edits: readonly Edit[],
    request: PublishRequest,
  ) => Promise<Result<Publication, PublishFault>>
  /** Waits for the publishes that have begun; later ones are refused. */
  readonly close: () => Promise<void>
}

/** Milliseconds between two tries to write what another process is writing. */
const RETRY_MS = 50
/** Tries until a file that keeps changing counts as busy: two seconds. */
const TRIES = 40
/** Publishes that run or wait, of one file and of all; each holds a text in memory. */
const LIMITS: QueueLimits = { ofKey: 100, all: 400 }

export function createPublisher(deps: PublisherDeps): Publisher {
  const queues = createQueues(LIMITS)
  let isClosed = false
  return {
    publish: async (edits, request) => {
      const path = edits[0]?.path ?? ''
      if (isClosed) return failed({ reason: 'busy', path, what: 'the service is stopping' })
      const keys = edits.flatMap((edit) => keysOf(join(deps.root, edit.path)))
      const published = queues.run(keys, () => publishNow(deps, edits, request))
      return published ?? failed({ reason: 'overloaded', path, what: 'too many publishes wait' })
    },
    close: async () => {
      isClosed = true
      await queues.end()
    },
  }
}

/**
 * What identifies a file: its real path in any case, which disks may ignore, and the file itself, which may have several
 * names.
 */
function keysOf(file: string): readonly string[] {
  const name = toRealPath(file).normalize().toLowerCase()
  try {
    const { dev, ino } = statSync(file)
    return [name, `${dev} ${ino}`]
  } catch {
    // It is new, or no path of a menu.
    return [name]
  }
}

async function publishNow(
  deps: PublisherDeps,
  edits: readonly Edit[],
  { author, isDry = false }: PublishRequest,
): Promise<Result<Publication, PublishFault>> {
  let last: PublishFault = { reason: 'busy', path: edits[0]?.path ?? '', what: 'git changes the files' }
  const kept = new Set<string>()
  /** A further try keeps no text again. */
  const keep = (path: string, text: Uint8Array): void => {
    const name = `${path}\0${contentHash(text)}`
    if (!kept.has(name)) deps.versions.keep(path, text, author)
    kept.add(name)
  }
  for (let tries = 0; tries < TRIES; tries++) {
    if (tries > 0) await sleep(RETRY_MS)
    if (deps.isGitBusy(performance.now())) continue
    const { value: files, fault } = await planEdits(deps, edits)
    if (fault !== null) {
      // Git deletes a file before it writes it anew, and may have done so between the check and the reading.
      if (fault.reason === 'changed' && fault.version === null && tries === 0) continue
      return failed(fault.reason === 'changed' && last.reason === 'swapped' ? last : fault)
    }
    const changed = files.filter(({ before, after }) => before !== after)
    const judged = new Map<string, MenuFile | null>()
    const pause = createPause()
    for (const { path, after } of changed) {
      judged.set(path, after && deps.store.judge(after))
      await pause()
    }
    let problems = problemsOf(deps, judged)
    if (problems.some(isError)) return failed({ reason: 'invalid', problems })
    if (isDry || changed.length === 0) return done({ files, problems, commit: null })
    const commit = deps.toCommit(changed, author)
    let left: PublishFault | null = { reason: 'busy', path: last.path, what: 'the service is stopping' }
    // Whatever happens: what is on the disk is what is served.
    await deps.store.takeOver(judged, async () => {
      // Another file may have got the same code and context by now; nothing else is written during this.
      problems = problemsOf(deps, judged)
      const isInvalid = problems.some(isError)
      left = isInvalid ? { reason: 'invalid', problems } : await writeAll(deps, changed, keep)
    })
    if (left === null) return done({ files, problems, commit: await commit() })
    if (left.reason !== 'busy' && left.reason !== 'swapped') return failed(left)
    if (last.reason !== 'swapped') last = left
  }
  return failed(last)
}

/** The problems of changed files, and those that they cause in others, as `lint` judges them. */
function problemsOf({ store, rules }: PublisherDeps, judged: JudgedFiles): readonly Problem[] {
  if (judged.size === 0) return []
  const { problems } = store.snapshotWith(judged)
  const concerned = problems.filter(
    ({ path, related }) => judged.has(path) || (related !== null && judged.has(related)),
  )
  return judgeByRules(concerned, rules)
}

/** Writes files one after the other; when one cannot be written, those before get their texts back. Null when all were. */
async function writeAll(
  { root, log }: PublisherDeps,
  changed: readonly Published[],
  keep: (path: string, text: Uint8Array) => void,
): Promise<PublishFault | null> {
  const written: Published[] = []
  const pause = createPause()
  for (const each of changed) {
    const { path, before } = each
    try {
      if (before !== null) keep(path, before.bytes)
      if (!writeOne(root, each)) throw new FileBusyError('it keeps changing')
      written.push(each)
      await pause()
    } catch (thrown) {
      for (const { path: other, before: after, after: now } of written.toReversed())
        takeBack(root, { path: other, before: now, after }, log)
      return toFault(path, thrown)
    }
  }
  return null
}

/** Whether the file was still as it had been. */
function writeOne(root: string, { path, before, after }: Published): boolean {
  if (before === null) {
    if (after !== null) writeNewFile(root, path, after.bytes)
    return true
  }
  const version = contentHash(before.bytes)
  return after === null ? removeFile(root, path, version) : replaceFile(root, path, version, after.bytes)
}

function takeBack(root: string, back: Published, log: Log): void {
  try {
    if (!writeOne(root, back)) log.warn('publish_not_undone', { path: back.path })
  } catch (thrown) {
    log.error('publish_not_undone', { path: back.path, reason: toReason(thrown) })
  }
}
