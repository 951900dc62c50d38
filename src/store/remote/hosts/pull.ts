import { isList, isMap, type Json, type JsonMap } from '../../../model/json.js'
import { done, failed, type Result } from '../../../model/result.js'
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
  /** The open ones from branches of the repository itself, and those that were closed lately. */
  readonly list: () => Promise<Result<readonly Pull[], string>>
}

/** Open ones and closed ones in two calls, each with the newest only. */
export async function listPulls(
  ask: AskHost,
  paths: readonly string[],
  read: (value: JsonMap) => Pull | null,
): Promise<Result<readonly Pull[], string>> {
  const pulls: Pull[] = []
  for (const { value, fault } of await Promise.all(paths.map((path) => ask({ path })))) {
    if (fault !== null) return failed(fault)
    if (value.status !== 200 || !isList(value.json)) return failed(value.reason)
    pulls.push(...value.json.flatMap((each) => (isMap(each) ? (read(each) ?? []) : [])))
  }
  return done(pulls)
}

/** Opens a pull request; where the host has one already, the list has it. */
export async function openPull(
  ask: AskHost,
  { path, body, exists }: { readonly path: string; readonly body: object; readonly exists: number },
  read: (value: JsonMap) => Pull | null,
  find: () => Promise<Result<readonly Pull[], string>>,
  branch: string,
): Promise<Result<Pull, string>> {
  const { value, fault } = await ask({ path, body })
  if (fault !== null) return failed(fault)
  const made = value.status === 201 && isMap(value.json) ? read(value.json) : null
  if (made !== null) return done(made)
  const found = value.status === exists ? (await find()).value : null
  const open = found?.find((each) => each.isOpen && each.branch === branch)
  return open === undefined ? failed(value.reason) : done(open)
}

/** What hosts send for a pull request, by the names that it has there. */
export function toPull(fields: {
  readonly branch: Json | undefined
  readonly commit: Json | undefined
  readonly number: Json | undefined
  readonly url: Json | undefined
  readonly title: Json | undefined
  readonly isOpen: boolean
  readonly comments: Json | undefined
}): Pull | null {
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
