import { toContextKey } from '../../model/context.js'
import type { Menu } from '../../model/menu.js'
import type { MenuFile } from '../../model/menu-file.js'
import type { Snapshot } from '../../model/snapshot.js'

/** The files of one menu in the two states; null where there is none. */
export interface FilePair {
  readonly before: MenuFile | null
  readonly after: MenuFile | null
}

/**
 * Which files of two states are the same menu: those with the same code and context, in the same place or, if served, in any
 * place; else those with the same path. A file that replaces another as the one served for a code and context is the same
 * menu. In the order of their paths, those of the later state first.
 */
export function pairFiles(before: Snapshot, after: Snapshot): readonly FilePair[] {
  const toBefore = new Map<string, MenuFile>()
  const open = new Map(before.files.map((file) => [file.path, file]))
  const pair = (old: MenuFile | undefined, now: MenuFile): void => {
    if (old === undefined || toBefore.has(now.path) || !open.delete(old.path)) return
    toBefore.set(now.path, old)
  }
  const byPath = new Map(before.files.map((file) => [file.path, file]))
  const served = new Map(
    before.files.flatMap((file) => {
      const menu = before.served.get(file.path)?.menu
      return menu === undefined ? [] : [[toKey(menu), file] as const]
    }),
  )
  for (const now of after.files) {
    const old = byPath.get(now.path)
    const isKept = before.served.has(now.path) === after.served.has(now.path)
    if (old?.menu != null && now.menu !== null && isKept && toKey(old.menu) === toKey(now.menu))
      pair(old, now)
  }
  for (const now of after.files) {
    const menu = after.served.get(now.path)?.menu
    if (menu !== undefined) pair(served.get(toKey(menu)), now)
  }
  for (const now of after.files) pair(byPath.get(now.path), now)
  const pairs: FilePair[] = after.files.map((now) => ({
    before: toBefore.get(now.path) ?? null,
    after: now,
  }))
  return [...pairs, ...[...open.values()].map((old) => ({ before: old, after: null }))]
}

function toKey({ code, context }: Menu): string {
  return `${code} ${toContextKey(context)}`
}
