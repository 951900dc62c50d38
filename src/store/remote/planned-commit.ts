import { done, failed, type Result } from '../../model/result.js'
import { toReason } from '../../service/log.js'
import type { Rules } from '../../service/project-rules.js'
import { menuTreePath } from '../git/commit-tree.js'
import type { Edit, MenusPlace, Published, PublishFault } from '../publish/plan.js'
import { type JudgedEdits, type Judging, judgeEdits } from '../publish/publish.js'
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
export interface PlannedCommit extends JudgedEdits {
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
  const { value: judged, fault } = await judgeEdits(deps, wanted)
  if (fault !== null) return failed(fault)
  const { changed } = judged
  const planned = { ...judged, parent: remote.state().commit }
  if (isDry || changed.length === 0) return done({ ...planned, commit: null })
  const message = await deps.toMessage(changed, occasion ?? judged.occasion)
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
