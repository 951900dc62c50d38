import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import nunjucks from '@11ty/nunjucks'
import { openMenus, registerMenuGlobals } from 'menuscript'
import polka from 'polka'
import { createSessions, toReturnPath } from '../lumen/accounts.mjs'
import { setHeaders } from '../lumen/headers.mjs'
import { toIconStyles } from '../lumen/icons.mjs'
import { inLanguage, LANGUAGES, localeOfPath, toLanguageLinks } from '../lumen/languages.mjs'
import { HOUSE_TEXTS } from '../lumen/texts.mjs'
import { titleOf } from '../lumen/title.mjs'
import { HELP_TEXTS } from './texts.mjs'

const HERE = import.meta.dirname
/** The folder of menuscript.config.yaml. */
const ROOT = join(HERE, '../../..')
const NOBODY = { id: null, permissions: [] }
const TEXTS = { ...HOUSE_TEXTS, ...HELP_TEXTS }

/** Addresses, the template that shows them, and the menu that they stand in. */
const PAGES = [
  { path: '/:locale/help', view: 'topics', menu: 'help', title: 'helpTitle' },
  { path: '/:locale/help/:topic/:id?', view: 'topic', menu: 'help', title: 'contact' },
  { path: '/:locale/sell/:page?', view: 'sell', menu: 'sell', title: 'sell' },
  { path: '/:locale/about', view: 'article', menu: 'footer' },
  { path: '/:locale/legal/:page', view: 'article', menu: 'footer' },
]

/** Lumen's help centre and the pages for its sellers, as a request handler of Polka. */
export async function openHelpCentre() {
  const sessions = createSessions()
  const menus = await openMenus({
    folder: ROOT,
    policies: { resolveViewer: (request) => sessions.userOf(request) ?? NOBODY },
  })
  const views = new nunjucks.Environment(new nunjucks.FileSystemLoader(join(HERE, 'views')), {
    autoescape: true,
  })
  views.addFilter('title_of', titleOf)
  registerMenuGlobals(views, menus.service)

  const show = (request, response, page, status = 200) => {
    const locale = request.locale ?? 'en'
    const html = views.render(`${page.view}.njk`, {
      request,
      page,
      locale,
      dir: LANGUAGES.find(({ code }) => code === locale).dir,
      languages: toLanguageLinks(request.originalUrl, locale),
      user: sessions.userOf(request),
      text: inLanguage(TEXTS, locale),
    })
    send(response, status, 'text/html; charset=utf-8', html)
  }
  const say = (request, response, status, what) =>
    show(request, response, { view: 'message', title: what, what: `${what}Text` }, status)

  const app = polka({
    onNoMatch: (request, response) => say(request, response, 404, 'notFound'),
    onError: (error, request, response) => {
      console.error(error)
      say(request, response, 500, 'failed')
    },
  })
  app.use(setHeaders, menus.handler, (request, _response, next) => {
    // Menus speak the language that a request says it has; templates need not name it each time.
    request.locale = localeOfPath(request.path)
    next()
  })
  addStyles(app)
  app.get('/', (_request, response) => redirect(response, '/en/help'))
  app.get('/:locale', (request, response, next) => {
    if (request.locale === null) return next()
    redirect(response, `/${request.locale}/help`)
  })
  for (const page of PAGES) {
    app.get(page.path, (request, response, next) => {
      if (request.locale === null) return next()
      show(request, response, page)
    })
  }
  app.get('/downloads/*', (_request, response) => send(response, 200, 'application/pdf', '%PDF-1.4\n%%EOF\n'))
  addSessions(app, sessions)
  return { handler: app.handler, close: () => menus.close() }
}

/** The style sheets, from memory. */
function addStyles(app) {
  const house = join(HERE, '../lumen/public')
  const text = (folder, name) => readFileSync(join(folder, name), 'utf8')
  const assets = new Map([
    ['icons.css', toIconStyles()],
    ['help.css', text(join(HERE, 'public'), 'help.css')],
    ...['house', 'controls', 'menus', 'footer'].map((name) => [`${name}.css`, text(house, `${name}.css`)]),
    ['mark.svg', text(house, 'mark.svg')],
  ])
  app.get('/assets/:name', ({ params }, response, next) => {
    const asset = assets.get(params.name)
    if (asset === undefined) return next()
    response.setHeader('Cache-Control', 'max-age=60')
    send(response, 200, params.name.endsWith('.svg') ? 'image/svg+xml' : 'text/css; charset=utf-8', asset)
  })
}

function addSessions(app, sessions) {
  app.post('/session', async (request, response) => {
    const form = await readForm(request)
    const session = sessions.signIn(form.get('email'), form.get('password'))
    if (session !== null) response.setHeader('Set-Cookie', session.cookie)
    redirect(response, toReturnPath(form.get('return'), '/'))
  })
  app.post('/session/end', async (request, response) => {
    const form = await readForm(request)
    response.setHeader('Set-Cookie', sessions.signOut(request))
    redirect(response, toReturnPath(form.get('return'), '/'))
  })
}

/** The fields of a form; what is too long for one of ours is cut off. */
async function readForm(request) {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) if (text.length < 4_096) text += chunk
  return new URLSearchParams(text)
}

function send(response, status, type, body) {
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) })
  response.end(body)
}

function redirect(response, location) {
  response.writeHead(303, { Location: location }).end()
}
