import type { HttpProblem } from '../../web/problem-json.js'
import type { Access } from '../access/access.js'
import { toNextPath } from '../access/next-path.js'
import { OIDC_PATH } from '../access/oidc-sign-in.js'
import { CSRF_FIELD } from '../access/same-origin.js'
import type { Fields, OpenPage, OperatorPage, PageReply, Visit } from '../page.js'
import { attempt, Refusal } from '../refusal.js'
import type { Texts } from '../texts/language.js'

/** Where somebody signs in by a one-time link, whose token only the form uses, or by name and password. */
export function signInPage(access: Access, home: string): OpenPage {
  const { signIn } = access
  const page = (visit: Visit, fields: Fields, fault: HttpProblem | null): PageReply =>
    showSignIn(access, home, visit, fields, fault)
  return {
    role: null,
    show: (visit) => {
      const { query } = visit
      if (visit.operator !== null) return { location: toNextPath(query.get('next'), home) }
      // A link that somebody else wrote must not fill in a form.
      const fields = [...query].filter(([name]) => ['link', 'next', 'signed-out'].includes(name))
      return page(visit, new Map(fields), null)
    },
    submit: async (visit, form) => {
      const [link, name = '', password = ''] = ['link', 'name', 'password'].map((field) => form.get(field))
      const isLink = link !== undefined
      if (!isLink && (name === '' || password === '')) return page(visit, form, INCOMPLETE)
      const { value: begun, fault } = await attempt(() =>
        isLink ? signIn.byLink(visit.request, link) : signIn.byPassword(visit.request, name, password),
      )
      if (fault === null)
        return { location: toNextPath(form.get('next'), home), headers: { 'set-cookie': begun.cookies } }
      if (toSignInError(visit.t, fault) === null) throw new Refusal(fault)
      return page(visit, form, fault)
    },
  }
}

/** The page with all ways to sign in; `fault` is why the last attempt failed. */
export function showSignIn(
  { logins }: Access,
  home: string,
  { t }: Visit,
  fields: Fields,
  fault: HttpProblem | null,
): PageReply {
  const ways = logins()
  const next = toNextPath(fields.get('next'), home)
  const model = {
    title: t.signIn.title,
    link: fault?.code === 'wrong-link' ? '' : (fields.get('link') ?? ''),
    ...ways,
    oidcPath: `${home}${OIDC_PATH}?${new URLSearchParams({ next })}`,
    name: fields.get('name') ?? '',
    next,
    isSignedOut: fields.has('signed-out'),
    wasLink: fields.has('link'),
    error: fault === null ? null : toSignInError(t, fault),
    // What a provider says is not about the name and the password.
    isWrong: fault !== null && !fault.code.startsWith('oidc-'),
  }
  return { template: 'sign-in', model, status: fault?.status ?? 200, headers: fault?.headers ?? {} }
}

/** Ends the sessions of an operator. */
export function signOutPage({ signIn }: Access, home: string, signInPath: string): OperatorPage {
  return {
    role: 'view',
    show: () => ({ location: home }),
    submitRole: 'view',
    submit: async ({ request, operator }, form) => {
      const cookie = await signIn.out(request, operator, form.get(CSRF_FIELD) ?? null)
      return { location: `${signInPath}?signed-out=`, headers: { 'set-cookie': cookie } }
    },
  }
}

/** What the page says of a failed attempt; null where that needs a page of its own. */
export function toSignInError(
  { signIn, fill }: Texts,
  { code, headers = {}, members = {} }: HttpProblem,
): string | null {
  const [, reason] = /^oidc-(\w+)$/.exec(code) ?? []
  if (reason !== undefined) return fill(signIn[reason as 'away'], { provider: String(members['label']) })
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
