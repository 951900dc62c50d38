import { isError, toAdvice } from '../../../model/problem.js'
import { done, failed } from '../../../model/result.js'
import { problemOf } from '../../api/faults.js'
import type { Answered, Call } from '../page.js'
import type { Shown } from '../shown.js'

/** Problems that the page lists. */
const MOST = 20

/** What is shown of a file that cannot be read as a menu. */
export function brokenPage({ current }: Shown, { t }: Call, file: string): Answered {
  const found = current().files.find(({ path }) => path === file)
  if (found === undefined) return failed(problemOf('no-file'))
  const problems = found.problems.filter(isError).slice(0, MOST)
  const model = { title: t.editor.brokenTitle, current: 'menus', file, problems, adviceOn: toAdvice }
  return done({ template: 'broken', model, status: 200 })
}
