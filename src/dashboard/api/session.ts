import { isMap } from '../../model/json.js'
import { done, failed } from '../../model/result.js'
import type { Access } from '../access/access.js'
import type { Operator } from '../access/operator.js'
import { type Answered, badBody, type Endpoints, JSON_TYPES, type OpenCall } from './call.js'
import { type Editing, storageOf } from './editing.js'

/** Bytes of a body that anybody may send: a thousand at once must not fill the memory. */
const MAX_LOGIN = 16_384

/** The endpoints for signing in and out. */
export function sessionEndpoints(access: Access, editing: Editing): Endpoints {
  return {
    '/session': {
      GET: { role: 'view', answer: ({ operator }) => toSession(operator, editing) },
      POST: {
        role: null,
        types: JSON_TYPES,
        maxBytes: MAX_LOGIN,
        isNeverDry: true,
        answer: (call) => begin(access, call),
      },
      DELETE: {
        role: 'view',
        isNeverDry: true,
        answer: async ({ request, operator }) => {
          const { value: cookie, fault } = await access.signIn.out(request, operator, null)
          return fault === null ? done({ status: 204, headers: { 'set-cookie': cookie } }) : failed(fault)
        },
      },
    },
  }
}

/** Begins a session by a one-time link or by a name and a password: `{link}` or `{user, password}`. */
async function begin({ signIn }: Access, { request, body }: OpenCall): Promise<Answered> {
  const { link, user, password } = isMap(body) ? body : {}
  const begun =
    typeof link === 'string'
      ? await signIn.byLink(request, link)
      : typeof user === 'string' && typeof password === 'string'
        ? await signIn.byPassword(request, user, password)
        : failed(NO_LOGIN)
  if (begun.fault !== null) return failed(begun.fault)
  const { user: id, cookie } = begun.value
  return done({ status: 201, value: { user: id }, headers: { 'set-cookie': cookie } })
}

/** Who is signed in, the token that the session sends in `X-CSRF-Token` with what it writes, and whether that is possible. */
function toSession({ id, name, role, via, csrf }: Operator, editing: Editing): Answered {
  return done({ value: { user: id, name, role, via, csrf, ...storageOf(editing) } })
}

const NO_LOGIN = badBody('The body needs {"link": text} or {"user": text, "password": text}.')
