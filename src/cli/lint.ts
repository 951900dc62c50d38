import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '../config/load-config.js'
import type { Problem } from '../model/problem.js'
import type { Snapshot } from '../model/snapshot.js'
import { type CommandContext, type ConfigFlags, loadConfigOrTell, tellProblems } from './command.js'
import { count } from './count.js'
import { EXIT } from './exit-codes.js'
import { noteSetup } from './git/setup-note.js'
import { planFixes, showPlan, writeFixes } from './lint/fix.js'
import { formatReport } from './lint/formats.js'
import { type LintFormat, type LintReport, toReport, toTop } from './lint/report.js'
import { both, EVERYTHING, type ScopeAnswer, scopeOfChanges, scopeOfPaths } from './lint/scope.js'

export interface LintFlags extends ConfigFlags {
  readonly format: LintFormat
  /** More warnings than this are findings; null allows any number. */
  readonly maxWarnings: number | null
  /** Only what differs from this revision is told. */
  readonly changed?: string | undefined
  /** Whether what is safe to mend is mended. */
  readonly fix: boolean
  /** Whether the difference is shown instead. */
  readonly dryRun: boolean
}

/** Reads all menus of a configuration, as the service would. */
export type ReadMenus = (
  config: Config,
  onProgress: (read: number, total: number) => void,
) => Promise<{ readonly snapshot: Snapshot | null; readonly problems: readonly Problem[] }>

/**
 * `menuscript lint`: judges all menu files exactly as the service does; `paths` and `changed` keep what is told to some
 * of them. With `fix`, what is safe to mend is mended first.
 */
export async function lint(
  context: CommandContext,
  flags: LintFlags,
  paths: readonly string[],
  readMenus: ReadMenus,
): Promise<number> {
  const { terminal, folder } = context
  const fail = (message: string, exit: number = EXIT.usage): number => {
    terminal.err(`error: ${message}`)
    return exit
  }
  const fault = judgeDryRun(flags)
  if (fault !== null) return fail(fault)
  const missing = paths.find((path) => !existsSync(resolve(folder, path)))
  if (missing !== undefined) return fail(`there is no ${missing}`)
  const config = await loadConfigOrTell(context, flags)
  if (config === null) return EXIT.configuration
  const read = async (): Promise<Snapshot | null> => {
    const { snapshot, problems } = await readMenus(config, (done, total) =>
      terminal.progress(`reading ${done} of ${total} files`),
    )
    terminal.progress(null)
    if (snapshot === null) tellProblems(terminal, problems)
    return snapshot
  }
  const before = await read()
  if (before === null) return EXIT.configuration
  const named = scopeOfPaths(paths, folder, config, before)
  if (named.fault !== null) return fail(named.fault, named.exit)
  const changed = await scopeOf(flags.changed, config, before)
  if (changed.fault !== null) return fail(changed.fault, changed.exit)
  const scope = both(named.scope, changed.scope)
  if (scope.note !== null) terminal.err(`note: ${scope.note}`)
  const plan = flags.fix ? planFixes(before, config, folder, scope) : []
  if (flags.dryRun) {
    const shown = await showPlan(terminal, plan, flags.format)
    const { errors } = toReport(before, config, folder, scope)
    // A gate that looks at no more than this must not let a broken menu pass.
    if (errors > 0) terminal.err(`note: ${count(errors, 'error')} left to you; menuscript lint tells them`)
    return errors > 0 && shown === EXIT.fine ? EXIT.findings : shown
  }
  const { lines, fixed, isDone } = writeFixes(plan, config)
  for (const line of lines) terminal.err(line)
  const snapshot = plan.length === 0 ? before : await read()
  if (snapshot === null) return EXIT.configuration
  const top = toTop(flags.format, folder, context.environment)
  const report = { ...toReport(snapshot, config, top, scope), fixed: flags.fix ? fixed : null }
  await noteSetup(terminal, config, snapshot.problems.filter(scope.hasProblem))
  const exit = tell(context, flags, config, snapshot, report)
  return isDone ? exit : EXIT.configuration
}

async function scopeOf(
  changed: string | undefined,
  config: Config,
  snapshot: Snapshot,
): Promise<ScopeAnswer> {
  if (changed === undefined || !isThere(snapshot)) return { scope: EVERYTHING, fault: null }
  return scopeOfChanges(changed, config)
}

/** Whether the menus folder can be read. */
function isThere({ problems }: Snapshot): boolean {
  return !problems.some(({ code }) => code === 'folder-missing')
}

function judgeDryRun({ dryRun, fix, format }: LintFlags): string | null {
  if (!dryRun) return null
  if (!fix) return '--dry-run shows what --fix would do: give both'
  return format === 'text' || format === 'json' ? null : '--dry-run has the forms text and json'
}

/** Tells a report, and answers what it comes to. */
function tell(
  { terminal, version }: CommandContext,
  { format, maxWarnings }: LintFlags,
  config: Config,
  snapshot: Snapshot,
  report: LintReport,
): number {
  if (snapshot.files.length === 0 && isThere(snapshot))
    terminal.err(`note: there is no menu file in ${config.menusFolder}`)
  const text = formatReport(report, format, terminal.paintOut, version)
  if (text !== '') terminal.out(text)
  if (!isThere(snapshot)) return EXIT.configuration
  const tooManyWarnings = maxWarnings !== null && report.warnings > maxWarnings
  return report.errors > 0 || tooManyWarnings ? EXIT.findings : EXIT.fine
}
