import * as assert from 'uvu/assert'
import { test } from '../support/test.js'
import { CONFIG, ELEVENTY, openMuseum, openSite } from './site.js'

const MENU = `version: 1
code: main
name: Main
items:
  - { label: "A & B", url: / }
`
const site = (page: string, files: Readonly<Record<string, string>> = {}) =>
  openSite({ 'eleventy.config.js': CONFIG, 'menus/main.yaml': MENU, 'index.njk': page, ...files })

test('An error in a menu fails the build with file, line and remedy', async () => {
  const museum = openMuseum({
    'menus/footer.yaml': MENU.replace('main', 'footer').replace('label', 'lable'),
  })
  const { code, said } = await museum.build()
  assert.is(code, 1)
  assert.match(
    said,
    /menus\/footer\.yaml:5:7: unknown-key: "lable" is not a key of an item\..*Did you mean "label"\?/,
  )
  assert.throws(() => museum.read('_site/en/index.html'), /ENOENT/)
})

const FAILING: Readonly<Record<string, readonly [page: string, said: RegExp]>> = {
  'an unknown code': [
    "{{ dashboard_menu_html('mian') }}",
    /dashboard_menu_html: no menu has the code "mian"\. Did you mean "main"\?/,
  ],
  'a misspelt keyword': [
    "{% dashboard_menu_html 'main', lokale='en' %}",
    /dashboard_menu_html: lokale is not a keyword; did you mean locale\?/,
  ],
  'a call without a code': ["{{ '' | dashboard_menu_json }}", /dashboard_menu_json: the code is empty/],
}
for (const [what, [page, expected]] of Object.entries(FAILING)) {
  test(`The build fails for ${what}, and names the template`, async () => {
    const { code, said } = await site(page).build()
    assert.is(code, 1)
    assert.match(said, expected)
    assert.match(said, './index.njk')
  })
}

test('The build fails without a menus folder, and for a wrong configuration or option', async () => {
  const OPTION = CONFIG.replace('(menuscript)', "(menuscript, { menu: 'menus' })")
  const cases: readonly (readonly [Readonly<Record<string, string>>, RegExp])[] = [
    [{ 'menuscript.config.yaml': 'storage: { connections: { default: nowhere } }' }, /folder-missing: /],
    [{ 'menuscript.config.yaml': 'locale: en' }, /menuscript\.config\.yaml:1:1: "locale" is not a key/],
    [{ 'eleventy.config.js': OPTION }, /"menu" is not an option; .*Did you mean "menus"\?/],
  ]
  for (const [files, expected] of cases) {
    const { code, said } = await site('', files).build()
    assert.is(code, 1)
    assert.match(said, expected)
  }
})

test('With strict: false, a build goes on, and says what is wrong', async () => {
  const config = CONFIG.replace('(menuscript)', "(menuscript, { strict: false, menus: 'nav' })")
  const lax = site("[{{ dashboard_menu_html('main') }}{{ dashboard_menu_html('other') }}]", {
    'eleventy.config.js': config,
    'nav/main.yaml': MENU.replace('label', 'lable'),
  })
  const { code, said } = await lax.build()
  assert.is(code, 0, said)
  assert.match(said, '[menuscript] nav/main.yaml:5:')
  assert.match(said, /menuscript: menu_unknown .*"other"/)
  assert.is(lax.read('_site/index.html'), '[]')
})

/** Later releases of Eleventy have the successor of nunjucks in its place. */
const SUCCESSOR = `import { register } from 'node:module'
const hooks = 'export const resolve = (name, parent, next) => next(name === "nunjucks" ? "@11ty/nunjucks" : name, parent)'
register('data:text/javascript,' + encodeURIComponent(hooks))
`

test('HTML is not escaped twice, by either copy of nunjucks, as a global, a filter or a shortcode', async () => {
  const page = `{{ dashboard_menu_html('main') }}
{{ 'main' | dashboard_menu_html(label='Main') }}
{% dashboard_menu_html 'main' %}
{{ '<' }}{% if dashboard_menu_breadcrumbs('main', request={ url: '/away' }) %}crumbs{% endif %}
`
  const html = '<nav aria-label="Main"><ul><li><a href="/" aria-current="page">A &amp; B</a></li></ul></nav>'
  for (const [options, autoescape] of [
    [[], true],
    [['--import=./successor.mjs'], true],
    [['--import=./successor.mjs'], false],
  ] as const) {
    const config = `import successor from '@11ty/nunjucks'
import menuscript from 'menuscript/eleventy'
export default (eleventyConfig) => {
  eleventyConfig.addPlugin(menuscript)
  eleventyConfig.setNunjucksEnvironmentOptions({ autoescape: ${autoescape} })
  eleventyConfig.on('eleventy.engine.njk', ({ nunjucks }) => console.log('successor', nunjucks === successor))
}
`
    const built = site(page, { 'eleventy.config.js': config, 'successor.mjs': SUCCESSOR })
    const { code, said } = await built.run(...options, ELEVENTY)
    assert.is(code, 0, said)
    assert.match(said, `successor ${options.length > 0}`)
    assert.is(built.read('_site/index.html'), `${html}\n${html}\n${html}\n${autoescape ? '&lt;' : '<'}\n`)
  }
})

test('A configuration in CommonJS requires the plugin, and a script builds twice, each time with the menus of then', async () => {
  const common = site('', {
    'package.json': '{}',
    'eleventy.config.cjs': `module.exports = (eleventyConfig) => {
  eleventyConfig.addPlugin(require('menuscript/eleventy'), { menus: 'nav' })
}
`,
    'nav/main.yaml': MENU,
    'index.liquid': '{% dashboard_menu_html "main" %}',
    'build.mjs': `import { writeFileSync, readFileSync } from 'node:fs'
import { Eleventy } from '@11ty/eleventy'
const eleventy = new Eleventy('index.liquid', '_site', { configPath: 'eleventy.config.cjs', quietMode: true })
await eleventy.write()
const menu = readFileSync('nav/main.yaml', 'utf8')
writeFileSync('nav/main.yaml', menu.replace('A & B', 'C'))
await eleventy.write()
writeFileSync('nav/main.yaml', menu.replace('label', 'lable'))
await eleventy.write().catch(({ message }) => console.log(message))
`,
  })
  common.remove('eleventy.config.js')
  const { code, said } = await common.build('--input=index.liquid')
  assert.is(code, 0, said)
  assert.match(common.read('_site/index.html'), '>A &amp; B</a>')
  const script = await common.run('build.mjs')
  assert.is(script.code, 0, script.said)
  assert.match(script.said, 'nav/main.yaml:5:7: unknown-key')
  assert.match(common.read('_site/index.html'), '>C</a>')
})

test.run()
