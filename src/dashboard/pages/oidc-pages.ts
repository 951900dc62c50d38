import type { Access } from '../access/access.js'
import { toNextPath } from '../access/next-path.js'
import { CALLBACK_PATH, OIDC_PATH, type Onward } from '../access/oidc-sign-in.js'
import type { OpenPage, PageReply, Visit } from '../page.js'
import { attempt, Refusal } from '../refusal.js'
import { showSignIn, toSignInError } from './sign-in-page.js'

/**
 * The way to an OpenID Connect provider, and the way back; none without a provider. The first is a link: browsers would
 * not let a form lead to another site (the `form-action` of our policy).
 */
export function oidcPages(
  access: Access,
  home: string,
): readonly (readonly [path: string, page: OpenPage])[] {
  const { oidc } = access
  if (oidc === null) return []
  /** Goes on, or shows the other ways to sign in. */
  const toReply = async (visit: Visit, work: (visit: Visit) => Promise<Onward>): Promise<PageReply> => {
    const { value: onward, fault } = await attempt(() => work(visit))
    if (fault === null) return { location: onward.location, headers: { 'set-cookie': onward.cookies } }
    // Somebody went back in the browser after signing in.
    if (fault.code === 'oidc-expired' && visit.operator !== null) return { location: home }
    if (toSignInError(visit.t, fault) === null) throw new Refusal(fault)
    // A link that somebody else wrote must not fill in the form.
    const next = String(fault.members?.['next'] ?? visit.query.get('next'))
    return showSignIn(access, home, visit, new Map([['next', next]]), fault)
  }
  const begin = ({ request, query }: Visit): Promise<Onward> =>
    oidc.begin(request, toNextPath(query.get('next'), home))
  const complete = ({ request, query }: Visit): Promise<Onward> => oidc.complete(request, query)
  return [
    [OIDC_PATH, { role: null, show: (visit) => toReply(visit, begin) }],
    [CALLBACK_PATH, { role: null, show: (visit) => toReply(visit, complete) }],
  ]
}
