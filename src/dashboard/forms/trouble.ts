import { type Problem, toAdvice } from '../../model/problem.js'
import type { HttpProblem } from '../../web/problem-json.js'
import type { Texts } from '../texts/language.js'

/** What a fault says, in the language of the page where it has a text of its own. */
export function toDetail(
  { errors }: Texts,
  { code, detail }: HttpProblem,
): { readonly text: string; readonly isTranslated: boolean } {
  const own = (errors.details as Readonly<Record<string, string>>)[code]
  return { text: own ?? detail, isTranslated: own !== undefined }
}

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

/** What keeps a form from being taken. */
export interface Trouble {
  readonly errors?: readonly FormError[]
  /** Why nothing was done with it: it is still about what it was about. */
  readonly problem?: HttpProblem | null
  /** Default: that of the problem, else 422 for errors. */
  readonly status?: number
}

/** What a page shows of a trouble. */
interface ShownTrouble {
  readonly errors: readonly FormError[]
  readonly errorOf: (field: string) => FormError | null
  readonly status: number
}

export function toShownTrouble(t: Texts, { errors = [], problem = null, status }: Trouble): ShownTrouble {
  const all = problem === null || errors.length > 0 ? errors : [toFormError(t, problem)]
  return {
    errors: all,
    errorOf: (field) => all.find((error) => error.field === field) ?? null,
    status: status ?? problem?.status ?? (all.length > 0 ? 422 : 200),
  }
}
