import * as assert from 'uvu/assert'
import { test } from '../support/test.js'
import { editorOf } from './forms.js'
import { HOME, openForOperator, textOfPage } from './visiting.js'

test('Changes are counted as the review lists them: steps that cancel each other out are none', async () => {
  const [visitor] = await openForOperator()
  const { fill, press, page, address } = editorOf(visitor)
  const counted = async (): Promise<readonly (string | undefined)[]> => {
    const list = /Your draft: [^.]*?changes?/.exec(textOfPage(await visitor.look(HOME)))?.[0]
    const editor = /No changes|\d+ changes?, not published/.exec(textOfPage(await page()))?.[0]
    return [list, editor]
  }
  const canPublish = async (): Promise<boolean> =>
    !(await page()).text.includes('<span class="with-changes" hidden>')
  assert.is(await canPublish(), false)
  await fill('/items/1', { 'label:en': 'Offers' })
  assert.is(await canPublish(), true)
  await fill('/items/1', { 'label:en': 'Specials' })
  assert.equal(await counted(), ['Your draft: 1 change', '1 change, not published'])
  await fill('/items/1', { 'label:en': 'Specials', icon: 'lucide:tag' })
  await press('remove', '/items/0')
  assert.equal(await counted(), ['Your draft: 2 changes', '2 changes, not published'])
  const { text } = await visitor.look(address('review'))
  assert.is(text.split('<ul class="changes">')[1]?.match(/<b><bdi>/g)?.length, 2)
  for (const _ of [1, 2]) await press('undo')
  await fill('/items/1', { 'label:en': 'Sales' })
  assert.equal(await counted(), [undefined, 'No changes'])
  assert.is(await canPublish(), false)
  assert.match(textOfPage(await page({ ask: 'discard' })), 'Discard your draft?')
})

test('The page after a publish says how many changes are live, as the review counted them, and leads to the history', async () => {
  const [visitor] = await openForOperator()
  const { fill, press, review, address } = editorOf(visitor)
  await fill('/items/1', { 'label:en': 'Offers', icon: 'lucide:tag' })
  await press('remove', '/items/0')
  const { headers } = await review('publish')
  const path = headers['location'] ?? ''
  const page = await visitor.look(path)
  assert.match(
    textOfPage(page),
    /No changes .* Main is live\. 2 changes published\. .*Undo this publish Undo/,
  )
  assert.match(page.text, `href="${address('history')}&amp;from=previous">Undo this publish</a>`)
  const back = textOfPage(await visitor.look(address('history', { from: 'previous' })))
  assert.match(back, /Restore and publish now Put into my draft .*Restore Home/)
  const crafted = await visitor.look(path.replace('changes=2', 'changes=many'))
  assert.not.match(textOfPage(crafted), 'published.')
})

test.run()
