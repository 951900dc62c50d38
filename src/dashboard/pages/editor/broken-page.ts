import { isError } from '../../../model/problem.js'
import type { Workspace } from '../../deeds/workspace.js'
import type { Call, PageReply } from '../../page.js'
import { Refusal } from '../../refusal.js'

/** Problems that the page lists. */
const MOST = 20

/** What is shown of a file that cannot be read as a menu. */
export function brokenPage({ current }: Workspace, { t }: Call, file: string): PageReply {
  const found = current().files.find(({ path }) => path === file)
  if (found === undefined) throw new Refusal('no-file')
  const problems = found.problems.filter(isError).slice(0, MOST)
  const model = { title: t.editor.brokenTitle, file, problems }
  return { template: 'broken', model }
}
