import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { openMenus, registerMenuGlobals } from 'menuscript'
import nunjucks from 'nunjucks'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const menus = await openMenus({ folder: here('.'), environment: {}, strict: true })
const views = nunjucks.configure(here('views'), { autoescape: true })
registerMenuGlobals(views, menus.service)

const readPublished = (file) => readFileSync(fileURLToPath(import.meta.resolve(`menuscript/${file}`)))
const ASSETS = new Map([
  ['/menuscript/styles.css', ['text/css', readPublished('styles.css')]],
  ['/menuscript/disclosure.js', ['text/javascript', readPublished('disclosure.js')]],
  ['/assets/page.css', ['text/css', readFileSync(here('public/page.css'))]],
])
/** Nothing inline, and no images: the menus need neither. */
const POLICY = "default-src 'none'; style-src 'self'; script-src 'self'; base-uri 'none'; form-action 'self'"

const server = createServer((request, response) => {
  const [type, body] = ASSETS.get(request.url) ?? ['text/html', render(request)]
  response.setHeader('Content-Type', `${type}; charset=utf-8`)
  response.setHeader('Content-Security-Policy', POLICY)
  response.end(body)
})

function render(request) {
  const locale = request.headers['accept-language']?.startsWith('ar') ? 'ar' : 'en'
  const show = new URL(request.url, 'http://localhost').searchParams.get('show')
  return views.render('page.njk', { request, show, locale, dir: locale === 'ar' ? 'rtl' : 'ltr' })
}

server.listen(Number(process.env.PORT ?? 3002), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`)
})
for (const signal of ['SIGTERM', 'SIGINT'])
  process.once(signal, () => {
    server.close(() => menus.close())
    server.closeAllConnections()
  })
