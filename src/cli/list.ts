import { everyItem } from '../model/menu.js'
import { compareText, type Problem } from '../model/problem.js'
import type { MenuFile, Snapshot } from '../model/snapshot.js'
import { count } from '../review/count.js'
import { toReport } from '../review/lint/report.js'
import { EVERYTHING } from '../review/lint/scope.js'
import { byFile } from '../review/placed-problems.js'
import { type Site, toSeen } from '../review/site.js'
import { shorten, toTable } from '../review/table.js'
import { countByRules } from '../service/project-rules.js'
import { type CommandContext, type Flags, needConfig, note, print, reportMenuProblems } from './command.js'
import { EXIT } from './exit-codes.js'
import { readMenus } from './read-menus.js'

/** A menu file in short. Of a file that cannot be read as a menu, code, name and context are null. */
interface Row {
  readonly code: string | null
  readonly name: string | null
  readonly context: Readonly<Record<string, unknown>> | null
  /** As seen from the folder that the command runs in. */
  readonly file: string
  /** With those below others and those that are hidden. */
  readonly items: number
  readonly errors: number
  readonly warnings: number
}

const HEAD = ['CODE', 'CONTEXT', 'FILE', 'ITEMS', 'PROBLEMS']
/** Characters of a context. */
const MAX_CONTEXT = 40

/** `menuscript list`: prints every menu file with its code, context, items and problems. */
export async function list(context: CommandContext, flags: Flags<'json'>): Promise<number> {
  const config = await needConfig(context, flags)
  const snapshot = await readMenus(context, config)
  const report = toReport(snapshot, config, EVERYTHING)
  const rows = toRows(snapshot, report.problems, config)
  if (flags.json || rows.length > 0)
    print(context, flags.json, { menusFolder: config.menusFolder, menus: rows }, () =>
      toTable([HEAD, ...rows.map(toCells)]).join('\n'),
    )
  const missing = snapshot.problems.filter(({ code }) => code === 'folder-missing')
  reportMenuProblems(context.terminal, config, missing)
  if (missing.length > 0) return EXIT.configuration
  if (rows.length === 0) {
    note(context, `there is no menu file in ${config.menusFolder}; make one with menuscript new main`)
  }
  const broken = rows.filter(({ errors }) => errors > 0)
  if (broken.length > 0) {
    const have = broken.length === 1 ? 'has errors' : 'have errors'
    note(context, `${count(broken.length, 'file')} ${have}; menuscript lint reports them`)
  }
  return EXIT.fine
}

function toRows({ files }: Snapshot, problems: readonly Problem[], site: Site): readonly Row[] {
  const found = byFile(problems)
  const toRow = (each: MenuFile): Row => {
    const { menu, path } = each
    const file = toSeen(site, path)
    const { errors, warnings } = countByRules(found.get(file) ?? [], [each], site.options.lint.rules)
    const { code = null, name = null, context = null } = menu ?? {}
    const items = menu === null ? 0 : [...everyItem(menu.items)].length
    return { code, name, context, file, items, errors, warnings }
  }
  return files.map(toRow).sort(compareRows)
}

/** By code; of one code the menu without context first; files without a code last. */
function compareRows(a: Row, b: Row): number {
  if ((a.code === null) !== (b.code === null)) return a.code === null ? 1 : -1
  const keys = ({ code, context }: Row): string =>
    `${code} ${isPlain(context) ? '' : JSON.stringify(context)}`
  return compareText(keys(a), keys(b)) || compareText(a.file, b.file)
}

function toCells({ code, context, file, items, errors, warnings }: Row): readonly string[] {
  const problems = [
    ...(errors > 0 ? [count(errors, 'error')] : []),
    ...(warnings > 0 ? [count(warnings, 'warning')] : []),
  ]
  return [
    code ?? '?',
    isPlain(context) ? '-' : shorten(JSON.stringify(context), MAX_CONTEXT),
    file,
    code === null ? '-' : String(items),
    problems.join(', ') || '-',
  ]
}

function isPlain(context: Row['context']): boolean {
  return context === null || Object.keys(context).length === 0
}
