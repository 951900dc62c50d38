import type { MenuDocument } from '../../document/menu-document.js'
import { isError, type Problem } from '../../model/problem.js'
import { done, failed, type Result } from '../../model/result.js'
import { toReason } from '../../service/log.js'
import type { Rules } from '../../service/project-rules.js'
import { menuTreePath } from '../git/commit-tree.js'
import type { Edits } from '../menu-tree.js'
import { type Edit, type MenusPlace, type Published, type PublishFault, planEdits } from '../publish/plan.js'
import { type Judging, problemsOf } from '../publish/publish.js'
import type { Occasion, PublishRequest } from '../publish/queue.js'
import { LOCAL_USER } from '../user-names.js'
import { type Committer, makeCommit, type Onto } from './new-commit.js'
import type { Remote } from './remote.js'

export interface CommitDeps extends MenusPlace {
  readonly remote: Remote
  readonly committer: Committer
  readonly rules: Rules
  readonly store: Judging
  /** The message of the commit of some files. */
  readonly toMessage: (files: readonly Published[], occasion: Occasion) => Promise<string>
}

/** What edits make of the files that are checked out, and the commit with it. */
export interface PlannedCommit {
  readonly files: readonly Published[]
  /** Those that are not as before. */
  readonly changed: readonly Published[]
  readonly edits: Edits
  /** The warnings of these files. */
  readonly problems: readonly Problem[]
  /** What the commit stands on. */
  readonly parent: string
  /** Null in a dry run, and where nothing changes. */
  readonly commit: string | null
}

/**
 * Makes the commit of some edits: they are merged with what is checked out, and judged as `lint` does. In turn only, as what is
 * checked out must not change. `ontoOf` chooses what the commit stands on; default: the commit that is checked out.
 */
export async function planCommit(
  deps: CommitDeps,
  wanted: readonly Edit[],
  { author, isDry = false, occasion }: PublishRequest,
  ontoOf: (paths: readonly string[]) => Promise<Onto> | Onto = () => ({ parent: deps.remote.state().commit }),
): Promise<Result<PlannedCommit, PublishFault>> {
  const { remote, committer } = deps
  const { value: files, fault } = await planEdits(deps, wanted)
  if (fault !== null) return failed(fault)
  const changed = files.filter(({ before, after }) => before !== after)
  const edits = new Map(changed.map(({ path, after }): [string, MenuDocument | null] => [path, after]))
  const problems = await problemsOf(deps, edits)
  if (problems.some(isError)) return failed({ reason: 'invalid', problems, files })
  const planned = { files, changed, edits, problems, parent: remote.state().commit }
  if (isDry || changed.length === 0) return done({ ...planned, commit: null })
  const isMerged = changed.some((file) => file.isMerged === true)
  const message = await deps.toMessage(changed, occasion ?? { kind: isMerged ? 'merge' : 'edit' })
  try {
    const inTree = inRepository(deps, changed)
    const onto = await ontoOf(inTree.map(([path]) => path))
    // Who signed in by a link has no other name.
    const named = author === LOCAL_USER ? committer : { name: author, email: null }
    const wish = { ...onto, files: inTree, author: named, message }
    const commit = await makeCommit(remote.repository, wish, committer)
    return done({ ...planned, parent: onto.parent, commit })
  } catch (thrown) {
    return failed({ reason: 'failed', path: changed[0]?.path ?? '', what: toReason(thrown) })
  }
}

/** Files by their paths from the top of the repository. Throws for one that is not in it. */
function inRepository(
  deps: CommitDeps,
  files: readonly Published[],
): readonly (readonly [path: string, bytes: Uint8Array | null])[] {
  return files.map(({ path, after }) => {
    const inTree = menuTreePath(deps.remote.repository, deps, path)
    if (inTree === null) throw new Error(`${JSON.stringify(path)} is not in the repository`)
    return [inTree, after === null ? null : after.bytes]
  })
}
