import { type Change, changeInPlace } from '../../../change/change.js'
import { type Items, readItems } from '../../../change/items.js'
import type { MenuDocument } from '../../../document/menu-document.js'
import { isList, isMap, type Json } from '../../../model/json.js'
import { done, failed, type Result } from '../../../model/result.js'
import type { Draft } from '../../../store/drafts/open-drafts.js'
import { contentHash } from '../../../store/hash.js'
import type { HttpProblem } from '../../../web/problem-json.js'
import type { Operator } from '../../access/operator.js'
import { findVersion, needDocument } from '../../api/editing.js'
import { problemOf } from '../../api/faults.js'
import type { Shown } from '../shown.js'

/** A menu file as an operator edits it. */
export interface EditedMenu {
  readonly file: string
  /** The draft of the operator; null while nothing is changed. */
  readonly draft: Draft | null
  /** The file as it is on the disk; null where it is gone. */
  readonly disk: MenuDocument | null
  /** What the change starts from. */
  readonly base: MenuDocument
  readonly change: Change
  readonly items: Items
  /** Identifies the state that a page shows, so that its forms change nothing else. */
  readonly state: string
}

/** The drafts of a file by others that hold changes. */
export function draftsOfOthers({ editing }: Shown, file: string, user: string): readonly Draft[] {
  return editing.drafts
    .list()
    .filter((draft) => draft.path === file && draft.user !== user && draft.steps.position > 0)
}

/**
 * The menu of a file as an operator has it: their draft where it holds changes, else what is on the disk. A draft without
 * changes, whose file became another one, is of no use any more. A form without a draft is about the text that its page
 * showed, which its `state` names: what it changes is merged with the file when it is published.
 */
export function findEdited(
  { editing }: Pick<Shown, 'editing'>,
  { id: user }: Pick<Operator, 'id'>,
  file: string,
  state: string = '',
): Result<EditedMenu, HttpProblem> {
  const { value: found, fault } = needDocument(editing, file)
  const own = editing.drafts.list().find((draft) => draft.path === file && draft.user === user) ?? null
  const hasChanges = own !== null && own.steps.position > 0
  // While git writes the file, its content is not known yet.
  const disk = fault?.code === 'busy' && hasChanges ? own.base : found
  const shown = hasChanges || !VERSION.test(state) ? null : findVersion(editing, file, state)
  const draft = hasChanges || (own !== null && isSame(own.base, shown ?? disk)) ? own : null
  const base = draft?.base ?? shown ?? disk
  if (base === null || (fault?.code === 'busy' && !hasChanges)) return failed(fault ?? problemOf('no-file'))
  const change = draft?.change ?? changeInPlace(base.value ?? {})
  if (base.value === null || !isEditable(change.value)) return failed(UNREADABLE)
  const items = readItems(change.value)
  const now = draft === null ? contentHash(base.bytes) : `${draft.id}.${draft.revision}`
  return done({ file, draft, disk, base, change, items, state: now })
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

/** The fault of a file that can only be edited as a text. */
export const UNREADABLE: HttpProblem = problemOf('broken-file')
