import { createHash } from 'node:crypto'
import type { DescribedChange } from '../../change/compare/field-words.js'
import type { Problem } from '../../model/problem.js'
import { escapeHtml } from '../../render/escape.js'
import { count } from '../count.js'
import { toPlace } from '../problem-text.js'
import { asMarkup, code, type Html, html, label } from './html-data.js'
import { STYLE } from './html-style.js'
import { toSign, toTreesHtml } from './html-tree.js'
import type { CalledOut, DiffReport, MenuReport, MenuStatus, ShownItem, View } from './report.js'
import { STATES, STATUSES, toCalledWords, toCounts, toItemCounts, toTreeTitle } from './report-words.js'

const ARROW = html`<span class="arrow" aria-hidden="true">→</span>`
const TO = html`${ARROW}<span class="hidden"> to </span>`

/** A report as one self-contained page: no script, no request, and a policy that allows none. */
export function toDiffHtml(report: DiffReport): string {
  const { menus, base, head, seenByMore, seenByFewer, shown, problems } = report
  const hash = createHash('sha256').update(STYLE).digest('base64')
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'`
  const items = toItemCounts(report.counts)
  const parts = [
    toViewers('wider', 'warning', html`<span aria-hidden="true">⚠ </span>Seen by more viewers`, seenByMore),
    toViewers('narrower', '', html`Seen by fewer viewers`, seenByFewer),
    menus.length < 3 ? null : toContents(menus),
    ...menus.map((menu, place) => toMenu(menu, place, shown)),
    problems.length === 0 ? null : toProblems(problems),
  ]
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${asMarkup(policy)}">
<title>Menus: ${toCounts(report)}</title>
<link rel="icon" href="data:,">
<style>${asMarkup(STYLE)}</style>
</head>
<body>
<header>
<h1>What changes in the menus</h1>
<p class="soft range">${base.title}${ARROW}<span class="hidden">to</span>${head.title}</p>
<ul class="chips">${toChips(report)}</ul>${items !== '' && html`\n<p class="soft">Items: ${items}</p>`}
</header>
<main>
${asMarkup(parts.flatMap((part) => part?.markup ?? []).join('\n'))}
</main>
<footer><p>Made by <code>menuscript diff</code>.</p></footer>
</body>
</html>`.markup
}

function toChips({ menus, unchanged }: DiffReport): readonly (Html | false)[] {
  const statuses = [...new Set(menus.map(({ status }) => status))]
  const numberOf = (status: MenuStatus): number => menus.filter((menu) => menu.status === status).length
  return [
    menus.length === 0 && html`<li class="chip">nothing changed</li>`,
    ...statuses.map(
      (status) => html`<li class="chip ${STATUSES[status].mark}">${numberOf(status)} ${status}</li>`,
    ),
    unchanged > 0 && html`<li class="chip">${unchanged} unchanged</li>`,
  ]
}

function toViewers(id: string, tone: string, title: Html, called: readonly CalledOut[]): Html | null {
  if (called.length === 0) return null
  const rows = called.map((each) => {
    const { title: menu, menu: number } = each.shown
    const why = toCalledWords(each, (data) => label(data, null).markup, TO.markup)
    return html`<li><a href="#menu-${number}">${menu}</a> ${toName(each)}<br>${asMarkup(why)}</li>`
  })
  const head = html`<h2 id="${id}">${title}: ${count(called.length, 'item')}</h2>`
  return html`<section class="sheet called ${tone}" aria-labelledby="${id}">${head}<ul>${rows}</ul></section>`
}

function toContents(menus: readonly MenuReport[]): Html {
  const rows = menus.map(
    ({ status, shown }, place) =>
      html`<li><a class="chip ${STATUSES[status].mark}" href="#menu-${place + 1}">${shown.title}</a></li>`,
  )
  return html`<nav class="sheet" aria-labelledby="contents"><h2 id="contents">Menus</h2><ul class="chips">${rows}</ul></nav>`
}

function toMenu({ status, name, counts, shown }: MenuReport, place: number, view: View): Html {
  const id = `menu-${place + 1}`
  const words = toItemCounts(counts)
  const { title, file, changes, items } = shown
  const trees = toTreesHtml(shown.trees)
  const state = STATES[status] ?? ''
  return html`<section class="sheet" id="${id}" aria-labelledby="${id}-title">${[
    html`<div class="title"><h2 id="${id}-title">${code(title)}</h2>${name !== '' && html`<bdi class="soft">${name}</bdi>`}<span class="chip ${STATUSES[status].mark}">${status}</span></div>`,
    html`<p class="soft">${code(file)}${words !== '' && html`<span class="counts">${words}</span>`}</p>`,
    state !== '' && html`<p>${state}</p>`,
    toChanges(changes),
    items.length > 0 && html`<h3>Changes</h3><ul class="changes">${items.map(toItem)}</ul>`,
    trees !== null && html`<h3>The ${toTreeTitle(view)}</h3>${trees}`,
  ]}</section>`
}

function toItem(item: ShownItem): Html {
  const flags = [
    item.widens && html` <span class="chip flag">seen by more</span>`,
    item.narrows && html` <span class="chip">seen by fewer</span>`,
  ]
  const text = html`<div>${toName(item)}${flags}${toChanges(item.changes)}</div>`
  return html`<li><span class="${item.mark}">${toSign(item.mark)}</span>${text}<span class="place">${code(item.place)}</span></li>`
}

function toName({ path, name }: Pick<ShownItem, 'path' | 'name'>): Html {
  const above = path.map((each) => html`<bdi>${each}</bdi> › `)
  return html`<span class="soft">${above}</span><bdi class="name">${name}</bdi>`
}

function toChanges(changes: readonly DescribedChange[]): Html | null {
  if (changes.length === 0) return null
  const rows = changes.map((change) => html`<div><dt>${change.what}</dt><dd>${toValues(change)}</dd></div>`)
  const isFacts = changes.every(({ isFact }) => isFact === true)
  return html`<dl class="values${isFacts && ' facts'}">${rows}</dl>`
}

function toValues({ locale = null, from, to, isFact }: DescribedChange): Html {
  const toData = (data: string | null): Html =>
    data === null ? html`<span class="soft">none</span>` : label(data, locale)
  return isFact ? toData(to) : html`<span class="from">${toData(from)}</span>${TO}${toData(to)}`
}

function toProblems(problems: readonly Problem[]): Html {
  const rows = problems.map((problem) => {
    const { path, line, severity, what, frame } = problem
    const tone = severity === 'error' ? 'gone' : 'changed'
    const picture = html`<pre tabindex="0" role="group" aria-label="${path}:${line}">${asMarkup(escapeHtml(frame))}</pre>`
    return html`<li><span class="chip ${tone}">${severity}</span> ${what} ${code(toPlace(problem))}${frame !== '' && picture}</li>`
  })
  return html`<section class="sheet" aria-labelledby="problems"><h2 id="problems">New problems: ${problems.length}</h2><ul class="problems">${rows}</ul></section>`
}
