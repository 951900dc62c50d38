import { LRUCache } from 'lru-cache'
import { toReason } from '../../service/log.js'
import { isMenuIn } from '../git/commit-tree.js'
import { changedPaths, mergeBase, mergedTree } from '../git/merged-tree.js'
import { hashOf, must } from '../git/repository.js'
import type { Host, Pull } from './hosts/pull.js'
import { type Branches, fetchBranches, knownBranches } from './proposed-branches.js'
import type { Remote } from './remote.js'

/** A branch with changes that are not live. */
export interface Proposal {
  readonly branch: string
  readonly commit: string
  /** The commit that it has in common with what is served. */
  readonly base: string
  readonly title: string
  /** The author of its first commit. */
  readonly author: string
  /** When it was changed last, in milliseconds since 1970. */
  readonly changed: number
  /** The menu files that it changes, from the menus folder. */
  readonly files: readonly string[]
  /** `conflicts`: git cannot merge it with what is served by now. */
  readonly state: 'open' | 'conflicts'
  /** Its open pull request; null where there is none, or the host is away. */
  readonly pull: Pull | null
}

/** The open proposals, the one that was changed last first. */
export interface ProposalList {
  readonly proposals: readonly Proposal[]
  /** What could not be reached, and why; what it would say is as it was, or missing. */
  readonly away: { readonly what: 'remote' | 'host'; readonly reason: string } | null
}

export interface Proposals {
  /** Lists are kept for some seconds, while the same commit is served. */
  readonly list: () => Promise<ProposalList>
  /** Has the next list read anew. */
  readonly forget: () => void
}

/** Milliseconds for which a list is kept. */
const KEPT_MS = 15_000
/** Proposals that are listed. */
const MAX_LISTED = 50

export function createProposals({
  remote,
  host,
  folder,
  filePrefix,
}: {
  readonly remote: Remote
  /** Null where no API can be used. */
  readonly host: Host | null
  /** The menus folder from the top of the repository, with `/`. */
  readonly folder: string
  readonly filePrefix: string
}): Proposals {
  const isMenu = isMenuIn(folder, filePrefix)
  const start = folder === '' ? 0 : folder.length + 1
  const known = new LRUCache<string, { readonly told: Omit<Proposal, 'branch' | 'pull'> | null }>({
    max: 200,
  })
  let kept: { readonly since: number; readonly served: string; readonly list: Promise<ProposalList> } | null =
    null

  /** What git knows of a branch; null where it has nothing that is not live. */
  const describe = async (
    commit: string,
    served: string,
  ): Promise<Omit<Proposal, 'branch' | 'pull'> | null> => {
    const { repository } = remote
    const base = await mergeBase(repository, commit, served)
    if (base === null || base === commit) return null
    const merged = await mergedTree(repository, served, commit)
    if (merged?.conflicts.length === 0 && merged.tree === (await hashOf(repository, `${served}^{tree}`)))
      return null
    const format = ['--first-parent', '--max-count=200', '-z', '--format=%an%x00%ct%x00%s']
    const log = await must(repository, ['log', ...format, `${served}..${commit}`])
    const words = log.stdout.toString('utf8').replace(/\0$/, '').split('\0')
    const paths = await changedPaths(repository, base, commit, folder)
    // The first commit of the branch is the last of the log.
    const [author = '', , title = ''] = words.slice(-3)
    return {
      ...{ commit, base, author, title, changed: Number(words[1]) * 1000 },
      files: paths.filter(isMenu).map((path) => path.slice(start)),
      state: merged?.conflicts.length === 0 ? 'open' : 'conflicts',
    }
  }
  const listNow = async (): Promise<ProposalList> => {
    const [fetched, pulls] = await Promise.all([fetchBranches(remote), host?.list() ?? NO_PULLS])
    const branches: Branches = fetched.value ?? (await knownBranches(remote))
    const { commit: served } = remote.state()
    const proposals: Proposal[] = []
    for (const [branch, commit] of [...branches].slice(0, MAX_LISTED)) {
      const own = pulls.value?.filter((pull) => pull.branch === branch) ?? []
      const pull = own.find(({ isOpen }) => isOpen) ?? null
      // It was closed, and has no newer commits.
      if (pull === null && own.some((each) => each.commit === commit)) continue
      const key = `${commit} ${served}`
      const found = known.get(key) ?? { told: await describe(commit, served) }
      known.set(key, found)
      if (found.told !== null)
        proposals.push({ branch, ...found.told, pull, title: pull?.title || found.told.title })
    }
    const away =
      fetched.fault !== null
        ? ({ what: 'remote', reason: fetched.fault } as const)
        : pulls.fault !== null
          ? ({ what: 'host', reason: pulls.fault } as const)
          : null
    return { proposals, away }
  }
  return {
    list: () => {
      const served = remote.state().commit
      if (kept?.served === served && performance.now() - kept.since < KEPT_MS) return kept.list
      const list = listNow().catch((thrown: unknown): ProposalList => {
        // A branch may have gone in between.
        return { proposals: [], away: { what: 'remote', reason: toReason(thrown) } }
      })
      kept = { since: performance.now(), served, list }
      return list
    },
    forget: () => {
      kept = null
    },
  }
}

const NO_PULLS = { value: [], fault: null } as const
