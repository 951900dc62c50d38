import fc from 'fast-check'
import type { Json, JsonMap } from '../../../src/model/json.js'

/** A menu as names in lists: what the laws of actions are judged by. */
export interface Named {
  readonly name: string
  readonly below: readonly Named[]
}

/** Trees whose dividers are called `-0`, `-1` and so on, and all others `0`, `1` and so on. */
export const trees: fc.Arbitrary<readonly Named[]> = fc
  .array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 4 })), { maxLength: 9 })
  .map((wishes) => {
    const top: Mutable[] = []
    const open: Mutable[] = []
    for (const [place, [where, kind]] of wishes.entries()) {
      const item: Mutable = { name: kind === 0 ? `-${place}` : `${place}`, below: [] }
      const parents = [null, ...open]
      const parent = parents[where % parents.length] ?? null
      ;(parent?.below ?? top).push(item)
      if (kind !== 0) open.push(item)
    }
    return top
  })

interface Mutable {
  name: string
  below: Mutable[]
}

/** The value of a menu with these items. */
export function toMenu(tree: readonly Named[]): JsonMap {
  const toItem = ({ name, below }: Named): JsonMap => ({
    ...(name.startsWith('-') ? { type: 'divider', 'x-name': name } : { label: name, url: '/' }),
    ...(below.length > 0 && { children: below.map(toItem) }),
  })
  return { version: 1, items: tree.map(toItem) }
}

/** The names in the value of a menu. */
export function toTree(value: Json): readonly Named[] {
  const read = (list: Json | undefined): Named[] =>
    ((list ?? []) as readonly JsonMap[]).map((item) => ({
      name: String(item['label'] ?? item['x-name']),
      below: read(item['children']),
    }))
  return read((value as JsonMap)['items'])
}

/** Every name of a tree, in reading order. */
export function namesIn(tree: readonly Named[]): string[] {
  return tree.flatMap(({ name, below }) => [name, ...namesIn(below)])
}

/** The list that holds a name, and whose it is; null for the top. */
export function homeOf(
  tree: readonly Named[],
  name: string,
  parent: Named | null = null,
): { readonly list: readonly Named[]; readonly parent: Named | null } | null {
  if (tree.some((each) => each.name === name)) return { list: tree, parent }
  for (const each of tree) {
    const found = homeOf(each.below, name, each)
    if (found !== null) return found
  }
  return null
}

/** The tree with the branch of a name taken out. */
export function withoutName(tree: readonly Named[], name: string): readonly Named[] {
  return tree
    .filter((each) => each.name !== name)
    .map((each) => ({ ...each, below: withoutName(each.below, name) }))
}

/** The tree with a branch put into the list of a parent; null for the top. */
export function withPut(
  tree: readonly Named[],
  parent: string | null,
  place: number,
  branch: Named,
): readonly Named[] {
  if (parent === null) return tree.toSpliced(place, 0, branch)
  return tree.map((each) => ({
    ...each,
    below:
      each.name === parent
        ? each.below.toSpliced(place, 0, branch)
        : withPut(each.below, parent, place, branch),
  }))
}
