import { findItem } from '../../change/actions/action.js'
import { dropAt } from '../../change/actions/drop.js'
import { describeRefusal, toName } from '../../change/actions/outcome.js'
import { isWithin, levelOf } from '../../change/actions/places.js'
import { fill } from '../../change/fill.js'
import type { Items, PlacedItem } from '../../change/items.js'
import type { EditorSession } from './editor-session.js'
import type { LiveRegion } from './live-region.js'
import { make } from './make.js'
import { isRightToLeft } from './page-language.js'
import { allRows, pointerOf } from './tree.js'

export interface DragDeps {
  readonly session: EditorSession
  readonly region: LiveRegion
  /** Moves a row to a place in the list of the item at a pointer. */
  readonly move: (row: Element, parent: string, position: number) => void
}

/** A row that is dragged, and what it is dragged over. */
interface Drag {
  readonly row: HTMLElement
  readonly handle: Element
  readonly pointerId: number
  readonly items: Items
  readonly item: PlacedItem
  /** The rows to be seen without those that are dragged, with where their middles are on the page. */
  readonly rows: readonly { readonly item: PlacedItem; readonly row: HTMLElement; readonly middle: number }[]
  readonly startX: number
  /** Where it began on the page. */
  readonly startY: number
  readonly line: HTMLElement
  x: number
  y: number
}

/** How far a level is from the next, in CSS pixels, and how near to an edge of the window it scrolls. */
const LEVEL_PX = 24
const EDGE_PX = 56
const SCROLL_PX = 12

/** Lets rows be dragged by their handles: up and down to a slot, sideways to a level. Escape, and whatever interrupts, takes all back. */
export function dragRows({ session, region, move }: DragDeps): void {
  let drag: Drag | null = null
  let frame = 0

  const begin = (handle: Element, event: PointerEvent): void => {
    const tree = handle.closest('.tree')
    const row = handle.closest('li')
    if (tree === null || row === null) return
    const items = session.items()
    const item = findItem(items, pointerOf(row))
    if (item === null) return
    const placed = new Map(items.all.map((each) => [each.pointer, each]))
    const rows = allRows(tree).flatMap(([pointer, each]) => {
      const own = each.querySelector<HTMLElement>(':scope > .row')
      const other = placed.get(pointer)
      if (own === null || other === undefined || own.offsetParent === null || isWithin(other, item)) return []
      const { top, height } = own.getBoundingClientRect()
      return [{ item: other, row: each as HTMLElement, middle: top + height / 2 + scrollY }]
    })
    const line = make('div', { className: 'drop-line', ariaHidden: 'true' })
    document.body.append(line)
    row.classList.add('dragged')
    handle.setPointerCapture(event.pointerId)
    const { clientX: x, clientY: y, pointerId } = event
    drag = { row, handle, pointerId, items, item, rows, startX: x, startY: y + scrollY, line, x, y }
    scroll()
  }
  /** Where the row would land now. */
  const target = ({ item, rows, startX, x, y }: Drag) => {
    const slot = rows.filter(({ middle }) => middle < y + scrollY).length
    const sideways = isRightToLeft ? startX - x : x - startX
    const level = levelOf(item) + Math.round(sideways / LEVEL_PX)
    const others = rows.map((each) => each.item)
    const drop = dropAt(others, item, { slot, level }, session.data().limits)
    return { drop, above: rows[slot - 1] ?? null, below: rows[slot] ?? null }
  }
  const show = (now: Drag): void => {
    const { texts, chain } = session.data()
    const { drop, above, below } = target(now)
    const near = (above ?? below)?.row.querySelector('.row')?.getBoundingClientRect()
    const box = now.row.closest('.tree')?.getBoundingClientRect()
    if (near === undefined || box === undefined) return
    const { line } = now
    const label = line.firstElementChild ?? line.appendChild(make('span'))
    line.classList.toggle('refused', drop.fault !== null)
    const { parent = null, level = 1 } = drop.value ?? {}
    const name = parent === null || parent.parent === null ? null : toName(parent.item, texts.actions, chain)
    label.textContent =
      drop.fault !== null
        ? describeRefusal(drop.fault, now.item, texts.actions, chain)
        : name === null
          ? texts.dropTop
          : fill(texts.dropUnder, { name })
    const inset = (level - 1) * LEVEL_PX
    line.style.top = `${(above === null ? near.top : near.bottom) + scrollY}px`
    line.style.left = `${box.left + (isRightToLeft ? 0 : inset)}px`
    line.style.width = `${box.width - inset}px`
    // It follows the pointer as far as the tree goes, so that the page never grows.
    now.row.style.translate = `0 ${Math.min(now.y, box.bottom) + scrollY - now.startY}px`
  }
  const scroll = (): void => {
    frame = requestAnimationFrame(() => {
      if (drag === null) return
      const by = drag.y < EDGE_PX ? -SCROLL_PX : drag.y > innerHeight - EDGE_PX ? SCROLL_PX : 0
      if (by !== 0) {
        scrollBy(0, by)
        show(drag)
      }
      scroll()
    })
  }
  const end = (): Drag | null => {
    const ended = drag
    drag = null
    cancelAnimationFrame(frame)
    ended?.line.remove()
    ended?.row.classList.remove('dragged')
    ended?.row.style.removeProperty('translate')
    if (ended?.handle.hasPointerCapture(ended.pointerId)) ended.handle.releasePointerCapture(ended.pointerId)
    return ended
  }
  const cancel = (): void => {
    if (end() !== null) region.say(session.data().texts.dropped)
  }

  document.addEventListener('pointerdown', (event) => {
    const handle = event.target instanceof Element ? event.target.closest('.handle') : null
    if (handle === null || event.button !== 0 || drag !== null || session.isBehind()) return
    // No text is selected, and the focus stays.
    event.preventDefault()
    begin(handle, event)
  })
  document.addEventListener('pointermove', (event) => {
    if (drag === null || event.pointerId !== drag.pointerId) return
    drag.x = event.clientX
    drag.y = event.clientY
    show(drag)
  })
  document.addEventListener('pointerup', (event) => {
    if (drag === null || event.pointerId !== drag.pointerId) return
    // What was shown may have changed under the pointer.
    if (session.isBehind() || session.items() !== drag.items) return cancel()
    const isStill = drag.line.textContent === ''
    const { drop } = target(drag)
    const ended = end()
    if (ended === null || isStill) return
    const { texts, chain } = session.data()
    if (drop.fault !== null) region.say(describeRefusal(drop.fault, ended.item, texts.actions, chain))
    else move(ended.row, drop.value.parent.pointer, drop.value.position)
  })
  document.addEventListener('pointercancel', cancel)
  addEventListener('blur', cancel)
  addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || drag === null) return
    event.stopImmediatePropagation()
    cancel()
  })
}
