import { toReturnPath, USERS } from '../lumen/accounts.mjs'
import { LOCALES } from '../lumen/languages.mjs'
import { toHome } from './pages.mjs'
import { keepLanguage } from './visit.mjs'

/** Signing in and out, and the choice of a language where it is not in the address. */
export function addAccounts(app, sessions) {
  const showSignIn = (response, fields) =>
    response.render('sign-in', { page: { menus: ['account'], title: 'signIn' }, users: USERS, ...fields })

  app.get('/account/sign-in', (request, response) => {
    showSignIn(response, { back: request.query.return })
  })
  app.post('/account/sign-in', (request, response) => {
    const { email, password, return: back } = request.body ?? {}
    const session = sessions.signIn(email, password)
    if (session === null) return showSignIn(response.status(422), { back, email, hasFailed: true })
    response.append('Set-Cookie', session.cookie)
    response.redirect(303, toReturnPath(back, toHome(session.user)))
  })

  // The link of the menu leads to a question: only a POST may end a session.
  app.get('/account/sign-out', (_request, response) => {
    response.render('sign-out', { page: { menus: ['account'], title: 'signOut' } })
  })
  app.post('/account/sign-out', (request, response) => {
    response.append('Set-Cookie', sessions.signOut(request))
    response.redirect(303, `/${response.locals.locale}`)
  })

  app.post('/account/language', (request, response) => {
    const { language, return: back } = request.body ?? {}
    if (LOCALES.includes(language)) keepLanguage(response, language)
    response.redirect(303, toReturnPath(back, '/account'))
  })
}
