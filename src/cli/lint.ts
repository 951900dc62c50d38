import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '../config/load-config.js'
import type { Problem } from '../model/problem.js'
import type { Snapshot } from '../model/snapshot.js'
import { countByRules, judgeByRules } from '../service/project-rules.js'
import { diffTexts } from '../store/text-diff.js'
import { type CommandContext, type ConfigFlags, loadConfigOrTell, tellProblems, toSeen } from './command.js'
import { EXIT } from './exit-codes.js'
import { type FixedFile, type FixText, notesOf, planFixes, toError, writeFixes } from './lint-fix.js'
import { formatReport } from './lint-formats.js'
import type { LintFormat, LintReport } from './lint-report.js'
import { both, EVERYTHING, type Scope, type ScopeAnswer, scopeOfChanges, scopeOfPaths } from './lint-scope.js'

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

/** What linting needs from the floors that it may not reach. */
export interface LintDoors {
  readonly readMenus: ReadMenus
  readonly fixText: FixText
}

/**
 * `menuscript lint`: judges all menu files exactly as the service does; `paths` and `changed` keep what is told to some
 * of them. With `fix`, what is safe to mend is mended first.
 */
export async function lint(
  context: CommandContext,
  flags: LintFlags,
  paths: readonly string[],
  { readMenus, fixText }: LintDoors,
): Promise<number> {
  const { terminal, folder } = context
  const fail = (message: string): number => {
    terminal.err(`error: ${message}`)
    return EXIT.usage
  }
  if (flags.dryRun && !flags.fix) return fail('--dry-run shows what --fix would do: give both')
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
  if (named.fault !== null) return fail(named.fault)
  const changed = await scopeOf(flags.changed, config, before)
  if (changed.fault !== null) return fail(changed.fault)
  const scope = both(named.scope, changed.scope)
  if (scope.note !== null) terminal.err(`note: ${scope.note}`)
  const plan = flags.fix ? planFixes(before, config, folder, scope, fixText) : []
  if (flags.dryRun) return showPlan(context, plan)
  const { lines, isDone } = writeFixes(plan, config)
  for (const line of lines) terminal.err(line)
  const snapshot = plan.length === 0 ? before : await read()
  if (snapshot === null) return EXIT.configuration
  const exit = tell(context, flags, config, snapshot, scope)
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

/** Prints what mending would change, for `git apply`. Something to mend is a finding. */
async function showPlan({ terminal }: CommandContext, plan: readonly FixedFile[]): Promise<number> {
  for (const each of plan) {
    for (const note of notesOf(each)) terminal.err(note)
    if (each.fault !== null) terminal.err(toError(each, each.fault))
  }
  const difference = await diffTexts(plan)
  if (difference !== '') terminal.out(difference.trimEnd())
  if (plan.some(({ fault }) => fault !== null)) return EXIT.configuration
  return difference === '' ? EXIT.fine : EXIT.findings
}

/** Tells what is wrong with the files of a scope, and answers what it comes to. */
function tell(
  { terminal, folder, version }: CommandContext,
  { format, maxWarnings }: LintFlags,
  config: Config,
  snapshot: Snapshot,
  scope: Scope,
): number {
  const report = toReport(snapshot, config, folder, scope)
  if (snapshot.files.length === 0) terminal.err(`note: there is no menu file in ${config.menusFolder}`)
  const text = formatReport(report, format, terminal.paintOut, version)
  if (text !== '') terminal.out(text)
  if (!isThere(snapshot)) return EXIT.configuration
  const tooManyWarnings = maxWarnings !== null && report.warnings > maxWarnings
  return report.errors > 0 || tooManyWarnings ? EXIT.findings : EXIT.fine
}

function toReport(
  { files, problems }: Snapshot,
  { menusFolder, options }: Config,
  folder: string,
  { hasFile, hasProblem }: Scope,
): LintReport {
  const { rules } = options.lint
  const asked = files.filter(({ path }) => hasFile(path))
  const judged = judgeByRules(problems.filter(hasProblem), rules)
  const seen = (path: string): string => toSeen(folder, menusFolder, path) || '.'
  return {
    files: asked.length,
    ...countByRules(judged, asked, rules),
    problems: judged.map((problem) => ({
      problem,
      file: seen(problem.path),
      related: problem.related === null ? null : seen(problem.related),
    })),
  }
}
