import * as assert from 'uvu/assert'
import { test } from '../support/test.js'
import { editorOf } from './forms.js'
import { NESTED } from './managing.js'
import { openForOperator, textOfPage } from './visiting.js'

/** What Undo says in English and Arabic of what is done to About. */
const SENTENCES = [
  ['hide', 'Undone: hiding About.', 'تم التراجع عن إخفاء About.'],
  ['up', 'Undone: moving About.', 'تم التراجع عن نقل About.'],
  ['remove', 'Undone: deleting About.', 'تم التراجع عن حذف About.'],
] as const

test('Undo says what it took back, not what the item would be; Redo says what the item is again', async () => {
  const [visitor] = await openForOperator({ menus: { 'main.yaml': NESTED } })
  const { fill, press, page, address } = editorOf(visitor)
  const shown = async (did: string): Promise<string> => textOfPage(await page({ did }))
  for (const [kind, english, arabic] of SENTENCES) {
    await press(kind, '/items/2')
    await press('undo')
    const text = await shown('undo')
    assert.match(text, ` ${english} `)
    assert.not.match(text, /About (?:is now hidden|deleted|moved to)/)
    const translated = await visitor.look(address('edit', { did: 'undo' }), { 'accept-language': 'ar' })
    assert.match(textOfPage(translated), ` ${arabic} `)
  }
  await press('hide', '/items/2')
  await press('undo')
  await press('redo')
  assert.match(await shown('redo'), ' Redone: About is now hidden from visitors, with everything below it. ')
  await press('show', '/items/2')
  await press('undo')
  assert.match(await shown('undo'), ' Undone: showing About. ')
  await fill('/items/0', { 'label:en': 'Start' })
  await press('undo')
  assert.match(await shown('undo'), ' Undone: editing Home. ')
  await fill('/items/0', { 'label:en': 'New', url: '/new' }, 'after')
  await press('undo')
  assert.match(await shown('undo'), ' Undone: adding New. ')
})

test.run()
