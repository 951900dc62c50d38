import { matchItems, toPointers } from '../../change/compare/match.js'
import type { Items } from '../../change/items.js'
import { findAgain } from './find-again.js'
import type { EditorData } from './page-data.js'
import { showTimes } from './times.js'
import { allRows, pickOf, rowAt, rowOf, treeOf } from './tree.js'

/** The data of a page of the editor; null for any other page, and where nothing can be edited. */
export function readData(page: Document): EditorData | null {
  const text = page.querySelector('#editor-data')?.textContent
  return text == null ? null : JSON.parse(text)
}

/** The current page of a menu, with `more` in its address; `unreachable` without a response, `other` if it is no longer such a page. */
export async function fetchPage(
  more: Readonly<Record<string, string>> = {},
): Promise<Document | 'unreachable' | 'other'> {
  const url = new URL(location.href)
  const address = `${url.pathname}?${new URLSearchParams({ file: url.searchParams.get('file') ?? '', ...more })}`
  try {
    const { response, page } = await fetchAt(address)
    if (response.status >= 500) return 'unreachable'
    return readData(page) === null ? 'other' : page
  } catch {
    return 'unreachable'
  }
}

/** A page of the dashboard, as the browser would load it. Throws without a response. */
export async function fetchAt(
  address: string,
  more: RequestInit = {},
): Promise<{ readonly response: Response; readonly page: Document }> {
  const response = await fetch(address, { headers: { accept: 'text/html' }, cache: 'no-store', ...more })
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  showTimes(page)
  return { response, page }
}

/** Sends a form as the browser would. Throws without a response. */
export function sendForm(
  form: HTMLFormElement,
  submitter: HTMLElement | null,
  address: string = form.action,
): ReturnType<typeof fetchAt> {
  const pairs = [...new FormData(form, submitter)].map(([name, value]) => [name, String(value)])
  return fetchAt(address, { method: 'POST', body: new URLSearchParams(pairs) })
}

/**
 * Shows the page as it is now in place of the one that is shown. The same items stay open and keep the focus, wherever they
 * went; what was at the top of the window stays there. If the row with the focus is gone, returns one that was near it.
 */
export function showPage(page: Document, before: Items, after: Items): Element | null {
  const [main, next] = [document.querySelector('main'), page.querySelector('main')]
  if (main === null || next === null) return null
  const toAfter = toPointers(matchItems(before, after).toAfter)
  const rows = allRows()
  const wasOpen = new Map(
    rows.flatMap(([pointer, row]) => {
      const details = row.querySelector<HTMLDetailsElement>(':scope > details')
      return details === null ? [] : [[toAfter.get(pointer), details.open] as const]
    }),
  )
  const chosen = rows.flatMap(([pointer, row]) => (pickOf(row)?.checked ? [toAfter.get(pointer) ?? ''] : []))
  const focus = markOf(document.activeElement, rows)
  const tree = treeOf(next)
  const find = (pointer: string | undefined): Element | null =>
    pointer === undefined ? null : rowAt(tree, toAfter.get(pointer) ?? '')
  // The page does not follow what has just gone elsewhere.
  const anchor = rows.find(
    ([pointer, row]) =>
      row.getBoundingClientRect().top >= 0 && find(pointer)?.querySelector(':scope > .now') === null,
  )
  const top = anchor?.[1].getBoundingClientRect().top ?? 0
  for (const each of next.querySelectorAll('[autofocus]')) each.removeAttribute('autofocus')
  main.replaceChildren(...next.childNodes)
  if (tree === null) {
    if (focus?.pointer != null) main.querySelector<HTMLElement>('.none a')?.focus()
    return null
  }
  tree.tabIndex = -1
  for (const [pointer, row] of allRows(tree)) {
    const open = wasOpen.get(pointer)
    if (open !== undefined) row.querySelector(':scope > details')?.toggleAttribute('open', open)
  }
  for (const pointer of chosen) {
    const pick = pickOf(rowAt(tree, pointer))
    if (pick) pick.checked = true
  }
  const row = find(anchor?.[0])
  if (row !== null) scrollBy(0, row.getBoundingClientRect().top - top)
  if (focus === null) return null
  const now = focus.pointer === null ? null : findAgain(before, focus.pointer, after)
  const place = focus.pointer === null ? main : now === null ? null : rowAt(tree, now)
  if (place !== null) {
    place.querySelector<HTMLElement>(focus.selector)?.focus({ preventScroll: true })
    return null
  }
  // No other row gets the focus of one that is gone: the next key would mean that one.
  tree.focus({ preventScroll: true })
  const was = rows.findIndex(([pointer]) => pointer === focus.pointer)
  const others = [...rows.slice(was + 1), ...rows.slice(0, was).reverse()]
  return find(others.find(([pointer]) => find(pointer) !== null)?.[0])
}

/** Shows what the page says of others and of the file, and how it is published, and leaves the items alone. */
export function showNotes(page: Document): void {
  for (const part of ['.notes', '.head .soft', '.with-changes']) {
    const [shown, next] = [document.querySelector(part), page.querySelector(part)]
    if (shown !== null && next !== null && shown.innerHTML !== next.innerHTML) shown.replaceWith(next)
  }
}

/** Where the focus is, in words that hold for another page. */
function markOf(
  focused: Element | null,
  rows: readonly (readonly [pointer: string, row: Element])[],
): { readonly pointer: string | null; readonly selector: string } | null {
  if (!(focused instanceof HTMLElement) || focused.closest('main') === null) return null
  const row = rowOf(focused)
  const pointer = rows.find(([, each]) => each === row)?.[0] ?? null
  for (const selector of ['#find', '.tree']) if (focused.matches(selector)) return { pointer, selector }
  if (pointer !== null) return { pointer, selector: focused.matches('.more') ? '.more' : '.name, .more' }
  return focused instanceof HTMLButtonElement && focused.name !== ''
    ? { pointer: null, selector: `${focused.name === 'do' ? '.dock ' : ''}button[value="${focused.value}"]` }
    : null
}
