import type { Role } from '../../service/hooks.js'
import type { HttpProblem } from '../../web/problem-json.js'
import type { Call, Fields, OperatorPage, PageModel, PageReply, SeeOther } from '../page.js'
import type { Texts } from '../texts/language.js'
import type { FormError, Trouble } from './trouble.js'

/** A page with a form about something. */
interface FormOf<Subject, Outcome extends Trouble> {
  readonly template: string
  /** Who may open it. Default: edit. */
  readonly role?: Role
  readonly maxForm?: number
  /** What it is about; throws where that is not there. `form` is null for a page that is only opened. */
  readonly find: (call: Call, form: Fields | null) => Subject
  /** What the page shows: the form as it is, or with what was typed and what came of it. */
  readonly view: (
    call: Call,
    subject: Subject,
    form: Fields | null,
    outcome: Partial<Outcome>,
  ) => PageModel | Promise<PageModel>
  /** Does what the form wants. What keeps it from that is thrown, or shown with the form; so is an outcome to look at first. */
  readonly submit: (
    call: Call,
    form: Fields,
    subject: Subject,
  ) => SeeOther | Outcome | Promise<SeeOther | Outcome>
  /** What the page says of a problem that was thrown. Default: what it says everywhere. */
  readonly toErrors?: (t: Texts, problem: HttpProblem) => readonly FormError[]
}

/** A page whose form is shown again, with what was typed, whenever it is refused. */
export function formPage<Subject, Outcome extends Trouble = Trouble>(
  page: FormOf<Subject, Outcome>,
): OperatorPage {
  const { template, role = 'edit', maxForm } = page
  const show = async (
    call: Call,
    subject: Subject,
    form: Fields | null,
    outcome: Outcome | Trouble,
  ): Promise<PageReply> => {
    const model = await page.view(call, subject, form, outcome as Partial<Outcome>)
    return { template, model, trouble: outcome }
  }
  return {
    role,
    ...(maxForm !== undefined && { maxForm }),
    show: (call) => show(call, page.find(call, null), null, {}),
    submit: async (call, form) => {
      const subject = page.find(call, form)
      const outcome = await page.submit(call, form, subject)
      return 'location' in outcome ? outcome : show(call, subject, form, outcome)
    },
    refused: (call, form, problem) => {
      const errors = page.toErrors?.(call.t, problem) ?? []
      return show(call, page.find(call, form), form, { problem, errors })
    },
  }
}

/** The menu file that the address of a page names. */
export function fileIn({ query }: Pick<Call, 'query'>): string {
  return query.get('file') ?? ''
}
