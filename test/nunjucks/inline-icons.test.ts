import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createMenusFolder } from '../support/menus-folder.js'
import { menu, rule } from './pages.js'

const folder = createMenusFolder()
test.after(() => folder.close())
const SET = {
  prefix: 'bi',
  icons: {
    house: { body: '<path d="M1 1"/>' },
    spin: { body: '<path d="M1 1"><animate attributeName="d"/></path>' },
  },
}
writeFileSync(join(folder.dir, 'set.json'), JSON.stringify(SET))
mkdirSync(join(folder.dir, 'own'))
writeFileSync(join(folder.dir, 'own/lamp.svg'), '<svg viewBox="0 0 2 2" fill="none"><path d="M2 2"/></svg>')
writeFileSync(join(folder.dir, 'own/evil.svg'), '<svg viewBox="0 0 2 2" onload="alert(1)"><script/></svg>')

const NAMES = ['bootstrap-icons:house', 'bootstrap-icons:spin', 'own:lamp', 'own:evil', 'own:none']
const ITEMS = NAMES.map((icon) => ({ label: icon, url: '/a', icon }))
const CALL = "{{ dashboard_menu_html('main', icons='svg') }}"
const END = 'width="1em" height="1em" aria-hidden="true" focusable="false"'

rule(
  'E9: icons are inline where they are drawings of shapes alone, and the log names the others once',
  (open) => {
    const icons = ['set.json', 'own'].map((name) => join(folder.dir, name))
    const options = { icons, icon_library_prefix_map: { 'bootstrap-icons': 'bi' } }
    const { render, events } = open({ 'main.yaml': menu('main', ITEMS) }, { options })
    assert.not.match(render("{{ dashboard_menu_html('main') }}"), '<svg')
    const html = render(CALL)
    assert.match(
      html,
      `<a href="/a"><svg viewBox="0 0 16 16" ${END}><path d="M1 1"></path></svg>bootstrap-icons:house</a>`,
    )
    assert.match(html, `<svg viewBox="0 0 2 2" fill="none" ${END}><path d="M2 2"></path></svg>own:lamp`)
    for (const name of ['bi:spin', 'own:evil', 'own:none'])
      assert.match(html, `<span data-icon="${name}" aria-hidden="true"></span>`)
    const elsewhere = { request: { url: '/a', headers: { host: 'shop.example' } } }
    assert.match(render(CALL, elsewhere), '<a href="/a" aria-current="page"><svg')
    assert.equal(
      events.filter(({ event }) => event === 'icon_not_inline').map(({ fields }) => fields['icon']),
      ['bi:spin', 'own:evil', 'own:none'],
    )
  },
)

rule('Without the option icons, and after its files are gone, icons have names', (open) => {
  const { render, events } = open({ 'main.yaml': menu('main', ITEMS.slice(0, 1)) })
  assert.match(render(CALL), '<span data-icon="bootstrap-icons:house" aria-hidden="true"></span>')
  assert.equal(
    events.map(({ event }) => event),
    ['icon_not_inline'],
  )
  const gone = join(folder.dir, 'gone')
  mkdirSync(gone, { recursive: true })
  writeFileSync(join(gone, 'a.svg'), '<svg viewBox="0 0 2 2"/>')
  const site = open(
    {
      'main.yaml': menu('main', [
        { label: 'A', url: '/', icon: 'gone:b' },
        { label: 'B', url: '/', icon: 'gone:a' },
      ]),
    },
    { options: { icons: [gone] } },
  )
  site.render("{{ dashboard_menu_html('main', icons='span') }}")
  rmSync(gone, { recursive: true })
  assert.match(site.render(CALL), '<span data-icon="gone:a" aria-hidden="true"></span>')
})

test.run()
