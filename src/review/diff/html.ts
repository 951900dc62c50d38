import { createHash } from 'node:crypto'
import type { DescribedChange } from '../../change/compare/words.js'
import type { Problem } from '../../model/problem.js'
import { escapeHtml } from '../../render/escape.js'
import { count } from '../count.js'
import { toPlace } from '../placed-problems.js'
import { code, label, text } from './html-data.js'
import { STYLE } from './html-style.js'
import { toSign, toTreesHtml } from './html-tree.js'
import type { CalledOut, DiffReport, MenuReport, MenuStatus, ShownItem, View } from './report.js'
import type { Mark } from './trees.js'
import { STATES, toCalledWords, toCounts, toItemCounts, toTreeTitle } from './words.js'

const TONES: Readonly<Record<MenuStatus, Mark>> = {
  added: 'new',
  removed: 'gone',
  changed: 'changed',
  moved: 'moved',
  broken: 'gone',
  fixed: 'new',
}

const ARROW = '<span class="arrow" aria-hidden="true">→</span><span class="hidden"> to </span>'

/** A report as one self-contained page: no script, no request, and a policy that allows none. */
export function toDiffHtml(report: DiffReport): string {
  const { menus, base, head, unchanged, seenByMore, seenByFewer, shown, problems } = report
  const hash = createHash('sha256').update(STYLE).digest('base64')
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'`
  const same = unchanged === 0 ? '' : `<li class="chip">${unchanged} unchanged</li>`
  const chips = menus.length === 0 ? `<li class="chip">nothing changed</li>` : toChips(report)
  const parts = [
    toViewers('wider', 'warning', '<span aria-hidden="true">⚠ </span>Seen by more viewers', seenByMore),
    toViewers('narrower', '', 'Seen by fewer viewers', seenByFewer),
    toContents(menus),
    ...menus.map((menu, place) => toMenu(menu, place, shown)),
    toProblems(problems),
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Menus: ${text(toCounts(report))}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>What changes in the menus</h1>
<p class="soft range">${text(base.title)}<span class="arrow" aria-hidden="true">→</span><span class="hidden">to</span>${text(head.title)}</p>
<ul class="chips">${chips}${same}</ul>${toTotals(report)}
</header>
<main>
${parts.filter((part) => part !== '').join('\n')}
</main>
<footer><p>Made by <code>menuscript diff</code>.</p></footer>
</body>
</html>`
}

function toChips(report: DiffReport): string {
  const statuses = [...new Set(report.menus.map(({ status }) => status))]
  return statuses
    .map((status) => {
      const number = report.menus.filter((menu) => menu.status === status).length
      return `<li class="chip ${TONES[status]}">${number} ${status}</li>`
    })
    .join('')
}

function toTotals({ counts }: DiffReport): string {
  const words = toItemCounts(counts)
  return words === '' ? '' : `\n<p class="soft">Items: ${words}</p>`
}

function toViewers(id: string, tone: string, title: string, called: readonly CalledOut[]): string {
  if (called.length === 0) return ''
  const rows = called.map((each) => {
    const { title: menu, menu: number } = each.shown
    const why = toCalledWords(each, (data) => label(data, null), ARROW)
    return `<li><a href="#menu-${number}">${text(menu)}</a> ${toName(each)}<br>${why}</li>`
  })
  const head = `<h2 id="${id}">${title}: ${count(called.length, 'item')}</h2>`
  return `<section class="sheet called ${tone}" aria-labelledby="${id}">${head}<ul>${rows.join('')}</ul></section>`
}

function toContents(menus: readonly MenuReport[]): string {
  if (menus.length < 3) return ''
  const rows = menus.map(
    (menu, place) =>
      `<li><a class="chip ${TONES[menu.status]}" href="#menu-${place + 1}">${text(menu.shown.title)}</a></li>`,
  )
  return `<nav class="sheet" aria-labelledby="contents"><h2 id="contents">Menus</h2><ul class="chips">${rows.join('')}</ul></nav>`
}

function toMenu({ status, name, counts, shown }: MenuReport, place: number, view: View): string {
  const id = `menu-${place + 1}`
  const state = STATES[status]
  const words = toItemCounts(counts)
  const { changes, items } = shown
  const trees = toTreesHtml(shown.trees)
  const called = name === '' ? '' : `<bdi class="soft">${text(name)}</bdi>`
  return [
    `<section class="sheet" id="${id}" aria-labelledby="${id}-title">`,
    `<div class="title"><h2 id="${id}-title">${code(shown.title)}</h2>${called}<span class="chip ${TONES[status]}">${status}</span></div>`,
    `<p class="soft">${code(shown.file)}${words === '' ? '' : `<span class="counts">${words}</span>`}</p>`,
    state === undefined ? '' : `<p>${state}</p>`,
    changes.length === 0 ? '' : toChanges(changes),
    items.length === 0 ? '' : `<h3>Changes</h3><ul class="changes">${items.map(toItem).join('')}</ul>`,
    trees === '' ? '' : `<h3>The ${text(toTreeTitle(view))}</h3>${trees}`,
    '</section>',
  ].join('')
}

function toItem(item: ShownItem): string {
  const flags = [
    item.widens ? ' <span class="chip flag">seen by more</span>' : '',
    item.narrows ? ' <span class="chip">seen by fewer</span>' : '',
  ].join('')
  const changes = item.changes.length === 0 ? '' : toChanges(item.changes)
  return `<li><span class="${item.mark}">${toSign(item.mark)}</span><div>${toName(item)}${flags}${changes}</div><span class="place">${code(item.place)}</span></li>`
}

function toName({ path, name }: Pick<ShownItem, 'path' | 'name'>): string {
  const above = path.map((each) => `<bdi>${text(each)}</bdi> › `).join('')
  return `<span class="soft">${above}</span><bdi class="name">${text(name)}</bdi>`
}

function toChanges(changes: readonly DescribedChange[]): string {
  const rows = changes.map((change) => `<div><dt>${text(change.what)}</dt><dd>${toValues(change)}</dd></div>`)
  const isFacts = changes.every(({ isFact }) => isFact === true)
  return `<dl class="values${isFacts ? ' facts' : ''}">${rows.join('')}</dl>`
}

function toValues(change: DescribedChange): string {
  const [, locale = null] = /^label \((.+)\)$/.exec(change.what) ?? []
  const toData = (data: string | null): string =>
    data === null ? '<span class="soft">none</span>' : label(data, locale)
  if (change.isFact) return toData(change.to)
  return `<span class="from">${toData(change.from)}</span>${ARROW}${toData(change.to)}`
}

function toProblems(problems: readonly Problem[]): string {
  if (problems.length === 0) return ''
  const rows = problems.map((problem) => {
    const frame =
      problem.frame === ''
        ? ''
        : `<pre tabindex="0" role="group" aria-label="${text(`${problem.path}:${problem.line}`)}">${escapeHtml(problem.frame)}</pre>`
    const tone = problem.severity === 'error' ? 'gone' : 'changed'
    return `<li><span class="chip ${tone}">${problem.severity}</span> ${text(problem.what)} ${code(toPlace(problem))}${frame}</li>`
  })
  return `<section class="sheet" aria-labelledby="problems"><h2 id="problems">New problems: ${problems.length}</h2><ul class="problems">${rows.join('')}</ul></section>`
}
