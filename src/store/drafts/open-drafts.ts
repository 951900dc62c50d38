import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Change, changeInPlace } from '../../change/change.js'
import type { Operation, OperationFault } from '../../change/operations/operation.js'
import { readDocument } from '../../document/menu-document.js'
import type { JsonMap } from '../../model/json.js'
import type { Limits } from '../../model/limits.js'
import { done, failed, type Result } from '../../model/result.js'
import { appendLine } from '../append-line.js'
import { isGone, toSignature } from '../entry.js'
import { contentHash } from '../hash.js'
import type { ReadDocument } from '../known-documents.js'
import { type At, besideFile, putNewFile } from '../publish/atomic-file.js'
import {
  copyFolder,
  createFolder,
  folderName,
  isName,
  listFolder,
  nameOf,
  removeFolder,
  removeLeft,
  type StepText,
} from './draft-folder.js'
import { JOURNAL, MAX_ENTRIES, MAX_JOURNAL, newHead } from './journal.js'
import { type Beyond, type Next, type Stand, withBase, withEdit } from './next.js'
import { createDraftReader, type Draft, type Loaded } from './read-draft.js'
import { asideOf, baseName, FIRST_BASE, moved, NO_STEPS, type Steps, toOrigins, withStep } from './steps.js'

/** Why a draft was left as it was. */
export type DraftFault =
  | { readonly reason: 'gone' }
  /** It has another revision: some other tab, or an earlier try of the same request, changed it. */
  | { readonly reason: 'changed'; readonly draft: Draft }
  | { readonly reason: 'impossible'; readonly fault: OperationFault }
  | { readonly reason: 'nothing-to-undo' | 'nothing-to-redo' | 'too-large' | 'too-many' | 'unreadable' }
  | { readonly reason: 'read-only' }

/** Which draft is meant, and in which state. */
export interface DraftRef {
  readonly id: string
  readonly user: string
  /** The revision that the request was made for; null for any. */
  readonly revision: number | null
  /** Identifies the request: done once, however often it is sent. */
  readonly key?: string
  /** Whether nothing is to be kept, only answered what the draft would be. */
  readonly isDry?: boolean
}

export type Drafted = Result<Draft, DraftFault>

/** The drafts of all users, in a folder of their own. All of these throw file system errors and FileBusyError. */
export interface Drafts {
  /** All that can be read, the one that was changed last first. */
  readonly list: () => readonly Draft[]
  readonly read: (id: string, user: string) => Draft | null
  /** Starts the draft of a file by a user, or resumes it. That of a dry run is not kept, and its id finds nothing. */
  readonly open: (user: string, path: string, base: Uint8Array, isDry?: boolean) => Drafted
  readonly edit: (ref: DraftRef, operations: readonly Operation[], beyond?: Beyond) => Drafted
  readonly undo: (ref: DraftRef) => Drafted
  readonly redo: (ref: DraftRef) => Drafted
  /**
   * Puts a draft on another base, `theirs` in the change that it makes of that; `base` is the one before. Can be undone as a
   * step can.
   */
  readonly rebase: (ref: DraftRef, base: Uint8Array, change: Change) => Drafted
  /** The version of a draft that a merge of two replicas put aside; null where there is none to decide about. */
  readonly aside: (draft: Draft) => Stand | null
  /** Decides whether a draft becomes the version that was put aside, or stays as it is. Can be undone as a step can. */
  readonly settle: (ref: DraftRef, isOther: boolean) => Drafted
  readonly discard: (id: string, user: string) => void
  /** Makes the draft of a user another one's, with all its steps; where that one has a draft of the file, it goes. */
  readonly takeOver: (ref: Pick<DraftRef, 'id' | 'user' | 'revision'>, by: string) => Drafted
  /** Calls back with the name of each draft whose folder has changed, whose it is, and whether it has gone. */
  readonly onChange: (listener: (name: string, user: string, isGone: boolean) => void) => void
}

const MAX_DRAFTS = 1_000
/** Bytes of the steps of all drafts and of the texts that they brought, which are kept in memory. */
const MAX_JOURNALS = 67_108_864

/**
 * Opens the folder of drafts, and makes it where there is none.
 *
 * @param now the present, in milliseconds since 1970
 * @param read reads the texts that drafts start from; it may know them already
 */
