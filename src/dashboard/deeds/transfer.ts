import { findItem, insert } from '../../change/actions/action.js'
import { listOf, takeOut } from '../../change/actions/places.js'
import { refuse } from '../../change/actions/refusal.js'
import { withFreeIds } from '../../change/branch.js'
import type { PlacedItem } from '../../change/items.js'
import { writeChange } from '../../document/edit/write-change.js'
import { done, failed, type Result } from '../../model/result.js'
import type { Beyond } from '../../store/drafts/next.js'
import { contentHash } from '../../store/hash.js'
import type { EditedMenu } from './edited-menu.js'
import { type Step, type StepFault, takeStep } from './steps.js'
import type { Workspace } from './workspace.js'

/** Branches in a menu that somebody was shown in a state, in reading order; none where they are gone. */
export interface TransferredItems {
  readonly menu: EditedMenu
  readonly chosen: readonly PlacedItem[]
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
 * Moves or copies items, with all below them, to the draft of another menu. First they are there, then they are gone here, so
 * that nothing is lost whatever happens between.
 */
export function transferItems(
  workspace: Workspace,
  user: string,
  from: TransferredItems,
  to: TransferPlace,
  { wish, isMove }: { readonly wish: string; readonly isMove: boolean },
): Result<Step, StepFault> {
  const { chosen } = from
  const { items } = to.menu
  // One of both has changed: nothing is done, unless the other one has changed by this very form.
  if (from.state !== from.menu.state && to.state === to.menu.state) return failed('stale')
  // The same for a form that is sent twice.
  const id = contentHash(`${from.state} ${to.state} ${wish}`)
  const toOther = (file: string): Beyond => (isMove ? { transfer: { file, id } } : {})
  const added = takeStep(
    workspace,
    user,
    to.menu,
    { state: to.state, wish },
    () => {
      const parent = findItem(items, to.parent)
      if (chosen.length === 0 || parent === null) return refuse('gone')
      const position = parent.below[to.position]?.index ?? listOf(parent).length
      const added = chosen.map((item) => withFreeIds(item, items))
      return insert(items, parent, position, added, workspace.config.options.limits)
    },
    ({ pointer }) => ({ ...sourceOf(from.menu, chosen, pointer), ...toOther(from.menu.file) }),
  )
  if (added.fault !== null || !isMove) return added
  const { fault } = takeStep(
    workspace,
    user,
    from.menu,
    { state: from.state, wish },
    () => (chosen.length === 0 ? refuse('gone') : done(takeOut(chosen))),
    () => toOther(to.menu.file),
  )
  return fault === null ? added : failed(fault)
}

/** The text of branches, for their form and their comments; none where its draft cannot be written into its file. */
function sourceOf(
  { base, change, draft }: EditedMenu,
  branches: readonly PlacedItem[],
  first: string,
): Pick<Beyond, 'source'> {
  const { value: written } = writeChange(base, change, draft?.texts)
  if (written === null) return {}
  const below = (item: PlacedItem): readonly PlacedItem[] => [item, ...item.below.flatMap(below)]
  const end = first.lastIndexOf('/') + 1
  const pointers = branches.flatMap((branch, place) => {
    const to = `${first.slice(0, end)}${Number(first.slice(end)) + place}`
    return below(branch).map(({ pointer }) => [to + pointer.slice(branch.pointer.length), pointer] as const)
  })
  return { source: { bytes: written.bytes, pointers: new Map(pointers) } }
}
