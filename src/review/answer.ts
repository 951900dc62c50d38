import type { Problem } from '../model/problem.js'
import { done, failed, type Result } from '../model/result.js'
import type { GitAnswer } from '../store/git/repository.js'

/** The requested result, or why there is none. */
export type Answer<Value> = Result<Value, Refusal>

/** Why something cannot be done, in words for people. */
export interface Refusal {
  readonly message: string
  /** Nothing was found; the request is wrong; or files, the configuration or the repository are unusable. */
  readonly reason: 'not-found' | 'bad-request' | 'unusable'
  /** What is wrong with the unusable files. */
  readonly problems?: readonly Problem[]
}

export function refuse(reason: Refusal['reason'], message: string): Result<never, Refusal> {
  return failed({ message, reason })
}

/** Git's answer; `reason` explains what its failure means here. */
export function answerOf<Value>(
  { value, fault }: GitAnswer<Value>,
  reason: Refusal['reason'],
): Answer<Value> {
  return fault === null ? done(value) : refuse(reason, `${fault.what}. ${fault.todo}`)
}
