import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import schema from '../../schemas/menu.schema.json' with { type: 'json' }
import menuscript from '../../src/eleventy.js'
import { openSite } from '../eleventy/site.js'
import { test } from '../support/test.js'
import { plain } from './markdown.js'
import { ROOT, rowsUnder, takeBlocks, testCoverage } from './readme.js'

const [config = '', menu = '', layout = '', html = ''] = takeBlocks('Menus in Eleventy', [
  ...['js', 'yaml', 'njk', 'html'],
])
const [njk = '', liquid = '', webc = '', script = ''] = takeBlocks('Template languages', [
  ...['njk', 'liquid', 'html', 'js'],
])
const FILES = {
  'eleventy.config.js': config,
  'menuscript.config.yaml': 'locales: [en, es]\n',
  'menus/main.yaml': menu,
  '_includes/page.njk': layout,
  'museum/hours.md': '---\ntitle: Horario\nlang: es\nlayout: page.njk\n---\n',
}
const joined = (text: string): string => text.replaceAll(/\n\s*/g, '')

test('The example shows its menus with the lines that are shown', async () => {
  const site = openSite(FILES)
  const { code, said } = await site.build()
  assert.is(code, 0, said)
  assert.ok(joined(site.read('_site/museum/hours/index.html')).includes(joined(html)))
})

test('Each template language has the functions as it is shown', async () => {
  const withWebc = config
    .replace('import', "import webc from '@11ty/eleventy-plugin-webc'\nimport")
    .replace('eleventyConfig.addPlugin', 'eleventyConfig.addPlugin(webc) ?? eleventyConfig.addPlugin')
  const pages = {
    'museum/a.njk': njk,
    'museum/b.liquid': liquid,
    'museum/c.webc': webc,
    'museum/d.11ty.js': script,
  }
  const site = openSite({ ...FILES, ...pages, 'eleventy.config.js': withWebc })
  const { code, said } = await site.build('--pathprefix=/below/')
  assert.is(code, 0, said)
  const read = (name: string): string => joined(site.read(`_site/museum/${name}/index.html`))
  const tabs = '<a href="/below/">Home</a><a href="/below/museum/">Museum</a>'
  assert.match(read('a'), tabs)
  const nav = (label: string) => `<nav aria-label="${label}"><ul class="nav"><li><a href="/">Home</a></li>`
  for (const part of [nav('Main menu'), nav('Footer'), tabs]) assert.match(read('b'), part)
  assert.match(read('c'), `<div>${nav('Footer')}`)
  assert.match(read('d'), nav('Main menu'))
})

test('A build with an error fails with the message of the page', async () => {
  const [documented = ''] = takeBlocks('Builds and the development server', ['text'])
  const broken = menu.replace('label: { en: Home', 'lable: { en: Home')
  const { code, said } = await openSite({ ...FILES, 'menus/main.yaml': broken }).build()
  assert.is(code, 1)
  assert.ok(said.includes(documented.trim()), said)
})

test('Every option of the plugin has a row', async () => {
  const rows = rowsUnder('plugin option', 'value').map(([cell = '']) => plain(cell))
  const thrown = await menuscript({} as never, { nothing: true } as object).catch((error: unknown) => error)
  assert.match(`${thrown}`, `the options are ${rows.join(', ')}.`)
})

test('Everything that eleventy-navigation offers has a row, and its keys are those of menus', () => {
  const source = readFileSync(`${ROOT}/node_modules/@11ty/eleventy-navigation/eleventy-navigation.js`, 'utf8')
  const [, defaults = ''] = /function navigationToHtml[\s\S]*?Object\.assign\(\{([^}]*)\}/.exec(source) ?? []
  const offered = [...defaults.matchAll(/^\s*(\w+):/gm)].map(([, name]) => name)
  const rows = rowsUnder('option of `toHtml`', 'in Menuscript')
  assert.ok(offered.length > 10)
  assert.equal(rows.flatMap(([cell = '']) => plain(cell).split(', ')).sort(), offered.sort())
  const filters = readFileSync(`${ROOT}/node_modules/@11ty/eleventy-navigation/.eleventy.js`, 'utf8')
  assert.equal(
    rowsUnder('filter of eleventy-navigation', 'in Menuscript').map(([cell = '']) => plain(cell)),
    [...filters.matchAll(/addFilter\("(\w+)"/g)].map(([, name]) => name),
  )
  const { display } = schema.definitions
  for (const [, text = ''] of rows)
    for (const [, name = '', part] of text.matchAll(/`display\.(\w+)(?:\.(\w+))?`/g)) {
      assert.ok(name in display.properties, name)
      if (part !== undefined) assert.ok(part in display.properties.classes.properties, part)
    }
})

testCoverage(test, 'docs/eleventy.md')

test.run()
