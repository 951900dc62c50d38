import { realpathSync, statSync } from 'node:fs'
import type { Problem } from '../model/problem.js'
import { MAX_DEPTH, toUnread } from './entry.js'
import { type Listing, listFolder, toFoundFolder } from './listing.js'
import { createScanMemory, type ScanMemory } from './scan-memory.js'

/** What a scan of a menus folder found, without reading a file. */
export interface Scan extends Pick<Listing, 'signatures' | 'refused'> {
  /** The folders in which a menu can change: identity → real path. */
  readonly folders: Map<string, string>
}

/** Paths, through links, under which one folder is read: folders full of links to each other have millions. */
const MAX_PATHS = 16

/**
 * Scans a menus folder; yields what it has found now and then, so that a caller may let requests through. Skips names that
 * begin with a dot (editors' and Kubernetes' own) and those without the prefix. A folder that is remembered is not listed
 * again. Throws when the menus folder itself cannot be listed.
 */
export function* scanFolder(
  root: string,
  prefix: string,
  memory: ScanMemory = createScanMemory(),
): Generator<Scan> {
  const { recall, keep } = memory.begin()
  const realRoot = realpathSync.native(root)
  const top = toFoundFolder('', realRoot, statSync(realRoot))
  const scan: Scan = {
    signatures: new Map(),
    refused: new Map<string, Problem>(),
    folders: new Map([[top.identity, realRoot]]),
  }
  const refuse = (path: string, what: string, todo: string): void =>
    void scan.refused.set(path, toUnread(path, what, todo))
  // With the real paths of all folders on the way: a link to one of them would lead in circles.
  const pending = [{ folder: top, chain: [realRoot] }]
  const counts = new Map<string, number>()
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { folder, chain } = next
    let listing = recall(folder)
    if (listing === null) {
      const steps = listFolder(root, top, folder, prefix)
      let step = steps.next()
      for (; step.done !== true; step = steps.next()) yield scan
      listing = step.value
    }
    keep(folder, listing)
    for (const [path, signature] of listing.signatures) scan.signatures.set(path, signature)
    for (const [path, problem] of listing.refused) scan.refused.set(path, problem)
    for (const [identity, real] of listing.folders) scan.folders.set(identity, real)
    for (const below of listing.below) {
      if (chain.includes(below.real)) continue
      if (chain.length > MAX_DEPTH) {
        const what = `This folder lies more than ${MAX_DEPTH} folders deep and is not read.`
        refuse(below.path, what, 'Move it up, or out of the menus folder.')
        continue
      }
      const count = (counts.get(below.real) ?? 0) + 1
      counts.set(below.real, count)
      if (count <= MAX_PATHS) pending.push({ folder: below, chain: [...chain, below.real] })
      // Reported once: every further path would be, too.
      else if (count === MAX_PATHS + 1) {
        const what = `This folder is found under more than ${MAX_PATHS} paths, and is not read under this one.`
        refuse(below.path, what, 'Delete links that lead to it.')
      }
    }
    yield scan
  }
}
