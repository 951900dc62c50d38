import * as assert from 'uvu/assert'
import { test } from '../support/test.js'
import { yaml } from '../support/yaml.js'
import { editorOf } from './forms.js'
import { HOME, openForOperator, textOfPage } from './visiting.js'

const menus = {
  'main.yaml': yaml`
    version: 1
    code: main
    name: Main
    items:
      - { label: Home, url: / }
      - { label: Deals, url: /deals, permissions: [deals.veiw] }
      - { label: Off, url: /off, hidden: true, permissions: [deals.view] }
  `,
}
const config = { permissions: { 'deals.view': 'Sees deals' } }
const policies = `export const resolveViewer = () => ({ permissions: [] })`

test('The review lists the items that nobody will see, by the judgement of the form, and unknown permissions', async () => {
  const listed = /Nobody will see 1 item .*change that\. Deals /
  for (const [options, isListed] of [
    [{ menus, config }, true],
    [{ menus, config, policies }, false],
  ] as const) {
    const [visitor] = await openForOperator(options)
    const editor = editorOf(visitor)
    await editor.press('hide', '/items/0')
    const page = await visitor.look(editor.address('review'))
    const text = textOfPage(page)
    assert.is(listed.test(text), isListed, text)
    assert.match(text, /Problems .* Deals Nobody declared the permission "deals\.veiw"\./)
    assert.is(/href="[^"]*item\?[^"]*">(?:<[^>]*>)?Off/.test(page.text), false, 'hidden on purpose')
    const form = textOfPage(await visitor.look(editor.address('item', { item: '/items/1' })))
    assert.is(/nobody would see the item/.test(form), isListed)
    assert.is((await editor.review('publish')).status, 303)
  }
})

test('What nobody sees is a problem, and a warning above the changes of the draft that is the cause of it', async () => {
  const [visitor] = await openForOperator({ menus, config })
  const problems = textOfPage(await visitor.look(`${HOME}/problems`))
  assert.match(problems, /Warning Nobody will see 1 item .* change that\. Deals Main/)
  assert.not.match(problems, 'All is well')
  const editor = editorOf(visitor)
  const review = async (): Promise<string> => textOfPage(await visitor.look(editor.address('review')))
  await editor.press('up', '/items/1')
  assert.match(await review(), /What changes .*Nobody will see 1 item/)
  await editor.press('show', '/items/2')
  assert.match(await review(), /Nobody will see 2 items .*What changes/)
})

test.run()
