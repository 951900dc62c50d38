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

test('The review lists what a draft shows to nobody, by the judgement of the form, and unknown permissions', async () => {
  const listed = /Nobody will see 1 item .*change that\. Off /
  for (const [options, isListed] of [
    [{ menus, config }, true],
    [{ menus, config, policies }, false],
  ] as const) {
    const [visitor] = await openForOperator(options)
    const editor = editorOf(visitor)
    await editor.press('show', '/items/2')
    const text = textOfPage(await visitor.look(editor.address('review')))
    assert.is(listed.test(text), isListed, text)
    assert.match(text, /Problems .* Deals Nobody declared the permission "deals\.veiw"\./)
    const form = textOfPage(await visitor.look(editor.address('item', { item: '/items/1' })))
    assert.is(/nobody would see the item/.test(form), isListed)
    assert.is((await editor.review('publish')).status, 303)
  }
})

test('What nobody sees is a problem, and a warning where a draft is the cause of it, no other', async () => {
  const [visitor] = await openForOperator({ menus, config })
  const problems = textOfPage(await visitor.look(`${HOME}/problems`))
  assert.match(problems, /Warning Nobody will see 1 item .* change that\. Deals Main/)
  assert.not.match(problems, 'All is well')
  const editor = editorOf(visitor)
  const review = async (): Promise<string> => textOfPage(await visitor.look(editor.address('review')))
  await editor.press('up', '/items/1')
  assert.not.match(await review(), 'Nobody will see')
  await editor.press('show', '/items/2')
  assert.match(await review(), /Nobody will see 1 item .* Off .*What changes/)
})

test('A draft that opens a page to those who see no other link to it needs a look, and is published all the same', async () => {
  const routes = { deals: { pattern: '/deals', name: 'Deals of the day' }, about: '/about', any: '/any' }
  const guarded = yaml`
    version: 1
    code: staff
    name: Staff
    items:
      - { label: Deals, routeName: deals, permissions: [deals.view] }
      - { label: About, routeName: about }
      - { label: Any, routeName: any, permissions: [deals.view, staff], permissionMode: any }
  `
  const [visitor] = await openForOperator({
    menus: { ...menus, 'staff.yaml': guarded },
    config: { ...config, routes },
    policies,
  })
  const editor = editorOf(visitor)
  const add = { type: 'link', to: 'route', route: 'deals', 'label:en': 'Today' }
  const chosen = textOfPage(await visitor.look(editor.address('item', { new: 'inside', route: 'deals' })))
  assert.match(chosen, 'Page needs: Sees deals')
  await editor.fill('', add, 'inside')
  assert.match(textOfPage(await editor.page()), 'Today New Deals of the day Page needs: Sees deals')
  assert.is((await editor.press('publish')).headers.location?.includes('/review?'), true)
  const review = textOfPage(await visitor.look(editor.address('review')))
  assert.match(review, /Check who sees 1 item .*turned away\. Today Page needs: Sees deals/)
  // For the same visitors as everywhere else, hidden, or to another page, there is nothing to check.
  for (const fields of [
    { who: 'some', 'permission:deals.view': 'on' },
    { who: 'everyone', route: 'about' },
    { route: 'deals', hidden: 'on' },
  ]) {
    await editor.fill('/items/3', fields)
    assert.not.match(textOfPage(await visitor.look(editor.address('review'))), 'Check who sees')
  }
  await editor.press('show', '/items/3')
  await editor.fill('', { ...add, route: 'any' }, 'inside')
  const both = textOfPage(await visitor.look(editor.address('review')))
  assert.match(both, /Check who sees 2 items .*Page needs: Sees deals Today Page needs: Sees deals, staff/)
  assert.is((await editor.review('publish')).status, 303)
})

test('A section that opens is looked at for the pages below it, unless it is hidden', async () => {
  const guarded = yaml`
    version: 1
    code: main
    name: Main
    items:
      - label: Staff
        type: section
        permissions: [deals.view]
        children:
          - { label: Deals, routeName: deals }
  `
  const [visitor] = await openForOperator({
    menus: { 'main.yaml': guarded },
    config: { ...config, routes: { deals: '/deals' } },
    policies,
  })
  const editor = editorOf(visitor)
  const review = async (): Promise<string> => textOfPage(await visitor.look(editor.address('review')))
  await editor.fill('/items/0', { 'label:en': 'Team' })
  assert.not.match(await review(), 'Check who sees')
  await editor.fill('/items/0', { who: 'everyone' })
  assert.match(await review(), /Check who sees 1 item .*Deals Page needs: Sees deals/)
  await editor.press('hide', '/items/0')
  assert.not.match(await review(), 'Check who sees')
})

test('Nobody stops seeing what was hidden, however late it is shown', async () => {
  const [visitor] = await openForOperator({ menus, config })
  const editor = editorOf(visitor)
  const review = async (): Promise<string> => textOfPage(await visitor.look(editor.address('review')))
  await editor.fill('/items/0', { visibleFrom: '2099-01-01T00:00:00Z' })
  assert.match(await review(), /Changed Home .*2099, 00:00 UTC · Visitors stop seeing it until then\./)
  await editor.press('undo')
  await editor.press('show', '/items/2')
  await editor.fill('/items/2', { visibleFrom: '2099-01-01T00:00:00Z' })
  const shown = await review()
  assert.match(shown, /Changed Off .*2099, 00:00 UTC/)
  assert.not.match(shown, 'stop seeing')
})

test('Permissions are offered by their names, those that the item and then its page need first', async () => {
  const permissions = { a: 'Sees zebras', b: 'Sees apes', c: 'Sees deals', 'deals.veiw': 'Sees offers' }
  const guarded = JSON.stringify({
    ...{ version: 1, code: 'staff', name: 'Staff' },
    items: [{ label: 'Zoo', routeName: 'zoo', permissions: ['a'] }],
  })
  const [visitor] = await openForOperator({
    menus: { ...menus, 'staff.yaml': guarded },
    config: { permissions, routes: { zoo: '/zoo' } },
  })
  const { address } = editorOf(visitor)
  const form = textOfPage(await visitor.look(address('item', { item: '/items/1' })))
  assert.match(form, /Permissions Sees offers Sees apes Sees deals Sees zebras /)
  const forPage = textOfPage(await visitor.look(address('item', { item: '/items/1', route: 'zoo' })))
  assert.match(forPage, /Permissions Sees offers Sees zebras Sees apes Sees deals /)
})

test.run()
