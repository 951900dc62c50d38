import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Limits } from '../../model/limits.js'
import { done, failed, type Result } from '../../model/result.js'
import { type Log, toReason } from '../../service/log.js'
import {
  type DraftFiles,
  filesIn,
  install,
  putAside,
  readForeign,
  stage,
  versionIn,
} from '../drafts/draft-copy.js'
import { isName, listFolder, removeFolder } from '../drafts/draft-folder.js'
import { mergeDrafts } from '../drafts/merge-drafts.js'
import type { DraftReader } from '../drafts/read-draft.js'
import { commitDrafts, fetchDraftRefs, MARK, readDrafts, toDraftRef } from './draft-refs.js'
import type { KnownRef, KnownRefs } from './known-refs.js'
import type { PushOutcome, RefUpdate } from './push.js'
import type { Remote } from './remote.js'

export interface DraftMirrorDeps {
  readonly remote: Remote
  /** The folder of the drafts. */
  readonly folder: string
  readonly known: KnownRefs
  readonly reader: DraftReader
  readonly limits: Limits
  /** Whether a path can be that of a menu file. */
  readonly isMenu: (path: string) => boolean
  readonly log: Log
}

/**
 * The drafts of a service and those in its remote, brought together. A draft that changed on one side is replaced on the other;
 * one that changed on both is merged. One call at a time.
 */
export interface DraftMirror {
  /** Takes over what others pushed; whether a draft here has changed. The fault says why the remote cannot be read. */
  readonly pull: () => Promise<Result<boolean, string>>
  /** Pushes drafts by their names, as far as they have changed; the fault says why the remote does not have them. */
  readonly push: (names: readonly string[]) => Promise<Result<null, string>>
  /** The drafts that the remote may not have as they are. */
  readonly waiting: Set<string>
}

/** Drafts in one push: the names are arguments, which systems limit. */
const MAX_PUSH = 100
/** Tries to push a draft while others push it. */
const TRIES = 5

