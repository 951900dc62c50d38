import * as assert from 'uvu/assert'
import { test } from '../support/test.js'
import { openMuseum } from './site.js'

test('A site in two languages has its menus on every page, and the build ends', async () => {
  const site = openMuseum()
  const { code, said } = await site.build()
  assert.is(code, 0, said)
  // What Node says of Eleventy's own calls is no concern of ours.
  assert.not.match(said.replace(/^.*(?:\[DEP\d+\]|--trace-deprecation).*$/gm, ''), /menuscript|Warning/i)
  const pageOf = (path: string): string => site.read(`_site/${path}/index.html`)
  const isIn = (path: string, ...parts: readonly string[]): void => {
    for (const part of parts) assert.ok(pageOf(path).includes(part), `${path}: ${part}\n${pageOf(path)}`)
  }

  // The language and the current item are those of the page, below the path prefix.
  isIn(
    'en/exhibitions/tides',
    '<header><nav aria-label="Main menu"><ul class="nav"><li id="home" class="nav-item"><a href="/museum/en/" class="nav-link">Home</a>',
    '<li class="nav-item"><a href="/museum/en/visit/" class="nav-link">Visit &amp; tickets</a></li>',
    '<li class="nav-item is-open"><a href="/museum/en/exhibitions/" class="nav-link">Exhibitions</a><ul>',
    '<a href="/museum/en/exhibitions/tides/" class="nav-link is-current" aria-current="page">Tides</a>',
    '<a href="https://shop.harbour-museum.example/" class="nav-link" rel="external">Shop</a>',
    '<nav aria-label="You are here"><ol><li><a href="/museum/en/exhibitions/">Exhibitions</a></li><li><span aria-current="page">Tides</span></li></ol></nav>',
    '<p class="tabs">Exhibitions</p>',
  )
  isIn(
    'es',
    '<nav aria-label="Menú principal">',
    '<a href="/museum/es/" class="nav-link is-current" aria-current="page">Inicio</a>',
    '<a href="/museum/en/">English</a></li><li><a href="/museum/es/" aria-current="page">Español</a>',
  )
  // The data `locale` takes precedence over the language of the page.
  isIn('es/exhibitions/tides', '<html lang="es">', '<nav aria-label="Main menu">', '>Opening hours</a>')
  const [, json = ''] = /<script type="application\/json" id="menu">(.*)<\/script>/.exec(pageOf('es')) ?? []
  assert.equal(
    (JSON.parse(json) as { label: string; isCurrent: boolean }[]).map((node) => [node.label, node.isCurrent]),
    [
      ['Inicio', true],
      ['Visita y entradas', false],
      ['Exposiciones', false],
      ['Contacto', false],
      ['Tienda', false],
    ],
  )

  // Liquid: a shortcode with contexts, a filter with keywords, a tree.
  isIn(
    'en/visit',
    '<nav aria-label="Footer in winter"><ul><li><a href="/museum/es/visit/">Horario de invierno</a></li></ul></nav>',
    '<nav aria-label="Hours &amp; more"><ul><li><a href="/museum/es/visit/">Horario</a>',
    '<li class="here"><a href="/museum/en/visit/">Visit &amp; tickets</a></li>',
  )
  isIn(
    'es/visit',
    '<nav aria-label="Breadcrumb"><ol><li><span aria-current="page">Visita y entradas</span></li></ol></nav>\n\n</main>',
  )
  // WebC and JavaScript.
  isIn(
    'en/contact',
    '<div><nav aria-label="Also &lt;here&gt;"><ul><li><a href="/museum/en/visit/">Opening hours</a>',
    '<p>true</p>',
  )
  isIn('es/contact', '<h1>Contacto</h1>\n<nav aria-label="Footer in winter">')
  for (const path of ['en', 'es', 'en/visit', 'es/visit', 'en/contact', 'es/contact'])
    assert.not.match(pageOf(path), /&amp;amp;|&lt;nav|\[object/)
})

test.run()
