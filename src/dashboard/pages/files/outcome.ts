import type { Problem } from '../../../model/problem.js'
import { changesOf } from '../../../review/diff/change-sentences.js'
import type { Published } from '../../../store/publish/plan.js'
import type { Publication } from '../../../store/publish/publish.js'
import type { Editing } from '../../api/editing.js'
import { toFileValue } from '../../api/editing.js'
import { toDiff } from '../../api/publish-records.js'
import { pathTo } from '../path-to.js'
import type { Texts } from '../texts/en.js'

/** Lines of a difference, changes and problems that a page shows. */
const MOST_LINES = 2_000
const MOST_CHANGES = 200
export const MOST_PROBLEMS = 50

/** What becomes of a file: in the words of the page, and as a unified difference. */
export interface ShownChange {
  readonly changes: readonly string[]
  readonly diff: readonly string[]
}

/** Null where nothing changes. */
export function toShownChange(editing: Editing, file: Published, t: Texts): ShownChange | null {
  const lines = toDiff(file).trimEnd().split('\n')
  if (lines.length < 2) return null
  const changes = editing.compare([file]).menus.flatMap((menu) => changesOf(menu, t.changes))
  return {
    changes: changes.slice(0, MOST_CHANGES),
    diff: lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES), '…'] : lines,
  }
}

/** The page that says what became of a publish. */
export function toPublishedPath(home: string, { files, commit }: Publication): string {
  return toOutcomePath(home, { file: '', version: null, ...files.map(toFileValue)[0], commit })
}

/** The same of one file, as the management API answers it. */
export function toOutcomePath(home: string, { file, version, commit }: PublishedFile): string {
  const outcome = commit === null ? {} : { commit: commit.kind === 'committed' ? commit.commit : 'none' }
  return pathTo(home, 'review', { file, published: version ?? '', ...outcome })
}

export interface PublishedFile extends Pick<Publication, 'commit'> {
  readonly file: string
  readonly version: string | null
}

/** The first problems, errors first. */
export function firstOf(problems: readonly Problem[]): readonly Problem[] {
  return problems.toSorted((a, b) => a.severity.localeCompare(b.severity)).slice(0, MOST_PROBLEMS)
}
