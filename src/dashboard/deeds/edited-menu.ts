import { changeInPlace } from '../../change/change.js'
import { type Items, readItems } from '../../change/items.js'
import type { MenuDocument } from '../../document/menu-document.js'
import { isList, isMap, type Json } from '../../model/json.js'
import type { Draft } from '../../store/drafts/read-draft.js'
import type { Made } from '../../store/drafts/steps.js'
import { contentHash } from '../../store/hash.js'
import type { Operator } from '../access/operator.js'
import { Refusal } from '../refusal.js'
import { countChanges, isSpent } from './draft-changes.js'
import { findDocument, findVersion, type Workspace } from './workspace.js'

/** A menu file as an operator edits it. */
export interface EditedMenu {
  readonly file: string
  /** The draft of the operator; null while nothing is changed. */
  readonly draft: Draft | null
  /** The file as it is on the disk; null where it is gone. */
  readonly disk: MenuDocument | null
  /** What the change starts from. */
  readonly base: MenuDocument
  readonly change: Made
  readonly items: Items
  /** Identifies the state that a page shows, so that its forms change nothing else. */
  readonly state: string
}

/** The drafts of a file by others that hold changes. */
export function draftsOfOthers({ drafts }: Workspace, file: string, user: string): readonly Draft[] {
  return drafts
    .list()
    .filter((draft) => draft.path === file && draft.user !== user && countChanges(draft) > 0)
}

/** The draft of a file by an operator that holds something; null for none. */
export function ownDraft({ drafts }: Workspace, file: string, user: string): Draft | null {
  const own = drafts.list().filter((draft) => draft.path === file && draft.user === user)
  return own.find((draft) => !isSpent(draft)) ?? null
}

/**
 * The menu of a file as an operator has it: their draft where it holds changes, else what is on the disk. A draft without
 * changes, whose file became another one, is of no use any more. A form without a draft is about the text that its page
 * showed, which its `state` names: what it changes is merged with the file when it is published.
 */
export function findEdited(
  workspace: Workspace,
  { id: user }: Pick<Operator, 'id'>,
  file: string,
  state: string = '',
): EditedMenu {
  const { value: found, fault } = findDocument(workspace, file)
  const own = workspace.drafts.list().find((draft) => draft.path === file && draft.user === user) ?? null
  const hasChanges = own !== null && own.steps.position > 0 && (found === null || !isSpent(own))
  // While git writes the file, its content is not known yet.
  const disk = fault?.code === 'busy' && hasChanges ? own.base : found
  const shown = hasChanges || !VERSION.test(state) ? null : findVersion(workspace, file, state)
  const draft = hasChanges || (own !== null && isSame(own.base, shown ?? disk)) ? own : null
  const base = draft?.base ?? shown ?? disk
  if (base === null || (fault?.code === 'busy' && !hasChanges)) throw new Refusal(fault ?? 'no-file')
  const change = draft?.change ?? changeInPlace(base.value ?? {})
  if (base.value === null || !isEditable(change.value)) throw new Refusal('broken-file')
  const items = readItems(change.value)
  const now = draft === null ? contentHash(base.bytes) : stateOf(draft)
  return { file, draft, disk, base, change, items, state: now }
}

/** The state that a page with this draft shows. */
export function stateOf({ id, revision }: Draft): string {
  return `${id}.${revision}`
}

/** A state that names a version of the file, not a draft. */
const VERSION = /^[\w-]+$/

/** Whether two documents have the same text. */
export function isSame(a: MenuDocument, b: MenuDocument | null): boolean {
  return b !== null && contentHash(a.bytes) === contentHash(b.bytes)
}

/** Whether a value has the form of a menu: items in lists, whatever else may be wrong with them. */
function isEditable(value: Json): boolean {
  const isItems = (list: Json | undefined): boolean =>
    list === undefined ||
    list === null ||
    (isList(list) && list.every((item) => isMap(item) && isItems(item['children'])))
  return isMap(value) && isItems(value['items'])
}
