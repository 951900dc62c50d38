import { parse } from 'yaml'
import type { Hub } from '../../support/hub.js'

/** What a commit changed: the label that each item got, by `FILE ID`, and null where the item went. */
export interface Step {
  readonly commit: string
  readonly author: string
  readonly changes: ReadonlyMap<string, string | null>
}

interface Item {
  readonly id: string
  readonly label: string
}

/**
 * The history of a branch from its first commit on, as the YAML library and `git` alone read it. Of a merge, what it changed
 * compared with its first parent.
 */
export function historyOf(hub: Hub, folder: string): readonly Step[] {
  const lines = hub.git('log', '--first-parent', '--reverse', '--format=%H%x09%an', 'main').split('\n')
  const labels = new Map<string, string>()
  const known = new Map<string, ReadonlyMap<string, string>>()
  return lines.map((line) => {
    const [commit = '', author = ''] = line.split('\t')
    const now = labelsAt(hub, commit, folder, known)
    const changes = new Map<string, string | null>()
    for (const [name, label] of now) if (labels.get(name) !== label) changes.set(name, label)
    for (const name of labels.keys()) if (!now.has(name)) changes.set(name, null)
    labels.clear()
    for (const [name, label] of now) labels.set(name, label)
    return { commit, author, changes }
  })
}

function labelsAt(
  hub: Hub,
  commit: string,
  folder: string,
  known: Map<string, ReadonlyMap<string, string>>,
): ReadonlyMap<string, string> {
  const listed = hub.git('ls-tree', '-r', commit, '--', folder).split('\n')
  const all = listed.flatMap((line): readonly (readonly [string, string])[] => {
    const [, blob = '', path = ''] = /^\d+ blob (\w+)\t(.*)$/.exec(line) ?? []
    if (path === '') return []
    let items = known.get(blob)
    if (items === undefined) {
      const value = parse(hub.git('cat-file', 'blob', blob)) as { readonly items: readonly Item[] }
      const ids = value.items.map(({ id }) => id)
      if (new Set(ids).size !== ids.length) throw new Error(`${path} of ${commit} has an item twice`)
      items = new Map(value.items.map(({ id, label }) => [id, label]))
      known.set(blob, items)
    }
    return Array.from(items, ([id, label]) => [`${path} ${id}`, label] as const)
  })
  return new Map(all)
}
