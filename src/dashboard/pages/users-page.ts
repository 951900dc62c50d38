import { ROLES } from '../../service/hooks.js'
import { PASSWORD_LINK_HOURS } from '../../store/one-time-links.js'
import { toUserKey } from '../../store/user-names.js'
import type { Access } from '../access/access.js'
import type { Account, AccountDeed } from '../access/accounts.js'
import { MAX_USERS } from '../access/accounts.js'
import { formPage } from '../forms/form-page.js'
import { type Trouble, toError } from '../forms/trouble.js'
import type { OperatorPage } from '../page.js'

interface Outcome extends Trouble {
  /** Whom a new link is for, and its address, which is shown this once. */
  readonly link?: { readonly name: string; readonly url: string }
}

/** Where managers see all users, add one, and change the one that the address names. */
export function usersPage({ accounts }: Access, home: string): OperatorPage {
  const path = `${home}/users`
  return formPage<Account | null, Outcome>({
    template: 'users',
    role: 'manage',
    find: ({ query }) => {
      const key = toUserKey(query.get('user') ?? '')
      return accounts.list().find((each) => each.key === key) ?? null
    },
    view: ({ t, operator, query }, user, form, { link, errors = [] }) => {
      const did = query.get('did') ?? ''
      const isNew = form !== null && errors.length > 0 && form.get('do') === 'add'
      return {
        title: user === null ? t.users.title : user.name,
        current: 'users',
        back: user === null ? null : path,
        ...{ path, roles: ROLES, user, isSelf: user?.key === operator.id },
        users: user === null ? accounts.list() : [],
        typed: { name: (isNew && form.get('name')) || '', role: (isNew && form.get('role')) || 'view' },
        asks: user !== null && query.has('remove'),
        elsewhere: accounts.path && t.fill(t.users.faults.elsewhere, { file: accounts.path }),
        isGone: user === null && query.has('user'),
        done: form === null && Object.hasOwn(t.users.done, did) ? t.users.done[did as 'role'] : null,
        link: link && {
          ...link,
          lead: t.fill(t.users.linkLead, { user: link.name, hours: PASSWORD_LINK_HOURS }),
        },
      }
    },
    submit: async ({ t, request, operator }, form, user) => {
      const deed = DEEDS.find((each) => each === form.get('do'))
      const isNew = deed === 'add'
      const name = isNew ? (form.get('name') ?? '').trim() : (user?.name ?? '')
      if (deed === undefined) return { errors: [toError(null, t.users.faults.missing)] }
      const wish = { deed, name, role: form.get('role') ?? '' }
      const { value: url, fault } = await accounts.change(request, operator, wish)
      if (fault !== null) {
        const isOfName = isNew && fault !== 'too-many' && fault !== 'elsewhere'
        const field = fault === 'bad-role' ? 'role' : isOfName ? 'name' : null
        const words = { most: MAX_USERS, file: accounts.path ?? '' }
        return { errors: [toError(field, t.fill(t.users.faults[fault], words))] }
      }
      if (url !== null) return { link: { name, url } }
      const own = deed === 'remove' ? {} : { user: name }
      return { location: `${path}?${new URLSearchParams({ ...own, did: deed })}` }
    },
  })
}

const DEEDS: readonly AccountDeed[] = ['add', 'role', 'link', 'sessions', 'remove']
