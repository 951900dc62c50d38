import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MenuDocument } from '../../document/menu-document.js'
import type { Limits } from '../../model/limits.js'
import type { ReadDocument } from '../known-documents.js'
import { toUserKey } from '../user-names.js'
import { sizeOfTexts } from './draft-folder.js'
import { readJournal } from './journal.js'
import type { Stand } from './next.js'
import { baseName, type Steps, sideOf, textsOf, toChange } from './steps.js'

/** What a user has changed of a menu file and not published yet. */
export interface Draft extends Stand {
  readonly id: string
  readonly user: string
  /** The menu file, relative to the menus folder, with `/`. */
  readonly path: string
  /** Milliseconds since 1970. */
  readonly created: number
  readonly changed: number
  /** Grows with each step, undo and redo. */
  readonly revision: number
  /** Whose draft it was before it was taken over; null where it is still its first user's. */
  readonly takenFrom: string | null
}

/** A draft as its folder has it. */
export interface Loaded {
  readonly draft: Draft
  /** The bytes of its journal, and of the texts that its steps brought. */
  readonly size: number
  readonly texts: number
  /** The requests that were done. */
  readonly keys: ReadonlySet<string>
}

/** Reads the folders of drafts. Both throw file system errors. */
export interface DraftReader {
  /** What steps make of the text that they start from, in the folder of a draft; null where they do not apply. */
  readonly makeOf: (place: string, path: string, steps: Steps) => Omit<Stand, 'steps'> | null
  /** The draft of that name in a folder; null where it holds none. */
  readonly readDraft: (name: string, place: string) => Loaded | null
}

export function createDraftReader(limits: Limits, read: ReadDocument): DraftReader {
  const makeOf: DraftReader['makeOf'] = (place, path, steps) => {
    const readText = (name: string): MenuDocument => read(path, readFileSync(join(place, name)))
    const base = readText(baseName(steps))
    const { value: change } = toChange(steps, base.value ?? {}, limits)
    const texts = change && textsOf(change).map((name) => [sideOf(name), readText(name)] as const)
    return change && { base, change, texts: Object.fromEntries(texts ?? []) }
  }
  return {
    makeOf,
    readDraft: (name, place) => {
      const journal = readJournal(place)
      if (journal === null) return null
      const { head, entries, steps, size } = journal
      const { path, created, nonce, takenFrom = null } = head
      const made = makeOf(place, path, steps)
      if (made === null) return null
      const changed = entries.at(-1)?.at ?? created
      const draft = {
        ...{ id: `${name}${nonce}`, user: toUserKey(head.user), path, created, changed },
        ...{ revision: entries.length, takenFrom, steps, ...made },
      }
      return {
        draft,
        size,
        texts: sizeOfTexts(place),
        keys: new Set(entries.flatMap(({ key }) => key ?? [])),
      }
    },
  }
}
