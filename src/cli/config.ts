import type { Config } from '../config/load-config.js'
import { OPTION_ROWS, optionAt, SECRETS } from '../config/option-table.js'
import { toVisible } from '../document/source.js'
import { isError } from '../model/problem.js'
import type { Paint } from '../review/ink.js'
import { toTable } from '../review/table.js'
import { type CommandContext, type Flags, loadConfigOf, note, print, reportProblems } from './command.js'
import type { Ending } from './exit-codes.js'

/** `menuscript config`: prints every option with its value and where it came from. */
export async function printConfig(context: CommandContext, flags: Flags<'json'>): Promise<Ending> {
  const config = await loadConfigOf(context, flags)
  note(context, ...config.notes)
  const { file, menusFolder, problems } = config
  const rows = toRows(config)
  const json = { file, menusFolder, options: Object.fromEntries(rows), problems }
  print(context, flags.json, json, (paint) => toText(config, rows, paint))
  reportProblems(context.terminal, problems)
  return problems.some(isError) ? 'configuration' : 'fine'
}

type Row = readonly [name: string, option: { readonly value: unknown; readonly from: string }]

function toRows({ options, origins }: Config): readonly Row[] {
  return OPTION_ROWS.filter(({ isAlias }) => !isAlias).map(({ name }) => {
    const value = optionAt(options, name) ?? null
    const { kind, where } = origins.get(name) ?? { kind: 'default', where: '' }
    const shown = SECRETS.includes(name) && value !== null ? '(secret)' : value
    return [name, { value: shown, from: where === '' ? kind : where }]
  })
}

/** Characters of a value. */
const MAX_VALUE = 60

function toText({ file, menusFolder }: Config, rows: readonly Row[], paint: Paint): string {
  const cells = rows.map(([name, { value, from }]) => [name, JSON.stringify(value), from])
  const toPainted = (cell: string, column: number, row: number): string => {
    if (column === 0) return cell
    return column === 2 || rows[row]?.[1].from === 'default' ? paint.dim(cell) : paint.bold(cell)
  }
  return [
    `${paint.dim('file ')} ${toVisible(file ?? 'none')}`,
    `${paint.dim('menus')} ${toVisible(menusFolder)}`,
    '',
    ...toTable(cells, { limits: [MAX_VALUE, MAX_VALUE], paint: toPainted }),
  ].join('\n')
}