export function createDraftMirror(deps: DraftMirrorDeps): DraftMirror {
  const { remote, folder, known, reader, limits, isMenu, log } = deps
  const placeOf = (name: string): string => join(folder, name)
  const waiting = new Set([...listFolder(folder).filter(isName), ...known.all.keys()])
  /** Refs that hold no draft that this version can read: they are left alone. */
  const ignored = new Map<string, string>()
  /** What was pushed last: where the connection broke, the remote may have it. */
  const tried = new Map<string, KnownRef>()
  let hasMark = false

  /** Brings a draft of the remote together with the one here; whether that changed. */
  const bring = (name: string, commit: string, files: DraftFiles | null): boolean => {
    const place = placeOf(name)
    const staged = files && stage(folder, name, files)
    const theirs = staged === null ? null : readForeign(reader, name, staged, limits)
    if (staged === null || theirs === null || !isMenu(theirs.draft.path)) {
      if (staged !== null) rmSync(staged, { recursive: true, force: true })
      ignored.set(name, commit)
      log.warn('draft_ref_ignored', { ref: toDraftRef(name), commit })
      return false
    }
    ignored.delete(name)
    const version = versionIn(staged) ?? ''
    const own = versionIn(place)
    const isUnchanged = own === null || own === version || own === known.all.get(name)?.version
    const outcome = isUnchanged
      ? 'behind'
      : mergeDrafts(reader, name, { mine: place, theirs: staged }, Date.now())
    const kept = outcome === 'apart' ? putAside(folder, name) : null
    const { user, path: file } = theirs.draft
    if (outcome !== 'behind' && outcome !== 'ahead')
      log.warn('draft_merged', { user, file, contradicts: outcome !== 'merged', kept })
    if (outcome === 'ahead' || own === version) rmSync(staged, { recursive: true, force: true })
    else install(folder, name, staged)
    known.all.set(name, { commit, version })
    const now = versionIn(place)
    if (now !== version) waiting.add(name)
    return now !== own
  }

  /** A draft that the remote no longer has was published or discarded elsewhere; whether it goes here, too. */
  const drop = (name: string): boolean => {
    const own = versionIn(placeOf(name))
    const isUnchanged = own === known.all.get(name)?.version
    known.all.delete(name)
    if (own !== null && isUnchanged) removeFolder(folder, name)
    else waiting.add(name)
    return own !== null && isUnchanged
  }

  const forget = (name: string): void => {
    ignored.delete(name)
    known.all.delete(name)
    waiting.add(name)
  }

  const pull: DraftMirror['pull'] = async () => {
    try {
      const { value: refs, fault } = await fetchDraftRefs(remote)
      if (fault !== null) return failed(fault)
      hasMark = refs.isKnown
      if (!hasMark && known.all.size > 0) {
        // The repository was created again, which discards no draft.
        for (const name of known.all.keys()) forget(name)
      }
      for (const [name, last] of tried) if (refs.commits.get(name) === last.commit) known.all.set(name, last)
      const changed = [...refs.commits].filter(
        ([name, commit]) => known.all.get(name)?.commit !== commit && ignored.get(name) !== commit,
      )
      // Deleting a ref that is not a draft does not discard the draft with that name.
      for (const name of ignored.keys()) if (!refs.commits.has(name)) forget(name)
      const gone = [...known.all.keys()].filter((name) => !refs.commits.has(name))
      let isChanged = false
      const contents = readDrafts(
        remote,
        changed.map(([, commit]) => commit),
      )
      for (const [name, commit] of changed) {
        const { value: files = null } = await contents.next()
        isChanged = bring(name, commit, files) || isChanged
      }
      for (const name of gone) isChanged = drop(name) || isChanged
      if (changed.length + gone.length + tried.size > 0) known.save()
      tried.clear()
      return done(isChanged)
    } catch (thrown) {
      return failed(toReason(thrown))
    }
  }

  /** Pushes a few drafts; null where all of them are there. */
  const pushOnce = async (names: readonly string[]): Promise<PushOutcome | null> => {
    const wanted = names.flatMap((name) => {
      const version = versionIn(placeOf(name))
      const last = known.all.get(name)
      if (version === (last?.version ?? null) || ignored.has(name)) return []
      return [
        {
          name,
          version,
          files: version === null ? null : filesIn(placeOf(name)),
          last: last?.commit ?? null,
        },
      ]
    })
    if (wanted.length === 0) return null
    if (!hasMark) wanted.push({ name: MARK, version: null, files: new Map(), last: null })
    const made = wanted.flatMap(({ name, files }) => (files === null ? [] : [[name, files] as const]))
    const commits = await commitDrafts(remote, new Map(made))
    for (const { name, version } of wanted) {
      const commit = commits.get(name)
      if (commit !== undefined && version !== null) tried.set(name, { commit, version })
      else tried.delete(name)
    }
    const outcome = await remote.push(
      wanted.map(({ name, last: expected }): RefUpdate => {
        return { ref: toDraftRef(name), commit: commits.get(name) ?? null, expected }
      }),
    )
    if (outcome.kind !== 'pushed') return outcome
    hasMark = true
    for (const { name } of wanted) {
      const last = tried.get(name)
      if (last === undefined) known.all.delete(name)
      else known.all.set(name, last)
      tried.delete(name)
    }
    known.save()
    return outcome
  }

  const push: DraftMirror['push'] = async (names) => {
    for (const name of names) waiting.delete(name)
    const refuse = (reason: string): Result<null, string> => {
      for (const name of names) waiting.add(name)
      return failed(reason)
    }
    try {
      for (let from = 0; from < names.length; from += MAX_PUSH) {
        const some = names.slice(from, from + MAX_PUSH)
        for (let tries = 1; ; tries++) {
          const outcome = await pushOnce(some)
          if (outcome === null || outcome.kind === 'pushed') break
          if ('reason' in outcome) return refuse(outcome.reason)
          const { fault } = await pull()
          if (fault !== null) return refuse(fault)
          if (tries === TRIES) return refuse('others push the same drafts all the time')
        }
      }
      return done(null)
    } catch (thrown) {
      return refuse(toReason(thrown))
    }
  }
  return { pull, push, waiting }
}
