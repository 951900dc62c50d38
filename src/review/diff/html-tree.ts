import { count } from '../count.js'
import { code, label, text } from './html-data.js'
import type { DiffReport, Mark, MenuReport } from './report.js'
import { type Marks, type TreeItem, toMarks, toTrees } from './tree.js'

export const SIGNS: Readonly<Record<Mark, string>> = {
  gone: '−',
  new: '+',
  moved: '→',
  changed: '~',
  same: '',
}
export const WORDS: Readonly<Record<Mark, string>> = {
  gone: 'removed',
  new: 'added',
  moved: 'moved',
  changed: 'changed',
  same: '',
}
/** Of a longer run without a change, the middle is folded. */
const LONG_RUN = 6

interface Side {
  readonly markOf: (item: TreeItem) => Mark
  readonly noteOf: (item: TreeItem) => string
  readonly widens: (item: TreeItem) => boolean
}

/** The trees of a menu beside each other; `''` when no line of them changed. */
export function toTreesHtml(menu: MenuReport, report: DiffReport): string {
  if (menu.status === 'broken') return ''
  const trees = toTrees(menu, report)
  const marks = toMarks(menu, trees)
  const sides = toSides(menu, marks, trees.before ?? [])
  const isChanged = ([items, side]: readonly [readonly TreeItem[], Side]): boolean =>
    !items.every((item) => isSame(item, side))
  const lists = [
    [trees.before ?? [], sides.before],
    [trees.after ?? [], sides.after],
  ] as const
  if (!lists.some(isChanged)) return ''
  const columns = [trees.before, trees.after].flatMap((items, place) => {
    const side = place === 0 ? sides.before : sides.after
    if (items === null) return []
    const title = place === 0 ? 'Before' : 'After'
    const list = items.length === 0 ? '<p class="soft">No items.</p>' : toList(items, side)
    return [`<div class="tree"><h4>${title}</h4>${list}</div>`]
  })
  return `<div class="trees">${columns.join('')}</div>`
}

function toSides(
  menu: MenuReport,
  marks: Marks,
  olds: readonly TreeItem[],
): { readonly before: Side; readonly after: Side } {
  const byPointer = new Map<string, TreeItem>()
  const walk = (items: readonly TreeItem[]): void => {
    for (const item of items) {
      byPointer.set(item.pointer, item)
      walk(item.children)
    }
  }
  walk(olds)
  return {
    before: {
      markOf: marks.before,
      widens: () => false,
      noteOf: (item) => {
        const { moved = false, after = null } = marks.ofBefore(item) ?? {}
        if (!moved || after === null) return ''
        return `to ${after.path.length === 0 ? 'top level' : after.path.join(' › ')}, place ${after.position}`
      },
    },
    after: {
      markOf: marks.after,
      widens: marks.widens,
      noteOf: (item) => marks.noteOf(item, byPointer.get(menu.match.toBefore.get(item.pointer) ?? '')),
    },
  }
}

function toList(items: readonly TreeItem[], side: Side): string {
  const parts: string[] = []
  for (let at = 0; at < items.length; ) {
    let end = at
    while (end < items.length && isSame(items[end] as TreeItem, side)) end++
    if (end - at > LONG_RUN) {
      const folded = items.slice(at + 1, end - 1)
      const inner = folded.map((item) => toEntry(item, side)).join('')
      parts.push(
        toEntry(items[at] as TreeItem, side),
        `<li><details><summary>${count(folded.length, 'item')} without a change</summary><ul>${inner}</ul></details></li>`,
        toEntry(items[end - 1] as TreeItem, side),
      )
      at = end
    } else {
      const stop = Math.max(end, at + 1)
      for (; at < stop; at++) parts.push(toEntry(items[at] as TreeItem, side))
    }
  }
  return `<ul>${parts.join('')}</ul>`
}

function isSame(item: TreeItem, side: Side): boolean {
  return (
    side.markOf(item) === 'same' &&
    side.noteOf(item) === '' &&
    item.children.every((child) => isSame(child, side))
  )
}

function toEntry(item: TreeItem, side: Side): string {
  const mark = side.markOf(item)
  const name =
    item.type === 'divider'
      ? '<span class="rule"></span><span class="hidden">divider</span>'
      : label(item.label, item.locale)
  const target = item.target === '' ? '' : ` ${code(item.target)}`
  const guard = item.guard === '' ? '' : ` <code class="guard" dir="auto">${text(item.guard)}</code>`
  const words = side.noteOf(item)
  const flag = side.widens(item)
    ? ' <span class="flag" title="seen by more viewers">⚠<span class="hidden"> seen by more viewers</span></span>'
    : ''
  const note = words === '' ? '' : `<span class="note" dir="auto">${text(words)}</span>`
  const children = item.children.length === 0 ? '' : toList(item.children, side)
  return `<li><div class="row ${mark}">${toSign(mark)}<span class="text">${name}${target}${guard}${flag}${note}</span></div>${children}</li>`
}

/** A sign that screen readers get as a word. */
export function toSign(mark: Mark): string {
  const word = mark === 'same' ? '' : `<span class="hidden">${WORDS[mark]}: </span>`
  return `<span class="sign" aria-hidden="true">${SIGNS[mark]}</span>${word}`
}
