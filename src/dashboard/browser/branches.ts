import { findItems } from '../../change/find-items.js'
import type { EditorSession } from './editor-session.js'
import { fillCounted } from './page-language.js'
import { allRows } from './tree.js'

/** Which rows of the tree are to be seen: those that a search finds, in branches that stay as somebody left them. */
export interface Branches {
  /** Shows what is searched for on a page that took the place of another one. */
  readonly show: () => void
}

/** What identifies a branch, wherever it has moved: its name, below the names of those above it. */
function keyOf(details: Element): string {
  const row = details.closest('li')
  const above = row?.parentElement?.closest('details') ?? null
  const name = row?.querySelector(':scope > .row :is(.name, b)')?.textContent ?? ''
  return above === null ? name : `${keyOf(above)}\n${name}`
}

/** Shows the branches of the items of a page as they were left in its tab. */
export function startBranches({ data, items }: Pick<EditorSession, 'data' | 'items'>): Branches {
  const { service, file, texts } = data()
  const name = `menuscript branches ${service} ${file}`
  let search = document.querySelector<HTMLInputElement>('#find')?.value ?? ''
  /** The open branches before a search opened others; null while nothing is searched for. */
  let before: ReadonlySet<string> | null = null
  const branches = (): readonly (readonly [string, HTMLDetailsElement])[] =>
    allRows().flatMap(([pointer, row]) => {
      const details = row.querySelector<HTMLDetailsElement>(':scope > details')
      return details === null ? [] : [[pointer, details] as const]
    })
  const opened = (): ReadonlySet<string> =>
    new Set(branches().flatMap(([pointer, { open }]) => (open ? [pointer] : [])))
  const setOpen = (isOpen: (pointer: string, details: Element) => boolean): void => {
    for (const [pointer, details] of branches()) details.open = isOpen(pointer, details)
  }
  const show = (): void => {
    const field = document.querySelector<HTMLInputElement>('#find')
    if (field === null) return
    field.value = search
    const found = findItems(items(), search, data().pages)
    const left = before
    if (found === null && left !== null) {
      setOpen((pointer) => left.has(pointer))
      before = null
    }
    if (found !== null) before ??= opened()
    for (const [pointer, row] of allRows())
      row.toggleAttribute('hidden', found !== null && !found.shown.has(pointer))
    if (found !== null)
      setOpen((pointer, details) => found.open.has(pointer) || (details as HTMLDetailsElement).open)
    const line = document.querySelector('.tools [role=status]')
    const { count = 0 } = found ?? {}
    if (line !== null) line.textContent = found === null ? '' : fillCounted(texts.tree.found, { count })
  }
  document.addEventListener('input', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.id !== 'find') return
    search = target.value
    show()
  })
  document.addEventListener('submit', (event) => {
    if ((event.target as Element).matches('.tools')) event.preventDefault()
  })
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLElement>('.tools a') : null
    if (link === null) return
    event.preventDefault()
    setOpen(() => link.dataset['branches'] === 'open')
  })
  addEventListener('pagehide', () => {
    const open = before ?? opened()
    const kept = branches().map(([pointer, details]) => [keyOf(details), open.has(pointer)])
    try {
      sessionStorage.setItem(name, JSON.stringify(kept))
    } catch {
      // Storage that is full or forbidden.
    }
  })
  try {
    const kept = new Map(JSON.parse(sessionStorage.getItem(name) ?? '[]') as [string, unknown][])
    for (const [, details] of branches()) {
      const open = kept.get(keyOf(details))
      // The row that is shown stays so.
      if (open !== undefined) details.open = open === true || details.querySelector('.now, form') !== null
    }
  } catch {
    // Storage that is forbidden.
  }
  return { show }
}
