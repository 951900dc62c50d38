import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '../config/load-config.js'
import type { Problem } from '../model/problem.js'
import type { Snapshot } from '../model/snapshot.js'
import { countByRules, judgeByRules } from '../service/project-rules.js'
import { type CommandContext, type ConfigFlags, loadConfigOrTell, tellProblems, toSeen } from './command.js'
import { EXIT } from './exit-codes.js'
import { formatReport } from './lint-formats.js'
import type { LintFormat, LintReport } from './lint-report.js'
import { both, EVERYTHING, type Scope, scopeOfChanges, scopeOfPaths } from './lint-scope.js'

export interface LintFlags extends ConfigFlags {
  readonly format: LintFormat
  /** More warnings than this are findings; null allows any number. */
  readonly maxWarnings: number | null
  /** Only what differs from this revision is told. */
  readonly changed?: string | undefined
}

/** Reads all menus of a configuration, as the service would. */
export type ReadMenus = (
  config: Config,
  onProgress: (read: number, total: number) => void,
) => Promise<{ readonly snapshot: Snapshot | null; readonly problems: readonly Problem[] }>

/**
 * `menuscript lint`: judges all menu files exactly as the service does; `paths` and `changed` keep what is told to some
 * of them.
 */
export async function lint(
  context: CommandContext,
  flags: LintFlags,
  paths: readonly string[],
  readMenus: ReadMenus,
): Promise<number> {
  const { terminal, folder, version } = context
  const fail = (message: string): number => {
    terminal.err(`error: ${message}`)
    return EXIT.usage
  }
  const missing = paths.find((path) => !existsSync(resolve(folder, path)))
  if (missing !== undefined) return fail(`there is no ${missing}`)
  const config = await loadConfigOrTell(context, flags)
  if (config === null) return EXIT.configuration
  const { snapshot, problems } = await readMenus(config, (read, total) =>
    terminal.progress(`reading ${read} of ${total} files`),
  )
  terminal.progress(null)
  if (snapshot === null) {
    tellProblems(terminal, problems)
    return EXIT.configuration
  }
  const isThere = !snapshot.problems.some(({ code }) => code === 'folder-missing')
  const named = scopeOfPaths(paths, folder, config, snapshot)
  if (named.fault !== null) return fail(named.fault)
  const changed =
    flags.changed === undefined || !isThere
      ? { scope: EVERYTHING, fault: null }
      : await scopeOfChanges(flags.changed, config)
  if (changed.fault !== null) return fail(changed.fault)
  const scope = both(named.scope, changed.scope)
  if (scope.note !== null) terminal.err(`note: ${scope.note}`)
  const report = toReport(snapshot, config, folder, scope)
  if (snapshot.files.length === 0) terminal.err(`note: there is no menu file in ${config.menusFolder}`)
  const text = formatReport(report, flags.format, terminal.paintOut, version)
  if (text !== '') terminal.out(text)
  if (!isThere) return EXIT.configuration
  const tooManyWarnings = flags.maxWarnings !== null && report.warnings > flags.maxWarnings
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
