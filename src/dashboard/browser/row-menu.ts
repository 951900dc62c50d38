import { act, SIMPLE_ACTIONS } from '../../change/actions/action.js'
import { describeRefusal, toName } from '../../change/actions/outcome.js'
import { fill } from '../../change/fill.js'
import type { Items, PlacedItem } from '../../change/items.js'
import type { EditorData } from './page-data.js'

/** The open menu of a row, with its buttons and links. */
export const ROW_MENU = 'form.actions-menu'

/** Opens the menu of the row of an item, closes any other, and moves the focus into it. */
export function openRowMenu(row: Element, item: PlacedItem, items: Items, data: EditorData): void {
  const tree = row.closest('.tree')
  if (tree !== null) closeRowMenu(tree, data)
  const template = document.querySelector<HTMLTemplateElement>('template#row-menu')
  const source = template?.content.querySelector<HTMLElement>(ROW_MENU)
  if (!source) return
  const menu = document.importNode(source, true)
  menu.classList.add('over')
  row.querySelector(':scope > .row')?.after(menu)
  markMore(row, true, data)
  fillRowMenu(row, item, items, data)
  menu.querySelector('a')?.focus({ preventScroll: true })
}

/** Puts the open menu of a row below it, else above it, else over it: never over the bar at the bottom. */
function placeRowMenu(menu: HTMLElement): void {
  menu.style.setProperty('--room', '')
  const row = menu.previousElementSibling?.getBoundingClientRect()
  if (row === undefined) return
  // Of the bars, the one that is not shown is at 0.
  const bars = [...document.querySelectorAll('.dock')].map((bar) => bar.getBoundingClientRect().top)
  const end = Math.min(innerHeight, Math.max(...bars)) - GAP_PX
  const height = Math.min(menu.offsetHeight, end - GAP_PX)
  const isAbove = row.top - GAP_PX >= height
  const top = row.bottom + height <= end ? row.bottom : isAbove ? row.top - height : end - height
  menu.classList.toggle('at-side', top < row.bottom && !isAbove)
  menu.style.setProperty('--shift', `${top - row.bottom}px`)
  menu.style.setProperty('--room', `${height}px`)
}

/** How far it stays from the edge of the window, in CSS pixels. */
const GAP_PX = 8

/** Closes the open menu; returns its row, null where none was open. */
export function closeRowMenu(tree: Element, data: EditorData): Element | null {
  const menu = tree.querySelector(ROW_MENU)
  const row = menu?.closest('li') ?? null
  menu?.remove()
  if (row !== null) markMore(row, false, data)
  return row
}

/** Makes the menu of a row fit its item, wherever that is. */
function fillRowMenu(row: Element, item: PlacedItem, items: Items, data: EditorData): void {
  const { texts, chain, limits } = data
  const menu = row.querySelector<HTMLElement>(`:scope > ${ROW_MENU}`)
  if (menu === null) return
  const nameOf = (each: PlacedItem): string => toName(each.item, texts.actions, chain)
  menu.setAttribute('aria-label', fill(texts.menuOf, { name: nameOf(item) }))
  for (const link of menu.querySelectorAll('a')) {
    aimLink(link, 'item', item.pointer)
    const isInside = link.href.endsWith('inside')
    if (link.parentElement) link.parentElement.hidden = isInside && item.item['type'] === 'divider'
  }
  const before = item.parent?.below[item.place - 1]
  const isNested = item.parent !== null && item.parent.parent !== null
  const words = {
    nest: before && fill(texts.nestUnder, { name: nameOf(before) }),
    unnest: isNested && item.parent ? fill(texts.unnestFrom, { name: nameOf(item.parent) }) : undefined,
  }
  const useless = item.item['hidden'] === true ? 'hide' : 'show'
  for (const button of menu.querySelectorAll<HTMLButtonElement>('button')) {
    const kind = SIMPLE_ACTIONS.find((each) => each === button.value)
    if (kind === undefined) continue
    const { fault } = act(items, item.pointer, { kind }, limits)
    const label = button.querySelector('bdi')
    if (label !== null && (kind === 'nest' || kind === 'unnest'))
      label.textContent = (fault === null && words[kind]) || texts[kind]
    button.disabled = fault !== null
    button.title = fault === null ? '' : describeRefusal(fault, item, texts.actions, chain)
    const reason = button.parentElement?.querySelector<HTMLElement>('.soft')
    if (reason) {
      reason.textContent = button.title
      if (fault === null) button.removeAttribute('aria-describedby')
      else button.setAttribute('aria-describedby', reason.id)
    }
    if (button.parentElement) button.parentElement.hidden = kind === useless
  }
  placeRowMenu(menu)
}

/** Makes a link of a row lead to the item at a pointer. */
export function aimLink(link: HTMLAnchorElement, parameter: string, pointer: string): void {
  const url = new URL(link.href)
  url.searchParams.set(parameter, pointer)
  url.hash = ''
  link.href = url.href
}

function markMore(row: Element, isOpen: boolean, { texts }: EditorData): void {
  const more = row.querySelector('.more')
  const name = row.querySelector(':scope > .row :is(.name, .line)')?.textContent ?? ''
  if (more === null) return
  more.textContent = isOpen ? '×' : '⋯'
  more.setAttribute('aria-label', isOpen ? texts.close : fill(texts.menuOf, { name }))
  if (isOpen) more.setAttribute('aria-expanded', 'true')
  else more.removeAttribute('aria-expanded')
}
