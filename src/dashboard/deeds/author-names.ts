import { LRUCache } from 'lru-cache'
import { derived } from '../../model/derived.js'
import type { Operator } from '../access/operator.js'
import type { Workspace } from './workspace.js'

const MOST_NAMES = 1_000
const namesOf = derived((_: Workspace) => new LRUCache<string, string>({ max: MOST_NAMES }))

/** Remembers what an operator is called; drafts know only ids. */
export function noteName(workspace: Workspace, { id, author }: Operator): void {
  namesOf(workspace).set(id, author)
}

/** What the user of an id was called when they were last here; the id itself since the service was started anew. */
export function nameOfUser(workspace: Workspace, id: string): string {
  return namesOf(workspace).get(id) ?? id
}
