import { everyItem } from '../model/menu.js'
import { compareText } from '../model/problem.js'
import type { Snapshot } from '../model/snapshot.js'
import { count } from '../review/count.js'
import { byFile } from '../review/problem-text.js'
import { type Site, toSeen } from '../review/site.js'
import { shorten, toTable } from '../review/table.js'
import { countByRules, judgeByRules } from '../service/project-rules.js'
import { type CommandContext, type Flags, needMenus, note, print, reportMenuProblems } from './command.js'
import type { Ending } from './exit-codes.js'
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
export async function list(context: CommandContext, flags: Flags<'json'>): Promise<Ending> {
  const site = await needMenus(context, flags)
  const { menusFolder } = site
  const snapshot = await readMenus(context, site)
  const rows = toRows(snapshot, site)
  if (flags.json || rows.length > 0)
    print(context, flags.json, { menusFolder, menus: rows }, () => {
      return toTable([HEAD, ...rows.map(toCells)]).join('\n')
    })
  const missing = snapshot.problems.filter(({ code }) => code === 'folder-missing')
  reportMenuProblems(context.terminal, site, missing)
  if (missing.length > 0) return 'configuration'
  if (rows.length === 0)
    note(context, `there is no menu file in ${menusFolder}; create one with menuscript new main`)
  const broken = rows.filter(({ errors }) => errors > 0).length
  if (broken > 0) {
    const have = broken === 1 ? 'has errors' : 'have errors'
    note(context, `${count(broken, 'file')} ${have}; menuscript lint reports them`)
  }
  return 'fine'
}

function toRows({ files, problems }: Snapshot, site: Site): readonly Row[] {
  const { rules } = site.options.lint
  const found = byFile(problems)
  const rows = files.map((file): Row => {
    const { code = null, name = null, context = null, items = [] } = file.menu ?? {}
    const judged = judgeByRules(found.get(file.path) ?? [], rules)
    const { errors, warnings } = countByRules(judged, [file], rules)
    const own = { file: toSeen(site, file.path), items: [...everyItem(items)].length }
    return { code, name, context, ...own, errors, warnings }
  })
  // By code; of one code the menu without context first; files without a code last, as no code has a tilde.
  const keyOf = ({ code, context }: Row): string =>
    `${code ?? '~'} ${isPlain(context) ? '' : JSON.stringify(context)}`
  return rows.sort((a, b) => compareText(keyOf(a), keyOf(b)) || compareText(a.file, b.file))
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
