import { count } from '../count.js'
import { code, type Html, html, label } from './html-data.js'
import { MARKS } from './report-words.js'
import { isSame, type Mark, type TreeItem, type Trees } from './trees.js'

/** The middle of a longer unchanged run is folded. */
const LONG_RUN = 6

/** The trees of a menu side by side; null when no line of them changed. */
export function toTreesHtml({ before, after }: Trees): Html | null {
  if ([...(before ?? []), ...(after ?? [])].every(isSame)) return null
  return html`<div class="trees">${toColumn('Before', before)}${toColumn('After', after)}</div>`
}

function toColumn(title: string, items: readonly TreeItem[] | null): Html | null {
  if (items === null) return null
  const list = items.length === 0 ? html`<p class="soft">No items.</p>` : toList(items)
  return html`<div class="tree"><h4>${title}</h4>${list}</div>`
}

function toList(items: readonly TreeItem[]): Html {
  const parts: Html[] = []
  let run: TreeItem[] = []
  const close = (): void => {
    const [first, ...folded] = run.map(toEntry)
    const last = folded.pop()
    if (run.length > LONG_RUN && first !== undefined && last !== undefined) {
      const summary = `${count(folded.length, 'item')} without a change`
      const middle = html`<li><details><summary>${summary}</summary><ul>${folded}</ul></details></li>`
      parts.push(first, middle, last)
    } else parts.push(...run.map(toEntry))
    run = []
  }
  for (const item of items) {
    if (isSame(item)) {
      run.push(item)
      continue
    }
    close()
    parts.push(toEntry(item))
  }
  close()
  return html`<ul>${parts}</ul>`
}

const DIVIDER = html`<span class="rule"></span><span class="hidden">divider</span>`
const WIDENS = html` <span class="flag" title="seen by more viewers">⚠<span class="hidden"> seen by more viewers</span></span>`

function toEntry(item: TreeItem): Html {
  const { type, target, guard, mark, note, children } = item
  const text = [
    type === 'divider' ? DIVIDER : label(item.label, item.locale),
    target !== '' && html` ${code(target)}`,
    guard !== '' && html` <code class="guard" dir="auto">${guard}</code>`,
    item.widens && WIDENS,
    note !== '' && html`<span class="note" dir="auto">${note}</span>`,
  ]
  const below = children.length > 0 && toList(children)
  return html`<li><div class="row ${mark}">${toSign(mark)}<span class="text">${text}</span></div>${below}</li>`
}

/** A sign that screen readers announce as a word. */
export function toSign(mark: Mark): Html {
  const { page, word } = MARKS[mark]
  return html`<span class="sign" aria-hidden="true">${page}</span>${mark !== 'same' && html`<span class="hidden">${word}: </span>`}`
}
