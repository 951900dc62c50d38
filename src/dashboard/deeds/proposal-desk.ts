import type { Config } from '../../config/load-config.js'
import type { Result } from '../../model/result.js'
import { toTreePath } from '../../store/git/repository.js'
import type { Edit } from '../../store/publish/plan.js'
import type { ContinuedBranches } from '../../store/remote/continued-branches.js'
import { createHost, toOpeningLink } from '../../store/remote/hosts/host.js'
import type { Host } from '../../store/remote/hosts/pull.js'
import type { CommitDeps } from '../../store/remote/planned-commit.js'
import { createProposals, type Proposals } from '../../store/remote/proposals.js'
import { type Proposed, type ProposeFault, type ProposeRequest, propose } from '../../store/remote/propose.js'

/** What proposals are made with. */
export interface ProposalDesk extends Proposals {
  /** Whether nothing is published without a proposal. */
  readonly isOnlyWay: boolean
  readonly host: Host | null
  /** The page that opens the pull request of a branch; null where the host is not known. */
  readonly linkOf: (branch: string) => string | null
  /** The branch that proposals are for. */
  readonly into: string
  readonly continued: ContinuedBranches
  readonly propose: (
    edits: readonly Edit[],
    request: ProposeRequest,
  ) => Promise<Result<Proposed, ProposeFault>>
}

/** What a configuration proposes with; null where it only publishes. */
export function createProposalDesk(
  { remote: place, options, menusFolder }: Config,
  committing: CommitDeps,
  continued: ContinuedBranches,
): ProposalDesk | null {
  if (place === null || place.mode === 'push') return null
  const { remote } = committing
  const host = place.host && createHost(place.host)
  const folder = toTreePath(remote.repository, menusFolder) ?? ''
  return {
    ...createProposals({ remote, host, folder, filePrefix: options.storage.file_prefix }),
    ...{ host, into: place.branch, continued },
    linkOf: (branch) => place.host && toOpeningLink(place.host, { branch, into: place.branch }),
    isOnlyWay: place.mode === 'propose',
    propose: (edits, request) => propose(committing, edits, request),
  }
}
