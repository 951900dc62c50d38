import type { FieldChange } from '../../../change/compare/field-changes.js'
import { isList, isMap, type Json } from '../../../model/json.js'
import { toLabelText } from '../../../model/label.js'
import { labelChain } from '../../../model/locale.js'
import type { Problem } from '../../../model/problem.js'
import { pageOf } from '../../../model/route.js'
import { toShortTime } from '../../../model/short-time.js'
import { changesIn } from '../../../review/diff/report.js'
import { nextTurn } from '../../../store/pause.js'
import type { Published } from '../../../store/publish/plan.js'
import type { Publication } from '../../../store/publish/queue.js'
import { toDiff } from '../../deeds/publish-records.js'
import type { Workspace } from '../../deeds/workspace.js'
import { toFileValue } from '../../deeds/workspace.js'
import type { Texts } from '../../texts/language.js'
import { createPathTo } from '../path-to.js'
import { isVisibleNow } from '../times.js'
import { type ChangeRow, toChangeRows } from './change-rows.js'

/** Lines of a difference, changes and problems that a page shows. */
const MOST_LINES = 2_000
const MOST_CHANGES = 200
const MOST_PROBLEMS = 50

/** What becomes of a file: in the words of the page, and as a unified difference. */
export interface ShownChange {
  readonly changes: readonly ChangeRow[]
  /** How many items go. */
  readonly removed: number
  readonly diff: readonly string[]
}

/** Null where nothing changes. */
export async function toShownChange(
  workspace: Workspace,
  file: Published,
  t: Texts,
): Promise<ShownChange | null> {
  const lines = toDiff(file).trimEnd().split('\n')
  if (lines.length < 2) return null
  await nextTurn()
  const { menus } = await workspace.compare([file])
  await nextTurn()
  // The template shows times in the zone of the browser.
  const words = withWords(workspace, t, (time) => time)
  const changes = menus.flatMap((menu) =>
    toChangeRows(menu, words, workspace.settings.locales, file.after?.value),
  )
  return {
    changes: changes.slice(0, MOST_CHANGES),
    removed: menus.reduce((sum, { counts }) => sum + counts.removed, 0),
    diff: lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES), '…'] : lines,
  }
}

/** Texts that say values in words: pages and permissions by the names that people have for them, parameters without marks, dates as dates. */
export function withWords(
  { settings: { routes, locales, permissions } }: Workspace,
  t: Texts,
  toTime = (time: string): string => toShortTime(time, t.lang, 'UTC'),
): Texts {
  const chain = labelChain(t.lang, locales)
  const inWords = (key: string, value: Json): string | null => {
    if (key === 'routeName') return pageOf(routes, value, chain)?.text || null
    if (key === 'routeParams' && isMap(value)) {
      const texts = Object.entries(value).map(([name, each]) =>
        [name, typeof each === 'string' ? each : JSON.stringify(each)].join(' = '),
      )
      return texts.join(', ')
    }
    if (key === 'permissions' && isList(value))
      return value.map((each) => toLabelText(permissions?.get(String(each)), chain).text || each).join(', ')
    const isTime = key === 'visibleFrom' || key === 'visibleUntil'
    return isTime && typeof value === 'string' ? toTime(value) : null
  }
  const remark = ({ key, from, to }: FieldChange): string | null => {
    const [was, is] = [from, to].map((value) => isVisibleNow({ [key]: value ?? null }))
    if (!was || is) return null
    return key === 'visibleFrom' ? t.itemForm.closesUntil : t.itemForm.closesNow
  }
  return { ...t, changes: { ...t.changes, inWords, remark } }
}

/** The page of the menu, which says what became of a publish; `unchanged` is the file of one that changed nothing. */
export async function toPublishedPath(
  { compare, home }: Workspace,
  { files, commit }: Publication,
  unchanged: string = '',
): Promise<string> {
  const [first] = files
  const { file, version } = first === undefined ? { file: unchanged, version: '' } : toFileValue(first)
  const { menus } = first?.before && first.after ? await compare([first]) : { menus: [] }
  const changes = menus.reduce((sum, menu) => sum + changesIn(menu), 0)
  // What is as the last commit has it needs no word.
  const outcome =
    commit === null || commit.kind === 'unchanged'
      ? {}
      : { commit: commit.kind === 'committed' ? commit.commit : 'none' }
  const more = { published: version ?? '', ...(changes > 0 && { changes: String(changes) }), ...outcome }
  return createPathTo(home)('edit', file, more)
}

/** The first problems, errors first. */
export function firstOf(problems: readonly Problem[]): readonly Problem[] {
  return problems.toSorted((a, b) => a.severity.localeCompare(b.severity)).slice(0, MOST_PROBLEMS)
}
