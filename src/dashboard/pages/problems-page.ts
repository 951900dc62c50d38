import { derived } from '../../model/derived.js'
import { nameOf } from '../../model/label.js'
import { labelChain } from '../../model/locale.js'
import type { Problem, ProblemCounts } from '../../model/problem.js'
import type { Snapshot } from '../../model/snapshot.js'
import { byFile } from '../../review/problem-text.js'
import { countByRules, judgeByRules, type Rules } from '../../service/project-rules.js'
import { unseenInFiles } from '../deeds/viewers.js'
import type { Workspace } from '../deeds/workspace.js'
import type { Page } from '../page.js'
import { itemPointer, toAnchor } from './editor/rows.js'
import { createPathTo } from './path-to.js'

/** Problems of one page. */
const MOST = 200

/** What is wrong with the files of a snapshot, as a project judges it. */
interface Judged {
  readonly problems: readonly Problem[]
  readonly unseen: ReturnType<typeof unseenInFiles>
  /** The items that nobody sees have one cause, and are one warning. */
  readonly counts: ProblemCounts
}

/** Judges snapshots, each once. */
export function createJudge(workspace: Workspace, rules: Rules): (snapshot: Snapshot) => Judged {
  return derived(({ problems: found, files }) => {
    const problems = judgeByRules(found, rules)
    const unseen = unseenInFiles(workspace, files)
    const counts = countByRules(problems, files, rules)
    return { problems, unseen, counts: { ...counts, warnings: counts.warnings + Math.min(unseen.length, 1) } }
  })
}

/** All problems, by file. */
export function problemsPage(workspace: Workspace, judge: (snapshot: Snapshot) => Judged): Page {
  const { current, drafts, home, settings } = workspace
  const to = createPathTo(home)
  return {
    role: 'view',
    show: ({ t, operator }) => {
      const { problems, unseen, counts } = judge(current())
      const chain = labelChain(t.lang, settings.locales)
      const listed = problems.slice(0, MOST)
      const files = new Set(current().files.map(({ path }) => path))
      // Where an operator has a draft, the item may be at another place in the editor.
      const own = drafts.list().filter(({ user, steps }) => user === operator.id && steps.position > 0)
      const drafted = new Set(own.map(({ path }) => path))
      const model = {
        title: t.problems.title,
        current: 'problems',
        counts,
        files: [...byFile(listed)].map(([file, of]) => ({ file, problems: of })),
        lineHref: ({ path, line }: Problem) => (files.has(path) ? `${to('text', path)}#L${line}` : null),
        itemHref: ({ path, pointer }: Problem) => {
          const at = itemPointer(pointer)
          return at === null || drafted.has(path) ? null : `${to('edit', path, { at })}#${toAnchor(at)}`
        },
        unseen: unseen.slice(0, MOST).map(({ file, item }) => ({
          ...{ file, name: nameOf(item, chain), href: `${to('text', file)}#L${item.line}` },
        })),
        unseenCount: unseen.length,
        omitted: counts.errors + counts.warnings - Math.min(unseen.length, 1) - listed.length,
      }
      return { template: 'problems', model }
    },
  }
}
