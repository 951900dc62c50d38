import { isPassword, MAX_PASSWORD, MIN_PASSWORD } from '../../store/passwords.js'
import type { HttpProblem } from '../../web/problem-json.js'
import type { Access } from '../access/access.js'
import { toError } from '../forms/trouble.js'
import type { OpenPage, PageReply, Visit } from '../page.js'
import { attempt, Refusal } from '../refusal.js'
import { toSignInError } from './sign-in-page.js'

/** Where a user sets a password by the link from a manager, which only the form uses. */
export function passwordPage({ signIn }: Access, home: string): OpenPage {
  const page = ({ t }: Visit, token: string, text: string | null, fault: HttpProblem | null): PageReply => {
    // Which part of a wrong link is wrong, nobody learns.
    const user = signIn.userOfLink(token)
    const isValid = user !== null && fault?.code !== 'wrong-link'
    const model = {
      title: isValid ? t.users.setTitle : t.users.linkEnded,
      ...{ user, isValid, link: isValid ? token : '' },
      rule: t.fill(t.users.rule, { least: MIN_PASSWORD, most: MAX_PASSWORD }),
    }
    const errors = text === null || !isValid ? [] : [toError('password', text)]
    const status = isValid ? (fault?.status ?? (text === null ? 200 : 422)) : 401
    return {
      template: 'password',
      model,
      trouble: { errors },
      status,
      ...(fault?.headers && { headers: fault.headers }),
    }
  }
  return {
    role: null,
    show: (visit) => page(visit, visit.query.get('link') ?? '', null, null),
    submit: async (visit, form) => {
      const { t, request } = visit
      const [token = '', password = '', repeated] = ['link', 'password', 'repeated'].map((name) =>
        form.get(name),
      )
      if (!isPassword(password)) return page(visit, token, t.users.badPassword, null)
      if (password !== repeated) return page(visit, token, t.users.differ, null)
      const { value: begun, fault } = await attempt(() => signIn.byNewPassword(request, token, password))
      if (fault === null) return { location: home, headers: { 'set-cookie': begun.cookies } }
      const text = toSignInError(t, fault)
      if (text === null) throw new Refusal(fault)
      return page(visit, token, text, fault)
    },
  }
}
