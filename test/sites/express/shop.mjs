import { join } from 'node:path'
import express from 'express'
import { openMenus, registerMenuGlobals } from 'menuscript'
import nunjucks from 'nunjucks'
import { createSessions } from '../lumen/accounts.mjs'
import { setHeaders } from '../lumen/headers.mjs'
import { toIconStyles } from '../lumen/icons.mjs'
import { LOCALES } from '../lumen/languages.mjs'
import { titleOf } from '../lumen/title.mjs'
import { addAccounts } from './accounts.mjs'
import { goodsFor, ordersFor, toMoney } from './goods.mjs'
import { mayOpen, PAGES, toHome } from './pages.mjs'
import { createVisitReader } from './visit.mjs'

const HERE = import.meta.dirname
/** The folder of menuscript.config.yaml. */
const ROOT = join(HERE, '../../..')
const NOBODY = { id: null, permissions: [] }

/** The shop of Lumen with its back office, as an Express application. `now` decides about the season. */
export async function openShop({ now }) {
  const sessions = createSessions()
  const menus = await openMenus({
    folder: ROOT,
    policies: { resolveViewer: (request) => sessions.userOf(request) ?? NOBODY },
  })
  const app = express()
  app.disable('x-powered-by')
  app.set('view engine', 'njk')
  const views = nunjucks.configure(join(HERE, 'views'), { autoescape: true, express: app })
  views.addFilter('title_of', titleOf)
  registerMenuGlobals(views, menus.service)

  app.use(setHeaders)
  const icons = toIconStyles()
  app.get('/assets/icons.css', (_request, response) => {
    response.set('Cache-Control', 'max-age=60').type('css').send(icons)
  })
  for (const folder of ['public', '../lumen/public']) {
    app.use('/assets', express.static(join(HERE, folder), { maxAge: '1m' }))
  }
  app.use(menus.handler)
  app.use(createVisitReader(sessions, now))
  app.use(express.urlencoded({ extended: false, limit: '4kb' }))
  app.get('/', (_request, response) => response.redirect(`/${response.locals.locale}`))
  addAccounts(app, sessions)
  for (const page of PAGES) app.get(page.path, (...args) => show(page, ...args))
  app.use((_request, response) => say(response, 404, 'notFound'))
  app.use((error, _request, response, _next) => {
    const { status = 500 } = error
    if (status >= 500) console.error(error)
    say(response, status, 'failed')
  })
  return { app, close: () => menus.close() }
}

/** Answers with a page, for those who may see it. */
function show(page, request, response, next) {
  const { params, query, originalUrl } = request
  const { user, locale } = response.locals
  if ('locale' in params && !LOCALES.includes(params.locale)) return next()
  if (page.isPrivate && user === null) {
    return response.redirect(`/account/sign-in?return=${encodeURIComponent(originalUrl)}`)
  }
  // Partners have no office of Lumen's, but one of their own.
  if (page.path === '/office' && user.partnerId !== null) return response.redirect(toHome(user))
  if (!mayOpen(page, user, params)) return say(response, 403, 'forbidden')
  if (page.file !== undefined) {
    const { name, type, text } = page.file
    return response.attachment(name).type(type).send(text)
  }
  response.render(page.view, {
    page,
    goods: goodsFor(locale, params, query, page.path === '/:locale/new'),
    orders: ordersFor(locale, params.state),
    turnover: toMoney(locale, 8340),
  })
}

/** A page that says what is amiss. */
function say(response, status, what) {
  response.status(status).render('message', { page: { menus: [], title: what }, what: `${what}Text` })
}
