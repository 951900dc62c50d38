import { derived } from '../../model/derived.js'
import type { Problem, ProblemCounts } from '../../model/problem.js'
import type { Snapshot } from '../../model/snapshot.js'
import { byFile } from '../../review/problem-text.js'
import { countByRules, judgeByRules, type Rules } from '../../service/project-rules.js'
import type { Workspace } from '../deeds/workspace.js'
import type { Page } from '../page.js'

/** Problems of one page. */
const MOST = 200

/** What is wrong with the files of a snapshot, as a project judges it. */
interface Judged {
  readonly problems: readonly Problem[]
  readonly counts: ProblemCounts
}

/** Judges snapshots, each once. */
export function createJudge(rules: Rules): (snapshot: Snapshot) => Judged {
  return derived(({ problems: found, files }) => {
    const problems = judgeByRules(found, rules)
    return { problems, counts: countByRules(problems, files, rules) }
  })
}

/** All problems, by file. */
export function problemsPage({ current }: Workspace, judge: (snapshot: Snapshot) => Judged): Page {
  return {
    role: 'view',
    show: ({ t }) => {
      const { problems, counts } = judge(current())
      const listed = problems.slice(0, MOST)
      const model = {
        title: t.problems.title,
        current: 'problems',
        counts,
        files: [...byFile(listed)].map(([file, of]) => ({ file, problems: of })),
        omitted: counts.errors + counts.warnings - listed.length,
      }
      return { template: 'problems', model }
    },
  }
}
