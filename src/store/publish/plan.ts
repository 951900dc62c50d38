import type { Ask } from '../../change/merge/conflict.js'
import type { Merged } from '../../change/merge/merge.js'
import { writeChange } from '../../document/edit/write-change.js'
import { type MenuDocument, tooLarge } from '../../document/menu-document.js'
import { type BasedChange, mergeInto } from '../../document/merge/merge-into.js'
import type { Json } from '../../model/json.js'
import type { Limits } from '../../model/limits.js'
import type { Problem } from '../../model/problem.js'
import { done, failed, type Result } from '../../model/result.js'
import { toReason } from '../../service/log.js'
import { isGone } from '../entry.js'
import { contentHash } from '../hash.js'
import { FolderSwappedError, OutsideError } from '../inside.js'
import type { ReadDocument } from '../known-documents.js'
import { judgeMenuPath, LEADS_OUT, type MenusFolder } from '../menu-paths.js'
import { createPause } from '../pause.js'
import { readMenuBytes } from '../read-file.js'
import { FileBusyError } from './atomic-file.js'
import { judgeNewNames } from './new-file.js'

/** What is to become of one menu file. */
export type Edit =
  /** The change is merged with what the file has become since, unless that is excluded; `choose` decides conflicts. */
  | ({
      readonly kind: 'change'
      readonly path: string
      readonly isStrict?: boolean
      readonly choose?: Ask
    } & BasedChange)
  /** A text in place of this version; a version of null is a file that does not exist. A text of null deletes the file. */
  | {
      readonly kind: 'text'
      readonly path: string
      readonly version: string | null
      readonly text: string | null
    }

/** Why nothing was written. */
export type PublishFault =
  /** The file is not the one that the edit was made from; `version` is null where it is gone. */
  | { readonly reason: 'changed'; readonly path: string; readonly version: string | null }
  /** Both sides changed the same; `theirs` is the text on the disk. */
  | {
      readonly reason: 'conflict'
      readonly path: string
      readonly merged: Merged
      readonly base: MenuDocument
      readonly mine: Json
      readonly theirs: MenuDocument
    }
  /** `files` is what would have been written. */
  | {
      readonly reason: 'invalid'
      readonly problems: readonly Problem[]
      readonly files: readonly Published[]
    }
  /** This path cannot be a menu file. */
  | { readonly reason: 'bad-path'; readonly path: string; readonly what: string }
  /** This change cannot be written into the file; what says why. */
  | { readonly reason: 'uneditable'; readonly path: string; readonly what: string }
  | {
      /** The remote repository cannot be reached, or its host does not allow the push; what says why. */
      readonly reason: 'unreachable' | 'denied'
      readonly path: string
      readonly what: string
    }
  | {
      /** `overloaded`: too many publishes wait; nothing was tried. `swapped`: another folder took the place of the menus. */
      readonly reason: 'busy' | 'overloaded' | 'swapped' | 'read-only' | 'no-space' | 'failed'
      readonly path: string
      readonly what: string
    }

/** What was written, or would be. */
export interface Published {
  readonly path: string
  /** The text before; null for a new file. */
  readonly before: MenuDocument | null
  /** The text now; null for a deleted file. The same value as `before` where nothing changed. */
  readonly after: MenuDocument | null
  /** Whether the edit was made for another version, and is merged with this one. */
  readonly isMerged?: boolean
}

/** Where menus are, and which of its files are menus. */
export interface MenusPlace extends MenusFolder {
  readonly limits: Limits
  readonly read: ReadDocument
}

