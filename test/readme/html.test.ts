import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import menuSchema from '../../schemas/menu.schema.json' with { type: 'json' }
import { STYLES } from '../../src/render/display.js'
import { openSite } from '../eleventy/site.js'
import { get } from '../support/http.js'
import { fileOf } from '../support/snapshot-of.js'
import { test } from '../support/test.js'
import { plain } from './markdown.js'
import { ROOT, rowsUnder, takeBlocks, testCoverage } from './readme.js'
import { createProject, withSite } from './sites.js'

const [page = '', serve = '', copy = ''] = takeBlocks('Menus as HTML', ['njk', 'js', 'js'])
const [, , menu = ''] = takeBlocks('Menus in templates', ['sh', 'njk', 'yaml', 'html'])
const [server = ''] = takeBlocks('Express', ['js'])
const [list = ''] = takeBlocks('Lists', ['html'])
const [crumbs = '', jsonLd = ''] = takeBlocks('Breadcrumbs', ['njk', 'html'])
const [late = ''] = takeBlocks('Disclosure', ['js'])

test('The tables have every style, and the schema the same', () => {
  assert.equal(menuSchema.definitions.display.properties.style.enum, [...STYLES])
  for (const head of [
    ['`style`', 'for', 'the HTML'],
    ['`style`', 'branches', 'with `nestedCollapsible: true`'],
  ])
    assert.equal(
      rowsUnder(...head).map(([cell]) => plain(cell)),
      [...STYLES],
    )
})

test('A style and nestedCollapsible contradict each other exactly where the table says so', () => {
  for (const [style, nested, isWrong] of [
    ['details', false, true],
    ['tabs', true, true],
    ['details', true, false],
    ['tabs', false, false],
    ['disclosure', true, false],
    ['list', true, false],
  ] as const) {
    const display = `display: { style: ${style}, nestedCollapsible: ${nested} }`
    const { problems } = fileOf('main.yaml', `version: 1\ncode: main\nname: Main\n${display}\nitems: []\n`)
    assert.equal(
      problems.map(({ code }) => code),
      isWrong ? ['bad-value'] : [],
      display,
    )
  }
})

test('The table of properties has those of the style sheet', () => {
  const css = readFileSync(join(ROOT, 'src/render/browser/styles.css'), 'utf8')
  const used = new Set([...css.matchAll(/var\((--menu-[\w-]+)/g)].map(([, name]) => name))
  const documented = rowsUnder('property', 'default', 'sets').flatMap(([cell]) => plain(cell).split(', '))
  assert.equal(documented.sort(), [...used].sort())
})

test('The lines of the page show menus with style sheet, script, icons, class and JSON-LD', async () => {
  const views = { 'views/page.njk': `${page}${list.replace("'footer'", "'main'")}${crumbs}` }
  const config = "server: { public_url: 'https://shop.example' }\nicons: [icons.json]\n"
  const set = JSON.stringify({ prefix: 'bi', icons: { lamp: { body: '<path d="M0 0"/>' } } })
  const folder = createProject({
    'menus/main.yaml': menu.replace('label: Lamps', 'label: Lamps\n    icon: bi:lamp'),
    'menuscript.config.yaml': config,
    'icons.json': set,
    ...views,
  })
  const text = `import { fileURLToPath } from 'node:url'\n${server.replace("app.get('/lamps'", `${serve}app.get('/lamps'`)}`
  await withSite(folder, text, async (url) => {
    const { text: html } = await get(`${url}/lamps?for=desk`)
    assert.match(html, 'data-menu-style="disclosure"')
    assert.match(html, /<a href="\/lamps"[^>]*><svg /)
    assert.match(html, '<footer class="menuscript"><nav aria-label="Main menu"><ul class="nav">')
    assert.ok(html.includes(jsonLd.replace(/\n */g, '')), html)
    for (const [file, type] of [
      ['styles.css', 'text/css'],
      ['disclosure.js', 'text/javascript'],
    ] as const) {
      const answer = await get(`${url}/menuscript/${file}`)
      assert.equal([answer.status, answer.headers['content-type']?.split(';')[0]], [200, type])
    }
  })
  folder.close()
})

test('A site made with Eleventy has the files and the styles', async () => {
  const site = openSite({
    'eleventy.config.js': `import menuscript from 'menuscript/eleventy'
export default (eleventyConfig) => {
  ${copy}
  return eleventyConfig.addPlugin(menuscript)
}`,
    'menus/main.yaml': menu,
    'index.njk': page,
  })
  const { code, said } = await site.build()
  assert.is(code, 0, said)
  assert.match(site.read('_site/index.html'), 'data-menu-style="disclosure"')
  for (const file of ['styles.css', 'disclosure.js'])
    assert.is(site.read(`_site/menuscript/${file}`), readFileSync(join(ROOT, 'dist', file), 'utf8'))
})

test('The script exports what the page imports', () => {
  assert.match(late, "import { enhanceMenus } from 'menuscript/disclosure.js'")
  assert.match(
    readFileSync(join(ROOT, 'dist/disclosure.js'), 'utf8'),
    /export\s*\{\s*\w+ as enhanceMenus\s*\}/,
  )
})

test('The table of keys has the keys that the script knows', () => {
  const keys = rowsUnder('key', 'effect').map(([cell]) => cell)
  assert.ok(['Tab', 'Enter, Space', '↓, →', '↑, ←', 'Home, End', 'Esc'].every((key) => keys.includes(key)))
})

testCoverage(test, 'docs/html.md')

test.run()
