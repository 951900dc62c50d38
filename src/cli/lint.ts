import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '../config/load-config.js'
import { done } from '../model/result.js'
import type { Snapshot } from '../model/snapshot.js'
import type { Answer } from '../review/answer.js'
import { count } from '../review/count.js'
import { type FixedFile, planFixes, previewFixes, writeFixes } from '../review/lint/fix.js'
import { formatReport } from '../review/lint/formats.js'
import { type LintFormat, type LintReport, toReport, toTop } from '../review/lint/report.js'
import { both, EVERYTHING, type Scope, scopeOfChanges, scopeOfPaths } from '../review/lint/scope.js'
import { toPlainJson } from '../review/plain-json.js'
import { type CommandContext, type Flags, fail, need, needConfig, note } from './command.js'
import { EXIT } from './exit-codes.js'
import { readMenus } from './read-menus.js'
import { noteSetup } from './setup-note.js'

type LintFlags = Flags<'fix' | 'dryRun', 'changed'> & {
  readonly format: LintFormat
  /** More warnings than this are findings; null allows any number. */
  readonly maxWarnings: number | null
}

/**
 * `menuscript lint`: judges all menu files exactly as the service does; `paths` and `changed` limit the report to some of
 * them. With `fix`, what is safe to fix is fixed first.
 */
export async function lint(
  context: CommandContext,
  flags: LintFlags,
  paths: readonly string[],
): Promise<number> {
  const { terminal, folder } = context
  refuseDryRun(context, flags)
  const missing = paths.find((path) => !existsSync(resolve(folder, path)))
  if (missing !== undefined) fail(context, EXIT.usage, `there is no ${missing}`)
  const config = await needConfig(context, flags)
  const before = await readMenus(context, config)
  const named = need(context, scopeOfPaths(paths, folder, config, before))
  const changed = need(context, await scopeOf(flags.changed, config, before))
  const scope = both(named, changed)
  note(context, scope.note)
  const plan = flags.fix ? planFixes(before, config, folder, scope) : []
  if (flags.dryRun) {
    const shown = await preview(context, plan, flags.format)
    const { errors } = toReport(before, config, folder, scope)
    // A gate that only runs this preview must not let a broken menu pass.
    if (errors > 0)
      note(context, `${count(errors, 'error')} left to fix by hand; menuscript lint reports them`)
    return errors > 0 && shown === EXIT.fine ? EXIT.findings : shown
  }
  const { lines, fixed, isDone } = writeFixes(plan, config)
  for (const line of lines) terminal.err(line)
  const snapshot = plan.length === 0 ? before : await readMenus(context, config)
  const top = toTop(flags.format, folder, context.environment)
  const report = { ...toReport(snapshot, config, top, scope), fixed: flags.fix ? fixed : null }
  await noteSetup(context, config, snapshot.problems.filter(scope.hasProblem))
  const exit = printReport(context, flags, config, snapshot, report)
  return isDone ? exit : EXIT.configuration
}

async function scopeOf(
  changed: string | undefined,
  config: Config,
  snapshot: Snapshot,
): Promise<Answer<Scope>> {
  if (changed === undefined || !isThere(snapshot)) return done(EVERYTHING)
  return scopeOfChanges(changed, config)
}

/** Whether the menus folder can be read. */
function isThere({ problems }: Snapshot): boolean {
  return !problems.some(({ code }) => code === 'folder-missing')
}

function refuseDryRun(context: CommandContext, { dryRun, fix, format }: LintFlags): void {
  if (dryRun && !fix) fail(context, EXIT.usage, '--dry-run shows what --fix would do: give both')
  if (dryRun && format !== 'text' && format !== 'json')
    fail(context, EXIT.usage, '--dry-run has the forms text and json')
}

/** Prints what fixing would change: as text the difference alone, for `git apply`. Something to fix is a finding. */
async function preview(
  { terminal }: CommandContext,
  plan: readonly FixedFile[],
  format: LintFormat,
): Promise<number> {
  const { difference, fixed, lines, isDone } = await previewFixes(plan)
  for (const line of lines) terminal.err(line)
  if (format === 'json') terminal.out(toPlainJson({ version: 1, fixed, difference }, 2))
  // A patch is its bytes: its last lines may be blank, and count.
  else terminal.write(new TextEncoder().encode(difference))
  if (!isDone) return EXIT.configuration
  return difference === '' ? EXIT.fine : EXIT.findings
}

/** Prints a report; answers the exit code. */
function printReport(
  context: CommandContext,
  { format, maxWarnings }: LintFlags,
  config: Config,
  snapshot: Snapshot,
  report: LintReport,
): number {
  const { terminal, version } = context
  if (snapshot.files.length === 0 && isThere(snapshot))
    note(context, `there is no menu file in ${config.menusFolder}`)
  const text = formatReport(report, format, terminal.paintOut, version)
  if (text !== '') terminal.out(text)
  if (!isThere(snapshot)) return EXIT.configuration
  const tooManyWarnings = maxWarnings !== null && report.warnings > maxWarnings
  return report.errors > 0 || tooManyWarnings ? EXIT.findings : EXIT.fine
}
