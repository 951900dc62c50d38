import { act, findItem } from '../../change/actions/action.js'
import { takeOut } from '../../change/actions/places.js'
import { refuse } from '../../change/actions/refusal.js'
import { withFreeIds } from '../../change/branch.js'
import type { Items, PlacedItem } from '../../change/items.js'
import { writeChange } from '../../document/edit/write-change.js'
import { done, failed, type Result } from '../../model/result.js'
import type { Source } from '../../store/drafts/next.js'
import type { EditedMenu } from './edited-menu.js'
import { type Step, type StepFault, takeStep } from './steps.js'
import type { Workspace } from './workspace.js'

/** A branch in a menu that somebody was shown in a state; no item where it is gone. */
export interface TransferredItem {
  readonly menu: EditedMenu
  readonly item: PlacedItem | null
  readonly state: string
}

/** A position under a parent, in another menu that was shown in a state. */
export interface TransferPlace {
  readonly menu: EditedMenu
  readonly parent: string
  /** From 0. */
  readonly position: number
  readonly state: string
}

/**
 * Moves or copies an item, with all below it, to the draft of another menu. First it is there, then it is gone here, so that
 * nothing is lost whatever happens between.
 */
export function transferItem(
  workspace: Workspace,
  user: string,
  from: TransferredItem,
  to: TransferPlace,
  { wish, isMove }: { readonly wish: string; readonly isMove: boolean },
): Result<Step, StepFault> {
  const { item } = from
  const { items } = to.menu
  // One of both has changed: nothing is done, unless the other one has changed by this very form.
  if (from.state !== from.menu.state && to.state === to.menu.state) return failed('stale')
  const added = takeStep(
    workspace,
    user,
    to.menu,
    { state: to.state, wish },
    () => {
      if (item === null) return refuse('gone')
      const { pointer, where } = besideOf(items, to.parent, to.position)
      const action = { kind: 'add', where, item: withFreeIds(item, items) } as const
      return act(items, pointer, action, workspace.config.options.limits)
    },
    ({ pointer }) => (item === null || pointer === null ? undefined : sourceOf(from.menu, item, pointer)),
  )
  if (added.fault !== null || !isMove) return added
  const { fault } = takeStep(workspace, user, from.menu, { state: from.state, wish }, () =>
    item === null ? refuse('gone') : done(takeOut(item)),
  )
  return fault === null ? added : failed(fault)
}

/** The item that a new one is put beside, or inside, so that it gets a position under a parent. */
function besideOf(
  items: Items,
  parent: string,
  position: number,
): { readonly pointer: string; readonly where: 'before' | 'inside' } {
  const beside = findItem(items, parent)?.below[position]
  return beside === undefined
    ? { pointer: parent, where: 'inside' }
    : { pointer: beside.pointer, where: 'before' }
}

/** The text of a branch, for its form and its comments; undefined where its draft cannot be written into its file. */
function sourceOf({ base, change, draft }: EditedMenu, branch: PlacedItem, to: string): Source | undefined {
  const { value: written } = writeChange(base, change, draft?.texts)
  if (written === null) return undefined
  const below = (item: PlacedItem): readonly PlacedItem[] => [item, ...item.below.flatMap(below)]
  const pointers = below(branch).map(
    ({ pointer }) => [to + pointer.slice(branch.pointer.length), pointer] as const,
  )
  return { bytes: written.bytes, pointers: new Map(pointers) }
}
