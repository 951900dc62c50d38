import { toAbove } from '../../change/items.js'
import { make } from './make.js'
import type { EditorTexts } from './page-data.js'
import { fillCounted } from './page-language.js'

/** The list item of the row that something is in, such as a button of its menu; null where it is in none. */
export function rowOf(inside: Element | null): Element | null {
  return inside?.closest('.tree li:has(> .row)') ?? null
}

/** The pointer of the item that a list item of the page shows. */
export function pointerOf(row: Element): string {
  const list = row.parentElement
  const index = Array.prototype.indexOf.call(list?.children ?? [], row)
  const above = list?.closest('li') ?? null
  return above === null ? `/items/${index}` : `${pointerOf(above)}/children/${index}`
}

/** The list of the items of a page; null where it has none. */
export function treeOf(page: ParentNode = document): HTMLElement | null {
  return page.querySelector('.tree')
}

/** The checkbox of a row. */
export function pickOf(row: Element | null): HTMLInputElement | null {
  return row?.querySelector(':scope > .row > .pick') ?? null
}

/** The list item that shows the item at a pointer; null where there is none. */
export function rowAt(tree: Element | null, pointer: string): Element | null {
  let row: Element | null = null
  let list = tree?.querySelector(':scope > ul') ?? null
  for (const index of pointer.match(/\d+/g) ?? []) {
    row = list?.children[Number(index)] ?? null
    list = row === null ? null : listIn(row)
  }
  return row
}

/** All list items with the pointers of their items, parents before children. */
export function allRows(
  tree: Element | null = treeOf(),
): readonly (readonly [pointer: string, row: Element])[] {
  const all: (readonly [string, Element])[] = []
  const enter = (list: Element | null, prefix: string): void => {
    for (const [index, row] of [...(list?.children ?? [])].entries()) {
      all.push([`${prefix}/${index}`, row])
      enter(listIn(row), `${prefix}/${index}/children`)
    }
  }
  enter(tree?.querySelector(':scope > ul') ?? null, '/items')
  return all
}

/** Puts a list item where the pointer says, once it is there. */
export function putRow(tree: Element, row: Element, pointer: string, texts: EditorTexts): void {
  const left = takeRow(row, texts)
  const above = rowAt(tree, toAbove(pointer))
  const list = above === null ? tree.querySelector(':scope > ul') : (listIn(above) ?? addList(above))
  const index = Number(pointer.slice(pointer.lastIndexOf('/') + 1))
  list?.insertBefore(row, list.children[index] ?? null)
  for (const each of [left, above]) if (each !== null) describeList(each, texts)
  above?.querySelector(':scope > details')?.setAttribute('open', '')
}

/** Takes a list item away; returns the one that it was in. */
export function takeRow(row: Element, texts: EditorTexts): Element | null {
  const above = row.parentElement?.closest('li') ?? null
  row.remove()
  if (above !== null) describeList(above, texts)
  return above
}

function listIn(row: Element): Element | null {
  return row.querySelector(':scope > details > ul')
}

function addList(row: Element): Element {
  const [list, details, summary] = [make('ul'), make('details'), make('summary')]
  summary.append(make('span', { className: 'hidden' }))
  details.append(summary, list)
  row.append(details)
  return list
}

/** Says how many items are below another; without any, there is nothing to open. */
function describeList(row: Element, { below }: EditorTexts): void {
  const count = listIn(row)?.children.length ?? 0
  const details = row.querySelector(':scope > details')
  const words = details?.querySelector(':scope > summary > span')
  const name = row.querySelector(':scope > .row :is(.name, .line)')?.textContent ?? ''
  if (count === 0) details?.remove()
  else if (words) words.textContent = `${name}: ${fillCounted(below, { count })}`
}
