import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { toPlainJson } from '../model/plain-json.js'
import { count } from '../review/count.js'
import { planFixes, toFixReport, writeFixes } from '../review/lint/fix-files.js'
import { LINT_WRITERS, toReport } from '../review/lint/report.js'
import { hasFolder, toScope } from '../review/lint/scope.js'
import { type LintFormat, toTop } from '../review/lint/top-folder.js'
import { refuse } from '../review/refusal.js'
import { toUnifiedDiff } from '../review/unified-diff.js'
import { type CommandContext, type Flags, needMenus, note } from './command.js'
import type { Ending } from './exit-codes.js'
import { readMenus } from './read-menus.js'
import { noteSetup } from './setup-note.js'

type LintFlags = Flags<'fix' | 'dryRun' | 'json', 'changed'> & {
  readonly format: LintFormat
  /** More warnings than this are findings. */
  readonly maxWarnings?: number
}

/**
 * `menuscript lint`: judges all menu files exactly as the service does; `paths` and `changed` limit the report to some of
 * them. With `fix`, what is safe to fix is fixed first.
 */
export async function lint(
  context: CommandContext,
  flags: LintFlags,
  paths: readonly string[],
): Promise<Ending> {
  const { terminal, folder, environment, version } = context
  const { fix, dryRun, maxWarnings = Number.POSITIVE_INFINITY } = flags
  const format = flags.json ? 'json' : flags.format
  if (dryRun && !fix) refuse('usage', '--dry-run requires --fix')
  if (dryRun && format !== 'text' && format !== 'json')
    refuse('usage', '--dry-run supports the formats text and json')
  const missing = paths.find((path) => !existsSync(resolve(folder, path)))
  if (missing !== undefined) refuse('usage', `there is no ${missing}`)
  const site = await needMenus(context, flags, fix && !dryRun ? 'write' : 'read')
  const before = await readMenus(context, site)
  const scope = await toScope(paths, flags.changed ?? null, site, before)
  note(context, scope.note)
  const plan = fix ? planFixes(before, site, scope) : []
  const difference = dryRun ? plan.map(toUnifiedDiff).join('') : ''
  const { lines, fixed, isDone } = toFixReport(dryRun ? plan : writeFixes(plan, site), !dryRun)
  for (const line of lines) terminal.err(line)
  if (dryRun) {
    if (format === 'json') terminal.out(toPlainJson({ version: 1, fixed, difference }, 2))
    // A patch for `git apply` is its bytes: its last lines may be blank, and count.
    else terminal.write(new TextEncoder().encode(difference))
    const { errors } = toReport(before, site, scope)
    // A gate that only runs this preview must not let a broken menu pass.
    if (errors > 0)
      note(context, `${count(errors, 'error')} left to fix by hand; menuscript lint reports them`)
    if (!isDone) return 'configuration'
    return errors > 0 || difference !== '' ? 'findings' : 'fine'
  }
  const snapshot = plan.length === 0 ? before : await readMenus(context, site)
  const top = { ...site, folder: toTop(format, folder, environment) }
  const report = { ...toReport(snapshot, top, scope), fixed: fix ? fixed : null }
  await noteSetup(context, site, snapshot.problems.filter(scope.hasProblem))
  if (snapshot.files.length === 0 && hasFolder(snapshot))
    note(context, `there is no menu file in ${site.menusFolder}`)
  const text = LINT_WRITERS[format](report, terminal.paintOut, version)
  if (text !== '') terminal.out(text)
  if (!isDone || !hasFolder(snapshot)) return 'configuration'
  return report.errors > 0 || report.warnings > maxWarnings ? 'findings' : 'fine'
}
