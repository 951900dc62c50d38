import type { Problem } from '../model/problem.js'
import type { GitAnswer } from '../store/git/repository.js'

/** Nothing was found; the request is wrong; files, the configuration or the repository are unusable; or it is a bug. */
export type RefusalReason = 'findings' | 'usage' | 'configuration' | 'bug'

/** Why something cannot be done, in words for people: thrown, and reported once where the command ends. */
export class Refusal extends Error {
  readonly reason: RefusalReason
  /** What is wrong with the unusable files. */
  readonly problems: readonly Problem[]

  constructor(reason: RefusalReason, message: string, problems: readonly Problem[] = []) {
    super(message)
    this.reason = reason
    this.problems = problems
  }
}

export function refuse(reason: RefusalReason, message: string, problems?: readonly Problem[]): never {
  throw new Refusal(reason, message, problems)
}

/** What git answers; `reason` explains what its failure means here. */
export function fromGit<Value>({ value, fault }: GitAnswer<Value>, reason: RefusalReason): Value {
  return fault === null ? value : refuse(reason, `${fault.what}. ${fault.todo}`)
}
