import { type Action, act, findItem } from '../../change/actions/action.js'
import { describeOutcome, describeRefusal } from '../../change/actions/outcome.js'
import { fill } from '../../change/fill.js'
import { type Items, readItems } from '../../change/items.js'
import { patch } from '../../change/operations/patch.js'
import { showDock } from './dock.js'
import { createKeptSteps, type Keep } from './kept-steps.js'
import type { LiveRegion } from './live-region.js'
import { createOutbox, type Kept, type MenuForm, type Reply } from './outbox.js'
import type { EditorData } from './page-data.js'
import { fetchPage, readData, showNotes, showPage } from './refresh.js'
import { waitFor } from './retry-delay.js'
import { showMarks } from './row.js'
import { createTransport } from './transport.js'

/** What a page does without loading another one. Items are added and edited by forms of their own. */
export type PageAction = Exclude<Action, { readonly kind: 'add' | 'set' }>

/** A page of the editor, and the draft behind it: what is done is shown at once, and saved in its order. */
export interface EditorSession {
  readonly data: () => EditorData
  readonly items: () => Items
  /** Does something to the item at a pointer; answers where it is then, or null, and says why, where that is impossible. */
  readonly perform: (pointer: string, action: PageAction) => string | null
  readonly turn: (way: 'undo' | 'redo') => void
  /** Whether it is known how many steps can be undone: not while the steps of other pages are sent. */
  readonly canTurn: () => boolean
  /** Whether something is not saved. */
  readonly isUnsaved: () => boolean
  /** Whether the draft has another state than the page, which nothing can be done to until it is shown. */
  readonly isBehind: () => boolean
  /** Whether the page shows a revision of the draft; null is for a draft without changes. */
  readonly isAt: (revision: number | null) => boolean
  readonly whenSaved: () => Promise<void>
  /** Fetches what others, or another tab, may have changed. */
  readonly look: () => Promise<void>
  /** Shows the page that comes of a form on its way, if any; nothing else is done meanwhile. Whether it came. */
  readonly take: (sent: Promise<Document | null>) => Promise<boolean>
}

export interface EditorSessionDeps {
  readonly home: string
  readonly region: LiveRegion
  /** Called for each page that is shown from now on; where the row with the focus is gone, with one that was near it. */
  readonly onShown: (near: Element | null) => void
  /** Called with the row of what was undone or redone. */
  readonly onTurned: (row: Element) => void
  /** Called when the draft has changed on the server. */
  readonly onSaved: () => void
}

