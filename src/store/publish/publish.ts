import { setTimeout as sleep } from 'node:timers/promises'
import type { MenuDocument } from '../../document/menu-document.js'
import type { MenuFile } from '../../model/menu-file.js'
import { isError, type Problem } from '../../model/problem.js'
import { done, failed, type Result } from '../../model/result.js'
import type { Snapshot } from '../../model/snapshot.js'
import { type Log, toReason } from '../../service/log.js'
import { judgeByRules, type Rules } from '../../service/project-rules.js'
import { isGone } from '../entry.js'
import type { CommitOutcome } from '../git/commit.js'
import { contentHash } from '../hash.js'
import type { Edits } from '../menu-tree.js'
import { createPause, nextTurn } from '../pause.js'
import { readMenuBytes } from '../read-file.js'
import { createTurns } from '../turns.js'
import { FileBusyError } from './atomic-file.js'
import { type Edit, type MenusPlace, type Published, type PublishFault, planEdits, toFault } from './plan.js'
import {
  createPublishQueue,
  type Occasion,
  type Publication,
  type Publisher,
  type PublishRequest,
} from './queue.js'
import type { Versions } from './versions.js'
import { writeFile } from './write-file.js'

/** What a publisher needs of the menus that are served. */
export interface Judging {
  /** What is served of a document, and why not; what is known of this version is not judged again. */
  readonly judge: (document: MenuDocument) => MenuFile
  /** What would be served with some edits, and why. */
  readonly loadWith: (edits: Edits) => Promise<Snapshot>
  /**
   * Runs `write`, during which nothing is rescanned, so that its files are served together; then serves them as they are on
   * the disk, without waiting for them to settle. Versions that were judged are not parsed. Does nothing once closed.
   */
  readonly write: (edits: Edits, write: () => Promise<void>) => Promise<void>
}

export interface PublisherDeps extends MenusPlace {
  /** The project's severities. */
  readonly rules: Rules
  readonly store: Judging
  readonly versions: Versions
  /**
   * Prepares the commit of files that are about to be written; it is made by the function that is returned, which never
   * throws and returns null without git. `isOurs` returns whether a file still has the text that the last publish wrote.
   */
  readonly toCommit: (
    files: readonly Published[],
    author: string,
    occasion: Occasion,
  ) => Promise<(isOurs: (path: string) => boolean) => Promise<CommitOutcome | null>>
  /** Whether git is changing the work tree, or may be about to. */
  readonly isGitBusy: (now: number) => boolean
  readonly log: Log
}

/** Milliseconds between two tries to write what another process is writing. */
const RETRY_MS = 50
/** Tries until a file that keeps changing counts as busy: three seconds, more than git is waited for. */
const TRIES = 60

export function createPublisher(deps: PublisherDeps): Publisher {
  const inTurn = createTurns(1)
  /** The version that each file was given last; null for a deleted one. */
  const written = new Map<string, string | null>()
  const isOurs = (path: string): boolean => written.get(path) === versionNow(deps, path)

  return createPublishQueue(async (edits, request) => {
    const { value, fault } = await (request.isDry
      ? publishNow(deps, written, edits, request)
      : inTurn(() => publishNow(deps, written, edits, request)))
    if (fault !== null) return failed(fault)
    const { files, problems, commit } = value
    // The next publish does not wait for git, which may hang.
    return done({ files, problems, commit: commit === null ? null : await commit(isOurs) })
  })
}

/** What was written, or would be, with the commit that is still to be made. */
interface Written extends Pick<Publication, 'files' | 'problems'> {
  readonly commit: Awaited<ReturnType<PublisherDeps['toCommit']>> | null
}

