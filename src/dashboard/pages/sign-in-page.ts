import type { Headers, HttpProblem } from '../../web/problem-json.js'
import type { Access } from '../access/access.js'
import { toNextPath } from '../access/next-path.js'
import { CSRF_FIELD } from '../access/same-origin.js'
import { type KeptForm, readKept } from '../forms/kept-form.js'
import type { Fields, OpenPage, OperatorPage, PageReply, Visit } from '../page.js'
import { must, Refusal } from '../refusal.js'
import type { Texts } from '../texts/language.js'

/** The field that says that a form was longer than a page keeps. */
export const TOO_LONG = 'too-long'

/** Where somebody signs in by a one-time link, whose token only the form uses, or by name and password. */
export function signInPage({ signIn, logins }: Access, home: string): OpenPage {
  const keptIn = (fields: Fields): KeptForm | null => readKept(toNextPath(fields.get('next'), home), fields)
  /** Shows somebody who signed in the form that they had filled in. */
  const resend = (
    { t }: Visit,
    user: string,
    kept: KeptForm,
    { headers = {}, ...more }: Begun,
  ): PageReply => {
    const model = { title: t.fill(t.kept.title, { user }), kept, ...more }
    return { template: 'kept', model, headers }
  }
  const page = ({ t }: Visit, fields: Fields, { isOther = false, ...more }: Situation = {}): PageReply => {
    const { fault = null, status = fault?.status ?? 200, headers = fault?.headers ?? {} } = more
    const link = fault?.code === 'wrong-link' ? '' : (fields.get('link') ?? '')
    const model = {
      title: t.signIn.title,
      link,
      ...logins(),
      name: fields.get('name') ?? '',
      next: toNextPath(fields.get('next'), home),
      isSignedOut: fields.has('signed-out'),
      wasLink: fields.has('link'),
      kept: keptIn(fields),
      isOther,
      isTooLong: fields.has(TOO_LONG),
      error: fault === null ? null : messageOf(t, fault),
    }
    return { template: 'sign-in', model, status, headers }
  }
  return {
    role: null,
    show: (visit) => {
      const next = toNextPath(visit.query.get('next'), home)
      // A link that somebody else wrote must not fill in a form.
      const fields = ['link', 'next', 'signed-out'].flatMap((name) => {
        const value = visit.query.get(name)
        return value === undefined ? [] : [[name, value] as const]
      })
      return visit.operator === null ? page(visit, new Map(fields)) : { location: next }
    },
    submit: async (visit, form) => {
      const [link, name = '', password = ''] = ['link', 'name', 'password'].map((field) => form.get(field))
      const isLink = link !== undefined
      const kept = keptIn(form)
      const { operator } = visit
      // Signed in in another tab, or just led here.
      if (!isLink && (form.has('elsewhere') || !form.has('name')) && (kept !== null || form.has(TOO_LONG))) {
        if (operator === null || kept === null) return page(visit, form, { status: 401 })
        return isOf(kept, operator.id)
          ? resend(visit, operator.name, kept, {})
          : page(visit, form, { status: 403, isOther: true })
      }
      if (!isLink && (name === '' || password === '')) return page(visit, form, { fault: INCOMPLETE })
      const begun = isLink
        ? await signIn.byLink(visit.request, link)
        : await signIn.byPassword(visit.request, name, password)
      if (begun.fault !== null) {
        if (messageOf(visit.t, begun.fault) === null) throw new Refusal(begun.fault)
        return page(visit, form, { fault: begun.fault })
      }
      const { user, cookies, csrf } = begun.value
      const headers = { 'set-cookie': cookies }
      if (kept === null) return { location: toNextPath(form.get('next'), home), headers }
      return isOf(kept, user)
        ? resend(visit, user, kept, { headers, csrf })
        : page(visit, form, { status: 403, isOther: true, headers })
    },
  }
}

/** What the page shows besides its fields. */
interface Situation {
  readonly fault?: HttpProblem
  readonly status?: number
  /** Whether the form that is kept is that of another one than who is signed in. */
  readonly isOther?: boolean
  readonly headers?: Headers
}

/** A session that has just begun. */
interface Begun {
  readonly headers?: Headers
  readonly csrf?: string
}

/** Whether an operator filled in a form. */
function isOf({ by }: KeptForm, operator: string): boolean {
  return by === operator
}

/** Ends the sessions of an operator. */
export function signOutPage({ signIn }: Access, home: string, signInPath: string): OperatorPage {
  return {
    role: 'view',
    show: () => ({ location: home }),
    submitRole: 'view',
    submit: async ({ request, operator }, form) => {
      const cookie = must(await signIn.out(request, operator, form.get(CSRF_FIELD) ?? null))
      return { location: `${signInPath}?signed-out=`, headers: { 'set-cookie': cookie } }
    },
  }
}

/** What the page says of a failed attempt; null where that needs a page of its own. */
function messageOf({ signIn, fill }: Texts, { code, headers = {} }: HttpProblem): string | null {
  switch (code) {
    case INCOMPLETE.code:
      return signIn.fillIn
    case 'wrong-link':
      return signIn.usedLink
    case 'wrong-password':
      return signIn.wrong
    case 'sign-in-busy':
      return signIn.busy
    case 'too-many-attempts':
      return fill(signIn.wait, { count: Number(headers['retry-after']) })
    default:
      return null
  }
}

const INCOMPLETE: HttpProblem = {
  status: 422,
  code: 'incomplete-login',
  detail: 'Name or password is missing.',
}