export function createEditorSession(
  first: EditorData,
  { home, region, onShown, onTurned, onSaved }: EditorSessionDeps,
): EditorSession {
  let data = first
  let items = readItems(data.value)
  let { steps, redoable, changes } = data
  let isCounted = true
  /** What is said once the page shows again what is saved; null while it does. */
  let awaited: { readonly words: string; readonly did?: string } | null = null
  let settling: Promise<void> | null = null
  const { service, file, user, csrf, texts, chain, limits } = data
  const { send } = createTransport({ home, file, user, csrf, otherUser: texts.otherUser })
  const { keep, adopt } = createKeptSteps(service, user, file)

  const onReply = (reply: Reply): void => {
    if (reply.kind === 'later') {
      const link = { text: texts.signIn, href: `${home}/sign-in` }
      if (reply.isSignedOut)
        region.hold(reply.reason === texts.otherUser ? reply.reason : texts.signedOut, link)
      else region.hold(reply.reason === null ? texts.waiting : fill(texts.failing, { reason: reply.reason }))
      return
    }
    region.hold(null)
    if (reply.kind === 'refused') settle({ words: fill(texts.refused, { reason: reply.reason }) })
    else {
      // Of what is on its way, each step counts as a change until it is saved.
      if (outbox.count() === 0) {
        changes = reply.changes
        showMarks(reply.marks, texts)
      }
      showState()
      onSaved()
    }
  }
  const open = (kept: Kept, keep: Keep) =>
    createOutbox({ send, keep, wait: waitFor, toKey: () => crypto.randomUUID(), onReply }, kept)
  let outbox = open({ state: data.state, unsent: [] }, keep)

  const showState = (): void => showDock({ state: outbox.state(), steps, redoable, changes }, data.texts)
  const show = (page: Document, next: EditorData): void => {
    const now = readItems(next.value)
    const near = showPage(page, items, now)
    data = next
    items = now
    steps = next.steps
    redoable = next.redoable
    changes = next.changes
    isCounted = true
    outbox.reset(next.state)
    onShown(near)
    onSaved()
  }
  const whenSaved = async (): Promise<void> => {
    await outbox.whenEmpty()
    await settling
  }
  /** Waits until all is sent, and shows the page as it is then. */
  const settle = (next: NonNullable<typeof awaited>, sent: Promise<void> = Promise.resolve()): void => {
    awaited = next
    settling ??= sent.then(catchUp).finally(() => {
      settling = null
    })
  }
  const catchUp = async (): Promise<void> => {
    for (let attempt = 0; awaited !== null; ) {
      await outbox.whenEmpty()
      const state = outbox.state()
      const { words, did } = awaited
      const page = await fetchPage(did === undefined ? {} : { did })
      // What was done meanwhile is not on it, even if it is saved by now.
      if (outbox.count() > 0 || outbox.state() !== state) continue
      if (page === 'other') return location.reload()
      const next = page === 'unreachable' ? null : readData(page)
      if (page === 'unreachable' || next === null) {
        region.hold(texts.waiting)
        await waitFor(attempt++)
        continue
      }
      region.hold(null)
      if (awaited.words !== words) continue
      const row = page.querySelector('.row.now')?.closest('li')
      const said = takeNotice(page)
      show(page, next)
      if (row) onTurned(row)
      region.say((did && said) || words)
      awaited = null
    }
  }
  /** Sends what other pages left behind, each on the state that it was made for. */
  const resume = async (left: ReturnType<typeof adopt>): Promise<void> => {
    for (const [kept, keep] of left) {
      outbox = open(kept, keep)
      await outbox.whenEmpty()
    }
    outbox = open({ state: outbox.state(), unsent: [] }, keep)
  }
  const left = adopt()
  isCounted = left.length === 0
  if (left.length > 0) settle({ words: texts.resumed }, resume(left))

  return {
    data: () => data,
    items: () => items,
    isUnsaved: () => outbox.count() > 0,
    isBehind: () => settling !== null,
    canTurn: () => isCounted,
    isAt: (revision) => (revision === null ? steps === 0 : outbox.state().endsWith(`.${revision}`)),
    whenSaved,
    perform: (pointer, action) => {
      const item = findItem(items, pointer)
      const { value: acted, fault } = act(items, pointer, action, limits)
      if (fault !== null) {
        region.say(describeRefusal(fault, item, texts.actions, chain))
        return null
      }
      const value = patch(items.value, acted.operations)
      if (value === null) return null
      items = readItems(value)
      steps++
      changes++
      redoable = 0
      outbox.add(toForm(pointer, action))
      showState()
      const where = action.kind === 'remove' ? item : findItem(items, acted.pointer)
      if (where !== null)
        region.say(describeOutcome({ kind: action.kind, item: where }, texts.actions, chain))
      return acted.pointer
    },
    turn: (way) => {
      const by = way === 'undo' ? -1 : 1
      if ((way === 'undo' ? steps : redoable) === 0)
        return region.say(way === 'undo' ? texts.nothingToUndo : texts.nothingToRedo)
      steps += by
      redoable -= by
      outbox.add({ page: 'edit', query: {}, fields: { do: way } })
      showState()
      settle({ words: way === 'undo' ? texts.undone : texts.redone, did: way })
    },
    look: async () => {
      let page: Awaited<ReturnType<typeof fetchPage>>
      let state: string
      do {
        await whenSaved()
        state = outbox.state()
        page = await fetchPage()
      } while (outbox.count() > 0 || settling !== null || outbox.state() !== state)
      if (page === 'unreachable') return
      const next = page === 'other' ? null : readData(page)
      if (page === 'other' || next === null) return location.reload()
      if (next.state === state) {
        data = { ...data, disk: next.disk }
        return showNotes(page)
      }
      show(page, next)
      region.say(texts.adopted)
    },
    take: async (sent) => {
      let isTaken = false
      settling = sent
        .then((page) => {
          const next = page && readData(page)
          if (page === null || next === null) return
          const words = takeNotice(page)
          show(page, next)
          if (words) region.say(words)
          isTaken = true
        })
        .finally(() => {
          settling = null
        })
      await settling
      return isTaken
    },
  }
}

/** What a page says of a step. */
function takeNotice(page: Document): string | null {
  return page.querySelector('.came')?.textContent ?? null
}

/** The form that does the same without JavaScript: that of a row, or of the page to move an item. */
function toForm(pointer: string, action: PageAction): MenuForm {
  if (action.kind !== 'move') return { page: 'edit', query: {}, fields: { do: action.kind, item: pointer } }
  const { parent, position } = action
  return { page: 'place', query: { item: pointer }, fields: { parent, position: String(position + 1) } }
}
