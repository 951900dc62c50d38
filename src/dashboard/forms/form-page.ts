import type { Role } from '../../service/hooks.js'
import type { Call, Fields, OperatorPage, Replying } from '../page.js'
import type { Trouble } from './trouble.js'

/** A page with a form about something. */
interface FormOf<Subject> {
  /** Who may open it. Default: edit. */
  readonly role?: Role
  readonly maxForm?: number
  /** What it is about; throws where that is not there. `form` is null for a page that is only opened. */
  readonly find: (call: Call, form: Fields | null) => Subject
  /** Shows the form: empty, or with what was typed and what keeps it from being taken. */
  readonly view: (call: Call, subject: Subject, form: Fields | null, trouble: Trouble) => Replying
  /** Does what the form wants; throws, or shows the form again, where that cannot be done. */
  readonly submit: (call: Call, form: Fields, subject: Subject) => Replying
}

/** A page whose form is shown again, with what was typed, whenever it is refused. */
export function formPage<Subject>(page: FormOf<Subject>): OperatorPage {
  return {
    role: page.role ?? 'edit',
    ...(page.maxForm !== undefined && { maxForm: page.maxForm }),
    show: (call) => page.view(call, page.find(call, null), null, {}),
    submit: (call, form) => page.submit(call, form, page.find(call, form)),
    refused: (call, form, problem) => page.view(call, page.find(call, form), form, { problem }),
  }
}

/** The menu file that the address of a page names. */
export function fileIn({ query }: Pick<Call, 'query'>): string {
  return query.get('file') ?? ''
}
