import * as assert from 'uvu/assert'
import { menuText } from '../http/sites.js'
import { test } from '../support/test.js'
import { editorOf } from './forms.js'
import { MENU, textOf } from './managing.js'
import { HOME, openForOperator, textOfPage } from './visiting.js'

const BOTH = MENU.replace('Home', 'Their home').replace('Sales', 'Their sales')

/** Somebody who changed two labels of a menu, in which others changed the same ones. */
async function openInConflict() {
  const [visitor, site] = await openForOperator()
  const editor = editorOf(visitor)
  await editor.fill('/items/0', { 'label:en': 'My home' })
  await editor.fill('/items/1', { 'label:en': 'My sales' })
  site.folder.write('menus/main.yaml', BOTH)
  return [editor, site, visitor] as const
}

test('One button decides all conflicts, except for those that have a choice', async () => {
  const [editor, site, visitor] = await openInConflict()
  const page = await editor.review('theirs', {
    [/name="(choice:[^"]+)" value="mine"/.exec((await visitor.look(editor.address('review'))).text)?.[1] ??
      '']: 'mine',
  })
  assert.is(page.status, 303)
  await editor.review('publish')
  assert.match(textOf(site), /My home.*Their sales/s)
})

test('Conflicts without a choice are refused in plain words', async () => {
  const [editor] = await openInConflict()
  const refused = await editor.review('resolve')
  assert.is(refused.status, 422)
  assert.match(textOfPage(refused), 'Choose a side for each.')
})

test('The page that deletes a menu names the one that visitors get instead', async () => {
  const menus = {
    'main.yaml': MENU,
    'shop.yaml': menuText('main', 'Shop', { shop: 1 }),
    'footer.yaml': menuText('footer', 'F'),
  }
  const [{ look }] = await openForOperator({ menus })
  const saysOf = async (file: string) => textOfPage(await look(`${HOME}/delete?file=${file}`))
  assert.match(await saysOf('shop.yaml'), 'Visitors get Main instead.')
  for (const file of ['main.yaml', 'footer.yaml'])
    assert.match(await saysOf(file), 'Visitors get an empty menu instead.')
})

test.run()
