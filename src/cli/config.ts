import type { Config } from '../config/load-config.js'
import { OPTION_ROWS, SECRETS, valueAt } from '../config/option-table.js'
import { toVisible } from '../document/source.js'
import { isError } from '../model/problem.js'
import { toPlainJson } from '../review/plain-json.js'
import { type CommandContext, type ConfigFlags, loadConfigOf, reportProblems } from './command.js'
import { EXIT } from './exit-codes.js'

export interface ConfigCommandFlags extends ConfigFlags {
  readonly json: boolean
}

/** `menuscript config`: prints every option with its value and where it came from. */
export async function printConfig(context: CommandContext, flags: ConfigCommandFlags): Promise<number> {
  const { terminal } = context
  const config = await loadConfigOf(context, flags)
  for (const note of config.notes) terminal.err(`note: ${note}`)
  const rows = toRows(config)
  if (flags.json) terminal.out(toPlainJson(toJson(config, rows), 2))
  else printRows(context, config, rows)
  reportProblems(terminal, config.problems)
  return config.problems.some(isError) ? EXIT.configuration : EXIT.fine
}

interface Row {
  readonly name: string
  readonly value: unknown
  readonly from: string
}

function toRows({ options, origins }: Config): Row[] {
  return OPTION_ROWS.filter(({ isAlias }) => !isAlias).map(({ name }) => {
    const value = valueAt(options, name) ?? null
    const { kind, where } = origins.get(name) ?? { kind: 'default', where: '' }
    const shown = SECRETS.includes(name) && value !== null ? '(secret)' : value
    return { name, value: shown, from: where === '' ? kind : where }
  })
}

function toJson({ file, menusFolder, problems }: Config, rows: readonly Row[]): unknown {
  const options = Object.fromEntries(rows.map(({ name, value, from }) => [name, { value, from }]))
  return { version: 1, file, menusFolder, options, problems }
}

const MAX_VALUE = 60

function printRows({ terminal }: CommandContext, { file, menusFolder }: Config, rows: readonly Row[]): void {
  const { out, paintOut } = terminal
  out(
    `${paintOut.dim('file ')} ${toVisible(file ?? 'none')}\n${paintOut.dim('menus')} ${toVisible(menusFolder)}\n`,
  )
  const width = Math.max(...rows.map(({ name }) => name.length))
  for (const { name, value, from } of rows) {
    const text = toVisible(JSON.stringify(value))
    const shown = text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE - 1)}…` : text
    const colour = from === 'default' ? paintOut.dim : paintOut.bold
    out(`${name.padEnd(width)}  ${colour(shown.padEnd(MAX_VALUE))}  ${paintOut.dim(toVisible(from))}`)
  }
}
