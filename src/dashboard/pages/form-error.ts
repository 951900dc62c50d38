import { type Problem, toAdvice } from '../../model/problem.js'
import type { HttpProblem } from '../../web/problem-json.js'
import { toDetail } from './error-page.js'
import type { Texts } from './texts/en.js'

/** What is wrong with a form, and with which field; null where that is the form as a whole. */
export interface FormError {
  readonly field: string | null
  readonly text: string
  /** Whether the text is in the language of the page. */
  readonly isTranslated: boolean
}

/** An error in the language of the page. */
export function toError(field: string | null, text: string): FormError {
  return { field, text, isTranslated: true }
}

/** What `lint` finds wrong with a field, and what to do about it. */
export function toFound(field: string | null, problem: Problem): FormError {
  return { field, text: `${problem.what} ${toAdvice(problem)}`, isTranslated: false }
}

/** Why a form as a whole is not taken. */
export function toFormError(t: Texts, fault: HttpProblem): FormError {
  return { field: null, ...toDetail(t, fault) }
}

/** What templates ask for the errors of a field. */
export function toErrorOf(errors: readonly FormError[]): (field: string) => FormError | null {
  return (field) => errors.find((error) => error.field === field) ?? null
}
