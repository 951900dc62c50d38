import { type MenuDocument, readDocument } from '../../document/menu-document.js'
import { judgeDocument } from '../../document/parse.js'
import { claimOf } from '../../document/read/claim.js'
import { toContextKey } from '../../model/context.js'
import type { MenuFile } from '../../model/menu-file.js'
import type { Snapshot } from '../../model/snapshot.js'
import { contentHash } from '../hash.js'
import { type Loaded, load, NOTHING } from '../load.js'
import { type MenuTree, textsOf, withOwnTexts } from '../menu-tree.js'
import type { ReadOptions } from '../read-options.js'

/** A menus folder at one moment: what it serves, and its files by path. An unreadable file is absent. */
export interface MenuState {
  readonly snapshot: Snapshot
  readonly documents: ReadonlyMap<string, MenuDocument>
}

/** Two moments of a menus folder, where they differ; null where there is no such folder. */
export interface TwoStates {
  readonly before: MenuState | null
  readonly after: MenuState | null
  /** How many files are the same in both and were not read. The states have neither their menus nor their problems. */
  readonly unread: number
}

/** The paths at which two trees of one kind differ. */
export function differingPaths(before: MenuTree | null, after: MenuTree | null): ReadonlySet<string> {
  const versionIn = (tree: MenuTree | null, path: string): string | null =>
    tree?.entries.get(path)?.version ?? null
  const paths = [before, after].flatMap((tree) => [...(tree?.entries.keys() ?? [])])
  const isChanged = (path: string): boolean => {
    const version = versionIn(before, path)
    return version === '' || version !== versionIn(after, path)
  }
  return new Set(paths.filter(isChanged))
}

/** Loads a tree from nothing, with its documents. */
export async function loadState(
  tree: MenuTree,
  reading: ReadOptions,
  previous: Loaded = NOTHING,
): Promise<MenuState> {
  const documents = new Map<string, MenuDocument>()
  const parse = (path: string, bytes: Uint8Array): MenuFile => {
    const document = readDocument(path, bytes, reading.limits)
    documents.set(path, document)
    return judgeDocument(document, { ...reading, hash: contentHash })
  }
  const { snapshot } = await load(tree, previous, { parse, off: reading.vocabulary.off })
  return { snapshot, documents }
}

/**
 * Loads two trees of one kind where they differ. Files that are the same in both are not read, except where a menu came, went
 * or took another code or context, and where they may have `code`: then the files with the same code are found. Throws what
 * reading the trees throws.
 */
export async function compareTrees(
  old: MenuTree | null,
  now: MenuTree | null,
  { reading, code }: { readonly reading: ReadOptions; readonly code: string | null },
): Promise<TwoStates> {
  const [before, after] = [old && withOwnTexts(old), now && withOwnTexts(now)]
  const differing = differingPaths(before, after)
  const same = [...(after?.entries.keys() ?? [])].filter((path) => !differing.has(path))
  /** Loads a tree as if the files at some paths had been loaded before, and served nothing. */
  const loadOthers = async (tree: MenuTree | null, known: readonly string[]): Promise<MenuState | null> => {
    if (tree === null) return null
    const stubs = known.map((path) => {
      const version = tree.entries.get(path)?.version ?? ''
      return [path, { version, file: { path, version, menu: null, problems: [] } }] as const
    })
    return loadState(tree, reading, { ...NOTHING, files: new Map(stubs) })
  }
  const [first, second] = [await loadOthers(before, same), await loadOthers(after, same)]
  const codes = [...changedCodes(first, second), ...(code === null ? [] : [code])].filter(isServable)
  const wanted = codes.length === 0 || after === null ? new Set() : await mayHave(codes, after, same)
  if (wanted.size === 0) return { before: first, after: second, unread: same.length }
  const unread = same.filter((path) => !wanted.has(path))
  return {
    before: await loadOthers(before, unread),
    after: await loadOthers(after, unread),
    unread: unread.length,
  }
}

/**
 * The codes of the menus that only one side has, or has in another file: of several files with one code and context the
 * first is served, so a new name alone may change which one it is.
 */
function changedCodes(...sides: readonly (MenuState | null)[]): Iterable<string> {
  const codes = new Map<string, string>()
  for (const [path, document] of sides.flatMap((side) => [...(side?.documents ?? [])])) {
    const { code, context } = claimOf(document) ?? { code: null, context: null }
    const key = `${code} ${context === null ? '' : toContextKey(context)} ${path}`
    // What is on both sides is no change.
    if (code !== null && !codes.delete(key)) codes.set(key, code)
  }
  return codes.values()
}

/** Whether a menu can have a code. */
function isServable(code: string): boolean {
  return /^[\w.-]{1,64}$/.test(code)
}

/** The files that may have one of the codes; any file over the size limit may. */
async function mayHave(
  codes: readonly string[],
  tree: MenuTree,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  // With escapes, a quoted text can spell any code.
  const marks = [...codes, '\\']
  const found = new Set(paths)
  for await (const [path, bytes] of textsOf(tree, paths))
    if (!marks.some((mark) => Buffer.from(bytes).includes(mark))) found.delete(path)
  return found
}
