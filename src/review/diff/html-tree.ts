import { count } from '../count.js'
import { code, label, text } from './html-data.js'
import type { Mark, TreeItem, Trees } from './trees.js'

const SIGNS: Readonly<Record<Mark, string>> = {
  gone: '−',
  new: '+',
  moved: '→',
  changed: '~',
  same: '',
}
const WORDS: Readonly<Record<Mark, string>> = {
  gone: 'removed',
  new: 'added',
  moved: 'moved',
  changed: 'changed',
  same: '',
}
/** The middle of a longer unchanged run is folded. */
const LONG_RUN = 6

/** The trees of a menu side by side; `''` when no line of them changed. */
export function toTreesHtml({ before, after }: Trees): string {
  if ([...(before ?? []), ...(after ?? [])].every(isSame)) return ''
  return `<div class="trees">${toColumn('Before', before)}${toColumn('After', after)}</div>`
}

function toColumn(title: string, items: readonly TreeItem[] | null): string {
  if (items === null) return ''
  const list = items.length === 0 ? '<p class="soft">No items.</p>' : toList(items)
  return `<div class="tree"><h4>${title}</h4>${list}</div>`
}

function toList(items: readonly TreeItem[]): string {
  const parts: string[] = []
  for (let at = 0; at < items.length; ) {
    const changed = items.findIndex((item, place) => place >= at && !isSame(item))
    const run = items.slice(at, changed === -1 ? items.length : changed)
    const [first, ...folded] = run
    const last = folded.pop()
    if (run.length > LONG_RUN && first !== undefined && last !== undefined) {
      const summary = `${count(folded.length, 'item')} without a change`
      const inner = `<ul>${folded.map(toEntry).join('')}</ul>`
      const middle = `<li><details><summary>${summary}</summary>${inner}</details></li>`
      parts.push(toEntry(first), middle, toEntry(last))
    } else parts.push(...run.map(toEntry))
    if (changed !== -1) parts.push(toEntry(items[changed] as TreeItem))
    at = changed === -1 ? items.length : changed + 1
  }
  return `<ul>${parts.join('')}</ul>`
}

function isSame({ mark, note, children }: TreeItem): boolean {
  return mark === 'same' && note === '' && children.every(isSame)
}

function toEntry({
  type,
  label: name,
  locale,
  target,
  guard,
  mark,
  note,
  widens,
  children,
}: TreeItem): string {
  const parts = [
    type === 'divider'
      ? '<span class="rule"></span><span class="hidden">divider</span>'
      : label(name, locale),
    target === '' ? '' : ` ${code(target)}`,
    guard === '' ? '' : ` <code class="guard" dir="auto">${text(guard)}</code>`,
    widens
      ? ' <span class="flag" title="seen by more viewers">⚠<span class="hidden"> seen by more viewers</span></span>'
      : '',
    note === '' ? '' : `<span class="note" dir="auto">${text(note)}</span>`,
  ]
  const below = children.length === 0 ? '' : toList(children)
  return `<li><div class="row ${mark}">${toSign(mark)}<span class="text">${parts.join('')}</span></div>${below}</li>`
}

/** A sign that screen readers announce as a word. */
export function toSign(mark: Mark): string {
  const word = mark === 'same' ? '' : `<span class="hidden">${WORDS[mark]}: </span>`
  return `<span class="sign" aria-hidden="true">${SIGNS[mark]}</span>${word}`
}
