import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '../config/load-config.js'
import { toSettings } from '../config/settings.js'
import { labelChain, lookUpLocale } from '../model/locale.js'
import { toReason } from '../service/log.js'
import { type CommandContext, type ConfigFlags, loadConfigOrTell, tellProblems, toSeen } from './command.js'
import { buildReport } from './diff/build.js'
import { type DiffFormat, formatDiff } from './diff/formats.js'
import type { DiffReport } from './diff/report.js'
import { readSides, type Sides } from './diff/sides.js'
import { EXIT } from './exit-codes.js'
import { toKeys } from './flag-values.js'
import { noteSetup } from './git/setup-note.js'
import { toPaint } from './ink.js'
import { toReading } from './reading.js'

export interface DiffFlags extends ConfigFlags {
  readonly format: DiffFormat
  readonly locale?: string | undefined
  /** Separated by commas. */
  readonly permissions?: string | undefined
  readonly code?: string | undefined
  /** Where to write instead of standard output. */
  readonly output?: string | undefined
  /** What is a finding. */
  readonly failOn?: FailOn | undefined
}

export type FailOn = 'changes' | 'widened'
export const FAIL_ON: readonly FailOn[] = ['changes', 'widened']

/** `menuscript diff`: what a change does to the menus, menu by menu and item by item. */
export async function diff(context: CommandContext, flags: DiffFlags, range: string | null): Promise<number> {
  const { terminal, folder } = context
  const config = await loadConfigOrTell(context, flags)
  if (config === null) return EXIT.configuration
  const { locales } = toSettings(config.options)
  const locale =
    flags.locale === undefined ? locales.defaultLocale : lookUpLocale(flags.locale, locales.locales)
  if (locale === null) {
    const known = locales.locales.join(', ')
    terminal.err(`error: --locale ${JSON.stringify(flags.locale)} is none of the locales (${known})`)
    return EXIT.usage
  }
  const { reading, problems } = await toReading(config)
  if (reading === null) {
    tellProblems(terminal, problems)
    return EXIT.configuration
  }
  const { value: sides, fault } = await readSides(range, config, reading, flags.code ?? null)
  if (fault !== null) {
    terminal.err(`error: ${fault.what}. ${fault.todo}`)
    return fault.isUsage ? EXIT.usage : EXIT.configuration
  }
  tellMissing(context, sides, config)
  await noteSetup(terminal, config, sides.head.state?.snapshot.problems ?? [])
  const report = buildReport(sides, {
    limits: reading.limits,
    rules: config.options.lint.rules,
    locale,
    chain: labelChain(locale, locales),
    viewer: flags.permissions === undefined ? null : toKeys(flags.permissions),
    code: flags.code ?? null,
    fileOf: (path) => toSeen(folder, config.menusFolder, path),
  })
  const paint = flags.output === undefined ? terminal.paintOut : toPaint(false)
  const text = formatDiff(report, flags.format, paint)
  if (flags.output === undefined) terminal.out(text)
  else if (!written(context, flags.output, text)) return EXIT.configuration
  return isFinding(report, flags.failOn) ? EXIT.findings : EXIT.fine
}

function isFinding(report: DiffReport, failOn: FailOn | undefined): boolean {
  // What cannot be compared may hide anything: a gate stays closed.
  const isUnknown = report.menus.some(({ status }) => status === 'broken' || status === 'mended')
  if (failOn === 'widened') return isUnknown || report.widened.length > 0
  return failOn === 'changes' && (report.menus.length > 0 || report.problems.length > 0)
}

function tellMissing({ terminal }: CommandContext, { base, head }: Sides, { menusFolder }: Config): void {
  for (const { state, title } of [base, head]) {
    if (state === null) terminal.err(`note: there is no folder ${menusFolder} in ${title}`)
  }
}

function written({ terminal, folder }: CommandContext, file: string, text: string): boolean {
  try {
    writeFileSync(resolve(folder, file), `${text}\n`)
    return true
  } catch (thrown) {
    terminal.err(`error: ${file} cannot be written: ${toReason(thrown)}`)
    return false
  }
}
