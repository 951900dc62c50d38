import { findItem, SIMPLE_ACTIONS } from '../../change/actions/action.js'
import { startBranches } from './branches.js'
import { dragRows } from './drag.js'
import { createEditorSession, type PageAction } from './editor-session.js'
import { findAgain } from './find-again.js'
import { followEvents } from './follow.js'
import { showHelp } from './help.js'
import { createItemPanel } from './item-panel.js'
import { offerWords } from './kept-words.js'
import { type Command, toCommand } from './keys.js'
import { showLastChange } from './last-change.js'
import type { LiveRegion } from './live-region.js'
import type { EditorData } from './page-data.js'
import { isRightToLeft } from './page-language.js'
import { startPickers } from './pickers.js'
import { createPreviewPane } from './preview-pane.js'
import { copyRow, equipRow, markHidden } from './row.js'
import { aimLink, closeRowMenu, openRowMenu, ROW_MENU } from './row-menu.js'
import { createSelection, sendChosen } from './selection.js'
import { allRows, pointerOf, putRow, rowAt, rowOf, takeRow, treeOf } from './tree.js'

/** What counts as typing. */
const FIELDS = 'textarea, select, input:not([type=radio], [type=checkbox], [type=hidden])'

/** Brings the page of a menu to life: keys, the menus of rows, dragging, and what others do meanwhile. */
export function startEditor(first: EditorData, home: string, region: LiveRegion): void {
  const session = createEditorSession(first, {
    ...{ home, region, onShown, onSaved: () => pane.update() },
    onTurned: (row) => reveal(row, false),
  })
  const pane = createPreviewPane(home, first.file, first.texts.preview, session.items().all.length)
  const panel = createItemPanel({
    leaveAsk: first.texts.tree.leaveAsk,
    equip: (root) => {
      startPickers(home, root)
      void showLastChange(root)
    },
    toNow: (pointer) => {
      const seen = session.items()
      return () => findAgain(seen, pointer, session.items())
    },
    take: async (sent) => {
      if (!(await session.take(sent))) return
      const row = document.querySelector('.row.now')?.closest('li') ?? null
      if (row !== null) reveal(row, document.querySelector('.panel') === null)
    },
    fail: () => region.hold(first.texts.waiting),
  })
  const selection = createSelection(first.texts)
  const branches = startBranches(session)

  /** Where the arrow keys go on, after the row with the focus went. */
  let near: Element | null = null
  function onShown(rowNear: Element | null): void {
    near = rowNear
    for (const [, row] of allRows()) equipRow(row)
    const menu = document.querySelector(ROW_MENU)?.closest('li') ?? null
    if (menu !== null) open(menu)
    panel.mark()
    pane.place()
    selection.show()
    branches.show()
    offerWords(document.querySelector('main') ?? document)
  }
  const itemOf = (row: Element) => findItem(session.items(), pointerOf(row))
  const open = (row: Element): void => {
    const item = itemOf(row)
    if (item !== null) openRowMenu(row, item, session.items(), session.data())
  }
  const focusOn = (row: Element | null): void => {
    const target = row ?? document.querySelector('.head')
    const controls = target?.querySelectorAll<HTMLElement>(row === null ? '.button' : '.name, .more')
    const control = row === null ? controls?.[controls.length - 1] : controls?.[0]
    control?.focus({ preventScroll: true })
    control?.scrollIntoView({ block: 'nearest' })
  }
  /** Opens what a row is in, and brings it into view, with the focus if nothing else is to have it. */
  const reveal = (row: Element, isFocused: boolean): void => {
    for (let above = row.parentElement; above !== null; above = above.parentElement)
      if (above.matches('details')) above.setAttribute('open', '')
    if (isFocused) focusOn(row)
    else row.querySelector('.row')?.scrollIntoView({ block: 'nearest' })
  }
  let waiting = 0
  let last: Promise<void> = Promise.resolve()
  /** Does something at once, or as soon as the page shows what was done before: in the order in which it was asked for. */
  const inOrder = (isReady: boolean, work: () => void | Promise<void>): void => {
    if (isReady && waiting === 0) return void work()
    waiting++
    const doNext = async (): Promise<void> => {
      while (session.isBehind()) await session.whenSaved()
      waiting--
      await work()
    }
    last = last.then(doNext)
  }
  /** Finds the row that shows the item of a row at any later time; null where it is gone. */
  const follow = (row: Element): (() => Element | null) => {
    const [seen, pointer] = [session.items(), pointerOf(row)]
    return () => {
      const now = findAgain(seen, pointer, session.items())
      return now === null ? null : rowAt(treeOf(), now)
    }
  }
  const sayGone = (): void => region.say(session.data().texts.actions.refused.gone)
  /** A key or a button means the item that the operator sees, wherever it is once it can be done. */
  const perform = (row: Element | null, action: PageAction): void => {
    if (row === null) return
    const find = follow(row)
    inOrder(!session.isBehind(), () => {
      const found = find()
      if (found === null) sayGone()
      else actOn(found, action)
    })
  }
  const turn = (way: 'undo' | 'redo'): void => inOrder(session.canTurn(), () => session.turn(way))
  const actOn = (row: Element, action: PageAction): void => {
    const home = treeOf()
    if (home === null) return
    const after = session.perform(pointerOf(row), action)
    if (after === null) return
    // It would go with the row, and bring another command under the pointer.
    if (closeRowMenu(row, session.data()) !== null)
      row.querySelector<HTMLElement>('.more')?.focus({ preventScroll: true })
    const focused = document.activeElement
    const { texts } = session.data()
    const { kind } = action
    document.querySelector('.row.now')?.classList.remove('now')
    if (kind === 'remove') takeRow(row, texts)
    else if (kind === 'duplicate') putRow(home, copyRow(row), after, texts)
    else if (kind === 'hide' || kind === 'show') markHidden(row, kind === 'hide', texts.hidden)
    else putRow(home, row, after, texts)
    panel.mark()
    if (kind === 'remove') focusOn(after === '' ? null : rowAt(home, after))
    else {
      // A row that moves loses the focus on its way.
      if (focused instanceof HTMLElement && row.contains(focused)) focused.focus({ preventScroll: true })
      row.querySelector('.row')?.scrollIntoView({ block: 'nearest' })
    }
    // The head counts the items, and the bar says whether a look is needed.
    if (['remove', 'duplicate', 'hide'].includes(kind)) void session.whenSaved().then(session.look)
  }
  const run = (command: Command, row: Element | null): void => {
    if (command === 'undo' || command === 'redo') turn(command)
    else if (command === 'publish') review()
    else if (command === 'help') showHelp()
    else if (command === 'next-row' || command === 'previous-row') {
      const rows = [...document.querySelectorAll<HTMLElement>('.tree .row')].filter(
        (each) => each.offsetParent,
      )
      const here = rows.findIndex((each) => each.parentElement === (row ?? near))
      const step = row === null ? 0 : command === 'next-row' ? 1 : -1
      focusOn(rows[here + step]?.closest('li') ?? row)
    } else if (command === 'remove' && row !== null && selection.has(row)) {
      const form = document.querySelector<HTMLFormElement>('form.several')
      form?.requestSubmit(form.querySelector<HTMLElement>('[value=remove]'))
    } else perform(row, { kind: command })
  }
  /** Whether something is not saved, or not even done. */
  const isBusy = (): boolean => session.isUnsaved() || session.isBehind() || waiting > 0
  /** Follows a link once everything is saved; that of a row to where its item is then. */
  const leave = (link: HTMLAnchorElement, row = rowOf(link), find = row && follow(row)): void => {
    inOrder(!isBusy(), async () => {
      await session.whenSaved()
      const found = find?.()
      if (found) aim(link, found)
      if (found === null) sayGone()
      else if (!panel.takes(link)) location.assign(link.href)
      // What was typed for another item is a step of its own, and no question.
      else if (!panel.saves(() => leave(link, null, find))) {
        closeRowMenu(treeOf() ?? document.body, session.data())
        const opener = `.head a[href="${link.getAttribute('href')}"]`
        await panel.open(link.href, () => document.querySelector(opener))
      }
    })
  }
  const review = (): void => {
    if (panel.saves(review)) return
    inOrder(!isBusy(), () => {
      const link = document.querySelector<HTMLAnchorElement>('.dock .review')
      if (link === null || link.closest('[hidden]') !== null) region.say(first.texts.unchanged)
      else leave(link)
    })
  }
  /** Presses the button of the page as it is by then. */
  const publish = (): void => document.querySelector<HTMLElement>('.dock [value=publish]')?.click()
  const aim = (link: HTMLAnchorElement, row: Element): void =>
    aimLink(link, link.matches('.more') ? 'open' : 'item', pointerOf(row))

  addEventListener('keydown', (event) => {
    const target = event.target instanceof Element ? event.target : document.body
    if (event.defaultPrevented || document.querySelector('dialog[open]') !== null) return
    const row = rowOf(target)
    if (event.key === 'Escape' && row !== null) {
      const from = closeRowMenu(row, session.data())
      from?.querySelector<HTMLElement>('.more')?.focus()
      if (from === null) selection.clear()
    }
    const isInField = target.matches(FIELDS)
    const isOnTree = target.matches('.tree')
    const command = toCommand(event, { isInField, isOnRow: row !== null || isOnTree, isRightToLeft })
    const isStep = command === 'next-row' || command === 'previous-row'
    if (command === null || (isStep && !isOnTree && target.closest('.row') === null)) return
    event.preventDefault()
    run(command, row)
  })
  document.addEventListener('click', (event) => {
    const target = event.target instanceof Element ? event.target : document.body
    const link = target.closest('a')
    const free = target.closest('a, input, button, .handle') === null ? target.closest('.row') : null
    // What is free of a row is its name, too, unless words were marked with the pointer.
    if (free !== null && String(getSelection()) === '')
      return free.querySelector<HTMLElement>('.name')?.click()
    const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) && event.button === 0
    if (link === null || !isPlain || link.target !== '') return
    if (link.matches('.more')) {
      event.preventDefault()
      const row = link.closest('li')
      if (link.hasAttribute('aria-expanded'))
        closeRowMenu(link.closest('.tree') ?? document.body, session.data())
      else if (row !== null) open(row)
    } else if (link.matches('.help')) {
      event.preventDefault()
      run('help', null)
    } else if (link.matches('.dock .review') && panel.saves(review)) event.preventDefault()
    else if (!link.hash && (panel.takes(link) || (isBusy() && link !== awaited))) {
      // Pressed again, it is followed at once; the browser asks.
      awaited = link
      event.preventDefault()
      leave(link)
    }
  })
  let awaited: HTMLAnchorElement | null = null
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    const button = event.submitter instanceof HTMLButtonElement ? event.submitter : null
    const row = form.matches(ROW_MENU) ? form.closest('li') : null
    const kind = SIMPLE_ACTIONS.find((each) => each === button?.value)
    const way = button?.value
    if (row !== null && kind !== undefined) perform(row, { kind })
    else if (way === 'undo' || way === 'redo') turn(way)
    else if (isBusy())
      inOrder(false, async () => {
        await session.whenSaved()
        if (way === 'publish') publish()
        else form.requestSubmit(button)
      })
    // What was just typed is looked at once more.
    else if (way !== 'publish' || !panel.saves(review)) return
    event.preventDefault()
  })
  // What an open menu covers is reached again once somebody goes elsewhere.
  for (const name of ['pointerdown', 'focusin'])
    document.addEventListener(name, ({ target }) => {
      const isElsewhere = target instanceof Element && target.closest(`${ROW_MENU}, [aria-expanded]`) === null
      if (isElsewhere) closeRowMenu(document.body, session.data())
    })
  // The links of a row lead to where its item is now, once somebody comes near them.
  for (const name of ['pointerover', 'focusin'])
    document.addEventListener(name, ({ target }) => {
      const link = target instanceof Element ? target.closest<HTMLAnchorElement>('.row a') : null
      const row = link?.closest('li')
      if (link && row) aim(link, row)
    })
  addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    if (event.defaultPrevented || !form.matches('.several')) return
    event.preventDefault()
    selection.name()
    const sent = sendChosen(form, event.submitter, selection)
    void session.take(
      sent.catch(() => {
        region.hold(first.texts.waiting)
        return null
      }),
    )
  })
  addEventListener('beforeunload', (event) => {
    if (session.isUnsaved() || waiting > 0) event.preventDefault()
  })

  onShown(null)
  dragRows({
    session,
    region,
    move: (row, parent, position) => perform(row, { kind: 'move', parent, position }),
  })
  followEvents(home, session)
}
