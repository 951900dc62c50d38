import { isList, isMap, type Json, type JsonMap } from '../../../model/json.js'
import { done, failed, type Result } from '../../../model/result.js'
import { PROPOSALS } from '../branch-name.js'
import type { AskHost } from './ask-host.js'

/** A pull request of the repository, which GitLab calls a merge request. */
export interface Pull {
  readonly branch: string
  /** The last commit of the branch that it knows. */
  readonly commit: string
  readonly number: number
  /** Its page; null where the host gave none that a browser can open. */
  readonly url: string | null
  readonly title: string
  readonly isOpen: boolean
  /** Null where that is not known. */
  readonly comments: number | null
}

/** A pull request that is to be opened. */
export interface PullWish {
  readonly branch: string
  /** The branch that it is for. */
  readonly into: string
  readonly title: string
  /** In Markdown. */
  readonly text: string
}

/** The pull requests of a repository. Faults are words for people. */
export interface Host {
  /** Opens a pull request; where there is an open one already, that is returned. */
  readonly open: (wish: PullWish) => Promise<Result<Pull, string>>
  /** Those of proposals, from branches of the repository itself: the open ones, and those that were closed lately. */
  readonly list: () => Promise<Result<readonly Pull[], string>>
}

/** How a kind of host speaks of pull requests. */
export interface Dialect {
  readonly path: string
  /** The queries of open ones and of closed ones, each with the newest only. */
  readonly queries: readonly string[]
  readonly toBody: (wish: PullWish) => object
  /** Null for one from another repository. */
  readonly read: (value: JsonMap) => Pull | null
  /** The status for a second one from the same branch. */
  readonly exists: number
}

export function createPulls(ask: AskHost, { path, queries, toBody, read, exists }: Dialect): Host {
  const list: Host['list'] = async () => {
    const pulls: Pull[] = []
    for (const { value, fault } of await Promise.all(queries.map((query) => ask({ path: path + query })))) {
      if (fault !== null) return failed(fault)
      if (value.status !== 200 || !isList(value.json)) return failed(value.reason)
      pulls.push(...value.json.flatMap((each) => (isMap(each) ? (read(each) ?? []) : [])))
    }
    return done(pulls.filter(({ branch }) => branch.startsWith(PROPOSALS)))
  }
  return {
    list,
    open: async (wish) => {
      const { value, fault } = await ask({ path, body: toBody(wish) })
      if (fault !== null) return failed(fault)
      const made = value.status === 201 && isMap(value.json) ? read(value.json) : null
      if (made !== null) return done(made)
      const all = value.status === exists ? (await list()).value : null
      const known = all?.find(({ isOpen, branch }) => isOpen && branch === wish.branch)
      return known === undefined ? failed(value.reason) : done(known)
    },
  }
}

/** What hosts send for a pull request, checked. */
export function toPull(
  fields: {
    readonly [Name in Exclude<keyof Pull, 'isOpen'>]: Json | undefined
  } & Pick<Pull, 'isOpen'>,
): Pull | null {
  const { branch, commit, number, url, title, isOpen, comments } = fields
  if (typeof branch !== 'string' || typeof number !== 'number') return null
  return {
    ...{ branch, number, isOpen },
    commit: typeof commit === 'string' ? commit : '',
    url: typeof url === 'string' && /^https?:\/\//i.test(url) && URL.canParse(url) ? url : null,
    title: typeof title === 'string' ? title : '',
    comments: typeof comments === 'number' ? comments : null,
  }
}

/** A member of a member; undefined where there is none. */
export function within(value: Json | undefined, ...keys: readonly string[]): Json | undefined {
  return keys.reduce<Json | undefined>(
    (each, key) => (isMap(each ?? null) ? (each as JsonMap)[key] : undefined),
    value,
  )
}
