import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type Problem, toProblem } from '../model/problem.js'
import type { MenuFile } from '../model/snapshot.js'
import { toReason } from '../service/log.js'
import { contentHash } from './hash.js'
import { readMenuBytes } from './read-file.js'
import { isGone, leadsOut, outside, type Scan, toSignature, unreadable } from './scan.js'

/** The signature of a file that is not there. */
const GONE = 'gone'
const REFUSED = 'refused'

export interface MenuFilesDeps {
  readonly root: string
  /** Bytes over which a file is not read. */
  readonly limit: number
  readonly parse: (path: string, bytes: Uint8Array) => MenuFile
  /** The file for one that is too large to be read. */
  readonly tooLarge: (path: string, size: number) => Problem
}

interface Known {
  readonly signature: string
  readonly file: MenuFile
}

/** What is known of the files of a folder, each as it was when it was taken over last. */
export interface MenuFiles {
  readonly all: () => IterableIterator<MenuFile>
  /** How each path differs from what is known: its new signature, or null when it does not. */
  readonly compare: (scan: Scan) => IterableIterator<readonly [path: string, signature: string | null]>
  /** The signature of one path now, or null when it is as known. */
  readonly look: (path: string) => string | null
  /** Reads a path and takes over what it says. False when nothing of it changed. */
  readonly takeOver: (path: string) => boolean
  /** Takes over what a scan refused to read, and forgets what it refuses no more. False when nothing changed. */
  readonly refuse: (scan: Scan) => boolean
  /** Forgets the signatures, so that the next look reads every file. */
  readonly distrust: () => void
}

export function createMenuFiles({ root, limit, parse, tooLarge }: MenuFilesDeps): MenuFiles {
  const known = new Map<string, Known>()
  const signatureOf = (path: string): string => {
    try {
      return leadsOut(root, path) ? REFUSED : toSignature(statSync(join(root, path)))
    } catch {
      return GONE
    }
  }
  const differs = (path: string, signature: string): string | null =>
    (known.get(path)?.signature ?? GONE) === signature ? null : signature

  const read = (path: string): Known | null => {
    const before = known.get(path)
    try {
      // A link may have taken the place of the file since the folder was listed.
      if (leadsOut(root, path)) return { signature: REFUSED, file: withheld(path, outside(path)) }
      const { bytes, signature, size } = readMenuBytes(join(root, path), limit)
      if (size > limit) return { signature, file: withheld(path, tooLarge(path, size)) }
      // Unchanged bytes keep the value, and with it everything that was derived from it.
      if (before?.file.version === contentHash(bytes)) return { signature, file: before.file }
      return { signature, file: parse(path, bytes) }
    } catch (thrown) {
      if (isGone(thrown)) return null
      return { signature: signatureOf(path), file: withheld(path, unreadable(path, thrown)) }
    }
  }

  return {
    all: function* () {
      for (const { file } of known.values()) yield file
    },
    compare: function* ({ signatures, refused }) {
      for (const [path, signature] of signatures) yield [path, differs(path, signature)]
      // What lies in a folder that cannot be listed is not gone.
      const closed = [...refused.keys()].map((path) => `${path}/`)
      for (const path of known.keys()) {
        if (signatures.has(path) || refused.has(path)) continue
        if (!closed.some((folder) => path.startsWith(folder))) yield [path, GONE]
      }
    },
    look: (path) => differs(path, signatureOf(path)),
    takeOver: (path) => {
      const before = known.get(path)
      const now = read(path)
      if (now === null) return known.delete(path)
      known.set(path, now)
      return before?.file !== now.file
    },
    refuse: ({ refused, signatures }) => {
      let changed = false
      for (const [path, { signature }] of known) {
        if (signature !== REFUSED || refused.has(path) || signatures.has(path)) continue
        known.delete(path)
        changed = true
      }
      for (const [path, problem] of refused) {
        const before = known.get(path)
        if (before?.signature === REFUSED && before.file.problems[0]?.what === problem.what) continue
        known.set(path, { signature: REFUSED, file: withheld(path, problem) })
        changed = true
      }
      return changed
    },
    distrust: () => {
      for (const [path, { signature, file }] of known) {
        if (signature !== REFUSED) known.set(path, { signature: '', file })
      }
    },
  }
}

function withheld(path: string, problem: Problem): MenuFile {
  return { path, version: '', menu: null, problems: [problem] }
}

/** The problem of a folder that cannot be listed. */
export function folderMissing(root: string, thrown: unknown): Problem {
  const isGone = (thrown as NodeJS.ErrnoException).code === 'ENOENT'
  const reason = isGone ? 'it does not exist' : toReason(thrown)
  return toProblem({
    code: 'folder-missing',
    path: '',
    what: `The menus folder ${root} cannot be read: ${reason}.`,
  })
}
