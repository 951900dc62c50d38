import { randomBytes } from 'node:crypto'

/** Whoever tries an example may be everybody in turn: one password opens all accounts. */
export const PASSWORD = 'lumen'

const DESK = ['orders.view', 'customers.view', 'products.view', 'reviews.moderate']
const ALL = [
  ...DESK,
  'customers.support',
  'categories.edit',
  'partners.view',
  'payouts.view',
  'reports.view',
  'settings.manage',
  'users.manage',
]
const WORKSHOP = ['orders.view', 'quotes.answer', 'products.view', 'payouts.view', 'reports.view']
const WHOLESALE = ['orders.view', 'stock.view', 'stock.order', 'prices.edit']

/** A user: `partnerId` is null for customers and for Lumen's own staff, and `role` where a partner makes no difference. */
export const USERS = [
  toUser('clara', 'Clara Ruiz', 'es', []),
  toUser('sam', 'Sam Reed', 'en', DESK),
  toUser('olga', 'Olga Brandt', 'de', ALL),
  toUser('nora', 'Nora Lind', 'de', WORKSHOP, { partnerId: 3 }),
  toUser('omar', 'Omar Said', 'ar', ['orders.view', 'returns.accept'], { partnerId: 3, role: 'operator' }),
  toUser('pilar', 'Pilar Costa', 'es', WHOLESALE, { partnerId: 8 }),
  toUser('dev', 'Devi Rao', 'en', ['api.use', 'agreement.signed']),
]

function toUser(id, name, language, permissions, { partnerId = null, role = null } = {}) {
  return { id, name, email: `${id}@example.org`, language, permissions, partnerId, role }
}

const MAX_SESSIONS = 1_000

/** Who is signed in: sessions in memory, known by the cookie `session`. The oldest makes room for the newest. */
export function createSessions() {
  const users = new Map()
  const idOf = (request) => readCookie(request, 'session') ?? ''
  return {
    /** The user that a request comes from, or null. */
    userOf: (request) => users.get(idOf(request)) ?? null,
    /** Begins a session and gives the value of `Set-Cookie`, or null when nobody has this address and password. */
    signIn: (email, password) => {
      const user = USERS.find((each) => each.email === email)
      if (user === undefined || password !== PASSWORD) return null
      const id = randomBytes(24).toString('base64url')
      if (users.size >= MAX_SESSIONS) users.delete(users.keys().next().value)
      users.set(id, user)
      return { user, cookie: toCookie('session', id) }
    },
    signOut: (request) => {
      users.delete(idOf(request))
      return `${toCookie('session', '')}; Max-Age=0`
    },
  }
}

/** Scripts have no business with our cookies, and other sites cannot post with them. */
export function toCookie(name, value) {
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax`
}

/** A cookie of a request; null when it has none of this name. */
export function readCookie(request, name) {
  const pairs = (request.headers.cookie ?? '').split('; ')
  const found = pairs.find((pair) => pair.startsWith(`${name}=`))
  return found === undefined ? null : found.slice(name.length + 1)
}

/** Where to go on after a form: a path of this site, whatever the form says. */
export function toReturnPath(value, otherwise) {
  return typeof value === 'string' && /^\/(?![/\\])[\x21-\x7e]*$/.test(value) ? value : otherwise
}