async function publishNow(
  deps: PublisherDeps,
  written: Map<string, string | null>,
  wanted: readonly Edit[],
  { author, isDry = false, occasion }: PublishRequest,
): Promise<Result<Written, PublishFault>> {
  const gitBusy = { reason: 'busy', path: wanted[0]?.path ?? '', what: 'git changes the files' } as const
  let last: PublishFault = gitBusy
  let goneTries = 0
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
    await nextTurn()
    const { value: judged, fault } = await judgeEdits(deps, wanted)
    if (fault !== null) {
      // Git deletes a file before it writes it anew, and may have done so between the check and the reading.
      if (fault.reason === 'changed' && fault.version === null && goneTries++ === 0) continue
      return failed(fault.reason === 'changed' && last.reason === 'swapped' ? last : fault)
    }
    const { files, changed, edits } = judged
    let { problems } = judged
    if (isDry || changed.length === 0) return done({ files, problems, commit: null })
    const commit = await deps.toCommit(changed, author, occasion ?? judged.occasion)
    let left: PublishFault | null = { ...gitBusy, what: 'the service is stopping' }
    // Whatever happens: what is on the disk is what is served.
    await deps.store.write(edits, async () => {
      // Another file may have got the same code and context by now; nothing else is written during this.
      problems = await problemsOf(deps, edits)
      if (problems.some(isError)) left = { reason: 'invalid', problems, files }
      // Git may have begun while the edits were judged.
      else if (deps.isGitBusy(performance.now())) left = gitBusy
      else left = await writeAll(deps, written, changed, keep)
    })
    if (left === null) return done({ files, problems, commit })
    if (left.reason !== 'busy' && left.reason !== 'swapped') return failed(left)
    if (last.reason !== 'swapped') last = left
  }
  return failed(last)
}

/** What edits make of the files as they are now. */
export interface JudgedEdits extends Pick<Publication, 'files' | 'problems'> {
  /** Those that are not as before. */
  readonly changed: readonly Published[]
  readonly edits: Edits
  /** What led to them, where nobody says. */
  readonly occasion: Occasion
}

/** Plans edits, and judges them as `lint` does. Nothing can be written where there is a fault. */
export async function judgeEdits(
  deps: MenusPlace & Pick<PublisherDeps, 'store' | 'rules'>,
  wanted: readonly Edit[],
): Promise<Result<JudgedEdits, PublishFault>> {
  const { value: files, fault } = await planEdits(deps, wanted)
  if (fault !== null) return failed(fault)
  const changed = files.filter(({ before, after }) => before !== after)
  const edits = new Map(changed.map(({ path, after }) => [path, after]))
  const problems = await problemsOf(deps, edits)
  if (problems.some(isError)) return failed({ reason: 'invalid', problems, files })
  const isMerged = changed.some((file) => file.isMerged === true)
  return done({ files, changed, edits, problems, occasion: { kind: isMerged ? 'merge' : 'edit' } })
}

/** The problems of changed files, and those that they cause in others. */
async function problemsOf(
  { store, rules }: Pick<PublisherDeps, 'store' | 'rules'>,
  edits: Edits,
): Promise<readonly Problem[]> {
  if (edits.size === 0) return []
  const { problems } = await store.loadWith(edits)
  const concerned = problems.filter(
    ({ path, related }) => edits.has(path) || (related !== null && edits.has(related)),
  )
  return judgeByRules(concerned, rules)
}

/** Writes files one after the other; when one cannot be written, those before get their texts back. Null when all were. */
async function writeAll(
  { root, log }: PublisherDeps,
  written: Map<string, string | null>,
  changed: readonly Published[],
  keep: (path: string, text: Uint8Array) => void,
): Promise<PublishFault | null> {
  const done: Published[] = []
  const pause = createPause()
  for (const each of changed) {
    const { path, before } = each
    try {
      if (before !== null) keep(path, before.bytes)
      if (!writeOne(root, each)) throw new FileBusyError('it keeps changing')
      written.set(path, each.after && contentHash(each.after.bytes))
      done.push(each)
      await pause()
    } catch (thrown) {
      for (const { path: other, before: after, after: now } of done.toReversed())
        takeBack(root, { path: other, before: now, after }, log)
      return toFault(path, thrown)
    }
  }
  return null
}

/** The version of a file on the disk; null where there is none, undefined where it cannot be read. */
function versionNow(menus: MenusPlace, path: string): string | null | undefined {
  try {
    return contentHash(readMenuBytes(menus, path, menus.limits.bytes).bytes)
  } catch (thrown) {
    return isGone(thrown) ? null : undefined
  }
}

/** Whether the file was still as it had been. */
function writeOne(root: string, { path, before, after }: Published): boolean {
  try {
    return writeFile(root, path, before && contentHash(before.bytes), after?.bytes ?? null)
  } catch (thrown) {
    // It was deleted since it was read, perhaps by git, which then writes it anew.
    if (before !== null && isGone(thrown)) return false
    throw thrown
  }
}

function takeBack(root: string, back: Published, log: Log): void {
  try {
    if (!writeOne(root, back)) log.warn('publish_not_undone', { path: back.path })
  } catch (thrown) {
    log.error('publish_not_undone', { path: back.path, reason: toReason(thrown) })
  }
}