export function openDrafts(
  folder: string,
  limits: Limits,
  now: () => number,
  read: ReadDocument = (path, bytes) => readDocument(path, bytes, limits),
): Drafts {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  removeLeft(folder)
  /** Drafts as they were last read, with the signatures of their journals: other processes write them, too. */
  const known = new Map<string, Loaded & { readonly signature: string }>()
  const listeners: Parameters<Drafts['onChange']>[0][] = []
  const note = (name: string, user: string, isGone = false): void => {
    for (const listener of listeners) listener(name, user, isGone)
  }

  const { makeOf, readDraft } = createDraftReader(limits, read)
  const load = (name: string): Loaded | null => {
    const place = join(folder, name)
    try {
      const signature = toSignature(statSync(join(place, JOURNAL)))
      const before = known.get(name)
      if (before?.signature === signature) return before
      const loaded = readDraft(name, place)
      if (loaded === null) known.delete(name)
      else known.set(name, { ...loaded, signature })
      return loaded
    } catch (thrown) {
      known.delete(name)
      if (isGone(thrown)) return null
      throw thrown
    }
  }
  const loadAll = (): Draft[] => {
    const names = new Set(listFolder(folder).filter(isName))
    // Another process discarded the rest.
    for (const name of known.keys()) if (!names.has(name)) known.delete(name)
    return [...names].flatMap((name) => {
      try {
        return load(name)?.draft ?? []
      } catch {
        // One draft that cannot be read hides no other.
        return []
      }
    })
  }
  /** One user's drafts get up to half of what the others leave, so that no one fills it all. */
  const isFull = (user: string, more: number): boolean => {
    let [own, others] = [more, 0]
    for (const { draft, size, texts } of known.values())
      if (draft.user === user) own += size + texts
      else others += size + texts
    return own > (MAX_JOURNALS - others) / 2
  }
  const discard = (id: string, user: string): void => {
    const name = nameOf(id)
    if (name === null || find(id, user) === null) return
    removeFolder(folder, name)
    known.delete(name)
    note(name, user, true)
  }
  const find = (id: string, user: string): Loaded | null => {
    const name = nameOf(id)
    const found = name === null ? null : load(name)
    return found?.draft.id === id && found.draft.user === user ? found : null
  }
  /** Adds an entry to a draft, if it is in the state that the request was made for. */
  const append = (ref: DraftRef, toNext: ToNext): Drafted => {
    const name = nameOf(ref.id)
    if (name === null || find(ref.id, ref.user) === null) return failed({ reason: 'gone' })
    const at = (entry: string): string => join(folder, name, entry)
    let result: Drafted = failed({ reason: 'gone' })
    besideFile(at, JOURNAL, () => {
      const found = find(ref.id, ref.user)
      if (found !== null) result = extend(found, at, ref, toNext)
      return false
    })
    return result
  }
  const extend = ({ draft, size, texts, keys }: Loaded, at: At, ref: DraftRef, toNext: ToNext): Drafted => {
    if (ref.key !== undefined && keys.has(ref.key)) return done(draft)
    if (ref.revision !== null && ref.revision !== draft.revision) return failed({ reason: 'changed', draft })
    const { value, fault } = toNext(draft, at('.'))
    if (fault !== null) return failed(fault)
    const { body, text = null, ...next } = value
    const entry = { at: now(), ...(ref.key !== undefined && { key: ref.key }), ...body }
    const line = JSON.stringify(entry)
    const more = Buffer.byteLength(line) + 1
    if (size + more > MAX_JOURNAL || draft.revision >= MAX_ENTRIES) return failed({ reason: 'too-large' })
    const brought = text === null || existsSync(at(text.name)) ? 0 : text.bytes.length
    // Another process may have discarded some.
    if (isFull(draft.user, more + brought) && loadAll() && isFull(draft.user, more + brought))
      return failed({ reason: 'too-many' })
    const made = { ...draft, ...next, changed: entry.at, revision: draft.revision + 1 }
    if (ref.isDry) return done(made)
    if (text !== null && brought > 0) putNewFile(at, text.name, { text: text.bytes, mode: 0o600 })
    known.set(nameOf(draft.id) ?? '', {
      draft: made,
      size: appendLine(at(JOURNAL), line),
      texts: texts + brought,
      keys: ref.key === undefined ? keys : new Set([...keys, ref.key]),
      signature: toSignature(statSync(at(JOURNAL))),
    })
    note(nameOf(draft.id) ?? '', draft.user)
    return done(made)
  }
  const asideIn = (place: string, path: string, all: Steps): Stand | null => {
    const steps = asideOf(all)
    const made = steps && makeOf(place, path, steps)
    return made && { steps, ...made }
  }
  const step = (by: -1 | 1) => (ref: DraftRef) =>
    append(ref, ({ path, steps: before }, place) => {
      const steps = moved(before, by)
      if (steps === null) return failed({ reason: by < 0 ? 'nothing-to-undo' : 'nothing-to-redo' })
      const made = makeOf(place, path, steps)
      if (made === null) return failed({ reason: 'unreadable' })
      return done({ body: { kind: by < 0 ? 'undo' : 'redo' }, steps, ...made })
    })

  return {
    list: () => loadAll().sort((a, b) => b.changed - a.changed),
    read: (id, user) => find(id, user)?.draft ?? null,
    open: (user, path, base, isDry = false) => {
      const name = folderName(user, path)
      // One of a user whose name was kept in another case is in another folder.
      const found = load(name)?.draft ?? loadAll().find((each) => each.user === user && each.path === path)
      if (found !== undefined) return done(found)
      const head = newHead(user, path, now())
      if (isDry) {
        const document = read(path, base)
        const { created: changed, nonce } = head
        const change = changeInPlace(document.value ?? {})
        const own = { ...{ id: `${name}${nonce}`, user, path }, created: changed, changed, revision: 0 }
        return done({ ...own, base: document, change, texts: {}, steps: NO_STEPS, takenFrom: null })
      }
      // What cannot be read is kept for people, out of the way of a new draft.
      const unread = join(folder, `unread-${name}-${randomBytes(4).toString('hex')}`)
      if (existsSync(join(folder, name))) renameSync(join(folder, name), unread)
      if (readdirSync(folder).length >= MAX_DRAFTS) return failed({ reason: 'too-many' })
      createFolder(folder, name, head, base)
      note(name, user)
      const made = load(name)
      return made === null ? failed({ reason: 'unreadable' }) : done(made.draft)
    },
    edit: (ref, operations, { source, ...more } = {}) =>
      append(ref, (draft) => {
        const text = source && { ...source, name: `from-${contentHash(source.bytes)}` }
        const beyond = text ? { ...more, source: text } : more
        const next = withEdit(draft, operations, beyond, { limits, read })
        return next.fault === null ? done({ ...next.value, text: text ?? null }) : next
      }),
    undo: step(-1),
    redo: step(1),
    rebase: (ref, bytes, change) =>
      append(ref, (draft) => {
        const text = { name: `${FIRST_BASE}-${draft.revision}-${randomBytes(4).toString('hex')}`, bytes }
        const next = withBase(draft, change, text, { limits, read })
        return next.fault === null ? done({ ...next.value, text }) : next
      }),
    aside: ({ id, path, steps }) => asideIn(join(folder, nameOf(id) ?? ''), path, steps),
    settle: (ref, isOther) =>
      append(ref, (draft, place) => {
        const other = asideIn(place, draft.path, draft.steps)
        if (other === null) return failed({ reason: 'gone' })
        const { change, steps } = isOther ? other : draft
        const { value, origins } = change
        const body = { kind: 'rebase', base: baseName(steps), value: value as JsonMap } as const
        const step = { ...body, origins: toOrigins(origins), aside: false }
        const after = withStep(draft.steps, step)
        const made = makeOf(place, draft.path, after)
        return made === null ? failed({ reason: 'unreadable' }) : done({ body: step, steps: after, ...made })
      }),
    discard,
    takeOver: ({ id, user, revision }, by) => {
      const draft = find(id, user)?.draft
      if (draft === undefined) return failed({ reason: 'gone' })
      if (draft.revision !== revision) return failed({ reason: 'changed', draft })
      const { path, created } = draft
      const own = loadAll().find((each) => each.user === by && each.path === path)
      if (own !== undefined) discard(own.id, by)
      const name = folderName(by, path)
      copyFolder(folder, nameOf(id) ?? '', name, { ...newHead(by, path, created), takenFrom: user })
      note(name, by)
      discard(id, user)
      const taken = load(name)
      return taken === null ? failed({ reason: 'unreadable' }) : done(taken.draft)
    },
    onChange: (listener) => void listeners.push(listener),
  }
}

/** What a request makes of a draft, whose files are in a folder. */
type ToNext = (draft: Draft, place: string) => Result<Next & { readonly text?: StepText | null }, DraftFault>
