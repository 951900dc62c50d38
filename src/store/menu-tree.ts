import type { MenuDocument } from '../document/menu-document.js'
import type { Problem } from '../model/problem.js'

/** What a tree has at the path of a menu. */
export interface Entry {
  /** Equal versions in one kind of tree mean equal contents; `''` equals no other. */
  readonly version: string
  /** Whether a commit records its text here: no link to a folder is on the way, and it is no link that leads nowhere. */
  readonly isOwn: boolean
  /** Why it is not read; null where it can be. */
  readonly problem: Problem | null
}

/** What a file was found to hold: its bytes, or why they are not read; with the version under which it was read. */
export interface Content {
  readonly version: string
  readonly text: Uint8Array | Problem
}

/** A menus folder at a moment: the disk, a commit, or another tree with edits. */
export interface MenuTree {
  /** By path, relative to the menus folder, with `/`. A folder that cannot be listed is an entry with a problem. */
  readonly entries: ReadonlyMap<string, Entry>
  /** Reads files one after the other, in this order; null for one that is gone by now. */
  readonly read: (paths: Iterable<string>) => AsyncIterable<readonly [path: string, content: Content | null]>
}

/** A path with an unknown version, which has to be read. */
export const UNKNOWN: Entry = { version: '', isOwn: true, problem: null }

/** Another tree with some entries in place of its own; null takes one away. */
export function withEntries(tree: MenuTree, entries: Iterable<readonly [string, Entry | null]>): MenuTree {
  const all = new Map(tree.entries)
  for (const [path, entry] of entries) {
    if (entry === null) all.delete(path)
    else all.set(path, entry)
  }
  return { entries: all, read: tree.read }
}

/** The documents that some files become, by path; null is a file that ends. */
export type Edits = ReadonlyMap<string, MenuDocument | null>

/** Another tree with edits, which are read without being written. */
export function withEdits(tree: MenuTree, edits: Edits): MenuTree {
  const { entries } = withEntries(
    tree,
    Array.from(edits, ([path, document]) => [path, document && UNKNOWN]),
  )
  return {
    entries,
    read: async function* (paths) {
      for (const path of paths) {
        const document = edits.get(path)
        if (document === undefined) yield* tree.read([path])
        else yield [path, document && { version: '', text: document.bytes }]
      }
    },
  }
}

/** A tree without paths that only links to folders make, and without links that lead nowhere. */
export function withOwnTexts(tree: MenuTree): MenuTree {
  const own = [...tree.entries].filter(([, { isOwn }]) => isOwn)
  return { entries: new Map(own), read: tree.read }
}

/** The readable texts of a tree, one after the other. */
export async function* textsOf(
  tree: MenuTree,
  paths: Iterable<string> = tree.entries.keys(),
): AsyncGenerator<readonly [path: string, bytes: Uint8Array]> {
  for await (const [path, content] of tree.read(paths))
    if (content?.text instanceof Uint8Array) yield [path, content.text]
}
