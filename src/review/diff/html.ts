import { createHash } from 'node:crypto'
import type { ToldChange } from '../../change/compare/words.js'
import { escapeHtml } from '../../render/escape.js'
import { count } from '../count.js'
import { toCounts, toItemCounts } from './counts.js'
import { code, label, text } from './html-data.js'
import { STYLE } from './html-style.js'
import { toSign, toTreesHtml } from './html-tree.js'
import type { CalledOut, DiffReport, Mark, MenuReport, MenuStatus, ToldItem } from './report.js'
import { STATES, treeTitle } from './text.js'
import { countBelow, EXPOSED, fileOf, tellItems, tellMenu, titleOf } from './told.js'

const TONES: Readonly<Record<MenuStatus, Mark>> = {
  added: 'new',
  removed: 'gone',
  changed: 'changed',
  moved: 'moved',
  broken: 'gone',
  mended: 'new',
}

/** A report as one page that needs nothing else: no script, no request, and a policy that allows none. */
export function toDiffHtml(report: DiffReport): string {
  const { menus, base, head, unchanged } = report
  const hash = createHash('sha256').update(STYLE).digest('base64')
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'`
  const same = unchanged === 0 ? '' : `<li class="chip">${unchanged} unchanged</li>`
  const chips = menus.length === 0 ? `<li class="chip">nothing changed</li>` : toChips(report)
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
<p class="soft range">${text(base)}<span class="arrow" aria-hidden="true">→</span><span class="hidden">to</span>${text(head)}</p>
<ul class="chips">${chips}${same}</ul>${toTotals(report)}
</header>
<main>
${[...toViewers(report), toContents(menus), ...menus.map((menu, place) => toMenu(menu, place, report)), toProblems(report)].filter((part) => part !== '').join('\n')}
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

/** Who sees more, and who sees less. */
function toViewers({ menus, widened, narrowed }: DiffReport): readonly string[] {
  const toBlock = (
    id: string,
    tone: string,
    title: string,
    called: readonly CalledOut[],
  ): readonly string[] => {
    if (called.length === 0) return []
    const rows = called.map((each) => toCalled(each, menus.indexOf(each.menu) + 1))
    const head = `<h2 id="${id}">${title}: ${count(called.length, 'item')}</h2>`
    return [
      `<section class="sheet called ${tone}" aria-labelledby="${id}">${head}<ul>${rows.join('')}</ul></section>`,
    ]
  }
  const sign = '<span aria-hidden="true">⚠ </span>'
  return [
    ...toBlock('wider', 'warning', `${sign}Seen by more viewers`, widened),
    ...toBlock('narrower', '', 'Seen by fewer viewers', narrowed),
  ]
}

function toCalled({ menu, item, change, below }: CalledOut, place: number): string {
  const values = change.isFact ? `leads to ${toValues(change)}, ${EXPOSED}` : toValues(change)
  const who = `<br>${values}${text(countBelow(below))}`
  return `<li><a href="#menu-${place}">${text(titleOf(menu))}</a> ${toName(item)}${who}</li>`
}

function toContents(menus: readonly MenuReport[]): string {
  if (menus.length < 3) return ''
  const rows = menus.map(
    (menu, place) =>
      `<li><a class="chip ${TONES[menu.status]}" href="#menu-${place + 1}">${text(titleOf(menu))}</a></li>`,
  )
  return `<nav class="sheet" aria-labelledby="contents"><h2 id="contents">Menus</h2><ul class="chips">${rows.join('')}</ul></nav>`
}

function toMenu(menu: MenuReport, place: number, report: DiffReport): string {
  const id = `menu-${place + 1}`
  const state = STATES[menu.status]
  const title = code(titleOf(menu))
  const counts = toItemCounts(menu.counts)
  const name = menu.name === '' ? '' : `<bdi class="soft">${text(menu.name)}</bdi>`
  const fields = tellMenu(menu)
  const items = tellItems(menu)
  const trees = toTreesHtml(menu, report)
  return [
    `<section class="sheet" id="${id}" aria-labelledby="${id}-title">`,
    `<div class="title"><h2 id="${id}-title">${title}</h2>${name}<span class="chip ${TONES[menu.status]}">${menu.status}</span></div>`,
    `<p class="soft">${code(fileOf(menu))}${counts === '' ? '' : `<span class="counts">${counts}</span>`}</p>`,
    state === undefined ? '' : `<p>${state}</p>`,
    fields.length === 0 ? '' : toTold(fields),
    items.length === 0 ? '' : `<h3>Changes</h3><ul class="changes">${items.map(toItem).join('')}</ul>`,
    trees === '' ? '' : `<h3>The ${text(treeTitle(report))}</h3>${trees}`,
    '</section>',
  ].join('')
}

function toItem(item: ToldItem): string {
  const flags = [
    item.widens ? ' <span class="chip flag">seen by more</span>' : '',
    item.narrows ? ' <span class="chip">seen by fewer</span>' : '',
  ].join('')
  const changes = item.changes.length === 0 ? '' : toTold(item.changes)
  return `<li><span class="${item.mark}">${toSign(item.mark)}</span><div>${toName(item)}${flags}${changes}</div><span class="place">${code(item.place)}</span></li>`
}

function toName({ path, name }: ToldItem): string {
  const above = path.map((each) => `<bdi>${text(each)}</bdi> › `).join('')
  return `<span class="soft">${above}</span><bdi class="name">${text(name)}</bdi>`
}

function toTold(changes: readonly ToldChange[]): string {
  const rows = changes.map((change) => `<div><dt>${text(change.what)}</dt><dd>${toValues(change)}</dd></div>`)
  const isFacts = changes.every(({ isFact }) => isFact === true)
  return `<dl class="told${isFacts ? ' facts' : ''}">${rows.join('')}</dl>`
}

function toValues(change: ToldChange): string {
  const [, locale = null] = /^label \((.+)\)$/.exec(change.what) ?? []
  const tell = (data: string | null): string =>
    data === null ? '<span class="soft">none</span>' : label(data, locale)
  if (change.isFact) return tell(change.to)
  return `<span class="from">${tell(change.from)}</span><span class="arrow" aria-hidden="true">→</span><span class="hidden"> to </span>${tell(change.to)}`
}

function toProblems({ problems }: DiffReport): string {
  if (problems.length === 0) return ''
  const rows = problems.map(({ problem, file }) => {
    const frame =
      problem.frame === ''
        ? ''
        : `<pre tabindex="0" role="group" aria-label="${text(`${file}:${problem.line}`)}">${escapeHtml(problem.frame)}</pre>`
    const tone = problem.severity === 'error' ? 'gone' : 'changed'
    return `<li><span class="chip ${tone}">${problem.severity}</span> ${text(problem.what)} ${code(`${file}:${problem.line}:${problem.column}`)}${frame}</li>`
  })
  return `<section class="sheet" aria-labelledby="problems"><h2 id="problems">New problems: ${problems.length}</h2><ul class="problems">${rows.join('')}</ul></section>`
}
