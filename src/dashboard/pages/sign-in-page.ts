import { done, failed } from '../../model/result.js'
import type { HttpProblem } from '../../web/problem-json.js'
import type { Access } from '../access/access.js'
import { toNextPath } from '../access/next-path.js'
import { CSRF_FIELD } from '../access/same-origin.js'
import type { Answered, Fields, Page, Visit } from './page.js'
import type { Texts } from './texts/en.js'

/** Where somebody signs in by a one-time link, whose token only the form uses, or by name and password. */
export function signInPage({ signIn, logins }: Access, home: string): Page {
  const page = ({ t }: Visit, fields: Fields, fault: HttpProblem | null): Answered => {
    const link = fault?.code === 'wrong-link' ? '' : (fields.get('link') ?? '')
    const model = {
      title: t.signIn.title,
      link,
      ...logins(),
      name: fields.get('name') ?? '',
      next: toNextPath(fields.get('next'), home),
      isSignedOut: fields.has('signed-out'),
      wasLink: fields.has('link'),
      error: fault === null ? null : messageOf(t, fault),
    }
    return done({ template: 'sign-in', model, status: fault?.status ?? 200, headers: fault?.headers ?? {} })
  }
  return {
    role: null,
    show: (visit) => {
      const next = toNextPath(visit.query.get('next'), home)
      return visit.operator === null ? page(visit, visit.query, null) : done({ location: next })
    },
    submit: async (visit, form) => {
      const [link, name = '', password = ''] = ['link', 'name', 'password'].map((field) => form.get(field))
      const isLink = link !== undefined
      if (!isLink && (name === '' || password === '')) return page(visit, form, INCOMPLETE)
      const begun = isLink
        ? await signIn.byLink(visit.request, link)
        : await signIn.byPassword(visit.request, name, password)
      if (begun.fault === null) {
        const location = toNextPath(form.get('next'), home)
        return done({ location, headers: { 'set-cookie': begun.value.cookie } })
      }
      return messageOf(visit.t, begun.fault) === null ? failed(begun.fault) : page(visit, form, begun.fault)
    },
  }
}

/** Ends the sessions of an operator. */
export function signOutPage({ signIn }: Access, home: string, signInPath: string): Page {
  return {
    role: 'view',
    show: () => done({ location: home }),
    submitRole: 'view',
    submit: async ({ request, operator }, form) => {
      const { value: cookie, fault } = await signIn.out(request, operator, form.get(CSRF_FIELD) ?? null)
      if (fault !== null) return failed(fault)
      return done({ location: `${signInPath}?signed-out=`, headers: { 'set-cookie': cookie } })
    },
  }
}

/** What the page says of a failed attempt; null where that needs a page of its own. */
function messageOf({ signIn }: Texts, { code, headers = {} }: HttpProblem): string | null {
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
      return signIn.wait(Math.ceil(Number(headers['retry-after']) / 60))
    default:
      return null
  }
}

const INCOMPLETE: HttpProblem = {
  status: 422,
  code: 'incomplete-login',
  detail: 'Name or password is missing.',
}
