import { failed } from '../../model/result.js'
import type { Drafted, Drafts } from './open-drafts.js'

const refuse = (): Drafted => failed({ reason: 'read-only' })

/** What there is where no draft can be kept. */
export const NO_DRAFTS: Drafts = {
  ...{ list: () => [], read: () => null, aside: () => null, discard: () => {}, onChange: () => {} },
  ...{
    open: refuse,
    edit: refuse,
    undo: refuse,
    redo: refuse,
    rebase: refuse,
    settle: refuse,
    takeOver: refuse,
  },
}