/** What the edits make of the files as they are now. */
export async function planEdits(
  place: MenusPlace,
  edits: readonly Edit[],
): Promise<Result<readonly Published[], PublishFault>> {
  const plan: Published[] = []
  const pause = createPause()
  for (const edit of edits) {
    const { path } = edit
    try {
      const what = judgeMenuPath(place, path)
      if (what !== null) return failed({ reason: 'bad-path', path, what })
      const { value: before, fault: unread } = readNow(place, edit)
      if (unread !== null) return failed(unread)
      await pause()
      const { value: after, fault } = toAfter(edit, before, place.read)
      if (fault !== null) return failed(fault)
      const odd = before === null ? judgeNewNames(path) : null
      if (odd !== null) return failed({ reason: 'bad-path', path, what: odd })
      const isSame = before !== null && after !== null && isSameText(after, before)
      const isMerged = edit.kind === 'change' && before !== null && !isSameText(edit.base, before)
      plan.push({ path, before, after: isSame ? before : after, isMerged })
      await pause()
    } catch (thrown) {
      return failed(toFault(path, thrown))
    }
  }
  return done(plan)
}

function isSameText(one: MenuDocument, other: MenuDocument): boolean {
  return one === other || contentHash(one.bytes) === contentHash(other.bytes)
}

/** The document of a file as it is now; null where there is none. Throws OutsideError, or file system errors. */
function readNow(place: MenusPlace, edit: Edit): Result<MenuDocument | null, PublishFault> {
  const { limits, read } = place
  const { path } = edit
  try {
    const { bytes, size } = readMenuBytes(place, path, limits.bytes)
    if (size > limits.bytes)
      return failed({ reason: 'uneditable', path, what: tooLarge(path, size, limits).what })
    // The base was read already.
    if (edit.kind === 'change' && edit.base.path === path && Buffer.from(edit.base.bytes).equals(bytes))
      return done(edit.base)
    return done(read(path, bytes))
  } catch (thrown) {
    if (isGone(thrown)) return done(null)
    throw thrown
  }
}

/** The document that an edit makes of a file; null where it deletes it. */
function toAfter(
  edit: Edit,
  before: MenuDocument | null,
  read: ReadDocument,
): Result<MenuDocument | null, PublishFault> {
  const { path } = edit
  const version = before === null ? null : contentHash(before.bytes)
  const changed: PublishFault = { reason: 'changed', path, version }
  if (edit.kind === 'text') {
    if (edit.version !== version) return failed(changed)
    return done(edit.text === null ? null : read(path, new TextEncoder().encode(edit.text)))
  }
  if (before === null) return failed(changed)
  const { value: after, fault: what } = writeEdit(edit, before)
  if (what === null) return done(after)
  return failed(typeof what === 'string' ? { reason: 'uneditable', path, what } : what)
}

/** A change written into a file as it is now; where that is not its base any more, both are merged. */
function writeEdit(
  { path, base, change, texts, choose, isStrict }: Edit & { readonly kind: 'change' },
  before: MenuDocument,
): Result<MenuDocument, PublishFault | string> {
  const version = contentHash(before.bytes)
  if (base === before || contentHash(base.bytes) === version) return writeChange(before, change, texts)
  if (isStrict) return failed({ reason: 'changed', path, version })
  const { merged, written } = mergeInto(before, { base, change, ...(texts && { texts }) }, choose)
  if (merged.conflicts.length > 0 && choose === undefined)
    return failed({ reason: 'conflict', path, merged, base, mine: change.value, theirs: before })
  return written
}

/** An error of the file system in words for people. */
export function toFault(path: string, thrown: unknown): PublishFault {
  const { code = '' } = thrown as NodeJS.ErrnoException
  const what = toReason(thrown)
  if (thrown instanceof FolderSwappedError) return { reason: 'swapped', path, what }
  // EEXIST: the file was created meanwhile; the next try says so.
  if (thrown instanceof FileBusyError || code === 'EEXIST') return { reason: 'busy', path, what }
  if (thrown instanceof OutsideError) return { reason: 'bad-path', path, what: LEADS_OUT }
  if (NO_SPACE.has(code)) return { reason: 'no-space', path, what }
  return { reason: READ_ONLY.has(code) ? 'read-only' : 'failed', path, what }
}

const NO_SPACE: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT'])
const READ_ONLY: ReadonlySet<string> = new Set(['EROFS', 'EACCES', 'EPERM'])
