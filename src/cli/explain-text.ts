import { toVisible } from '../document/source.js'
import { describeContext } from '../model/context.js'
import type { Paint } from '../review/ink.js'
import type { ExplainedCandidate, ExplainedItem, Explanation } from '../service/explain/explanation.js'

/** An explanation for people. */
export function toExplanationText(explanation: Explanation, paint: Paint): string {
  const { menu, candidates, notes, items } = explanation
  const rows = [
    ...toHeadRows(explanation, paint),
    '',
    paint.bold('Candidates'),
    ...candidates.map((candidate, position) => toCandidateRow(candidate, position, paint)),
    ...notes.map((note) => `  ${paint.yellow('!')} ${toVisible(note)}`),
  ]
  if (menu === null) return rows.join('\n')
  rows.push('', paint.bold('Items'))
  if (items.length === 0) rows.push('  none: the menu is empty')
  for (const item of items) rows.push(...toItemRows(item, toVisible(menu.path), 1, paint))
  return rows.join('\n')
}

function toHeadRows({ asOf, code, menu, locale, viewer }: Explanation, paint: Paint): string[] {
  const row = (name: string, text: string): string => `${paint.bold(name.padEnd(6))} ${toVisible(text)}`
  const place = menu === null ? 'none' : `${menu.name}, ${menu.path}:${menu.line}`
  const asked = code.asked === code.resolved ? '' : ` (for ${code.asked}: ${code.why})`
  const permissions = viewer.permissions.length === 0 ? 'no permissions' : viewer.permissions.join(', ')
  return [
    ...(asOf === null ? [] : [row('as of', asOf)]),
    row('code', `${code.resolved}${asked}`),
    row('menu', `${place}${menu?.stale === true ? ', the last good version: the file has errors now' : ''}`),
    row('locale', `${locale.effective}: ${locale.why}`),
    row('viewer', `${viewer.id ?? 'anonymous'} with ${permissions}: ${viewer.why}`),
  ]
}

function toCandidateRow(candidate: ExplainedCandidate, position: number, paint: Paint): string {
  const { context, outcome, why } = candidate
  const sign = { won: paint.green('✓'), lost: paint.red('✗'), 'not-tried': paint.dim('·') }[outcome]
  const words = toVisible(`${outcome.replace('-', ' ')}: ${why}`)
  return `  ${sign} ${position + 1}. ${paint.bold(toVisible(describeContext(context)))}  ${words}`
}

function* toItemRows(item: ExplainedItem, file: string, level: number, paint: Paint): Generator<string> {
  const { fate, label, href, icon, line, itemType, why } = item
  const shown = fate === 'shown'
  const divider = itemType === 'divider'
  const name = divider ? '─────' : toVisible(label.text)
  const leads = href === null || divider ? '' : ` → ${toVisible(href.value)}`
  const place = paint.dim(`${file}:${line}`)
  const margin = '  '.repeat(level)
  yield `${margin}${shown ? paint.green('✓') : paint.red('✗')} ${shown ? paint.bold(name) : paint.dim(name)}${leads}  ${place}`
  yield `${margin}    ${toVisible(`${fate === 'below' ? 'gone' : fate}: ${why}`)}`
  const details = [
    divider ? null : `label: ${label.why}`,
    divider || href === null ? null : `href: ${href.why}`,
    !shown || icon === null ? null : `icon: ${icon.value}, ${icon.why}`,
  ]
  for (const detail of details) if (detail !== null) yield `${margin}    ${paint.dim(toVisible(detail))}`
  for (const child of item.children) yield* toItemRows(child, file, level + 1, paint)
}
