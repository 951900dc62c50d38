import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { commitFolder } from '../support/repository.js'
import { test } from '../support/test.js'
import { editorOf, fieldsOf } from './forms.js'
import { MENU, textOf } from './managing.js'
import { HOME, openForOperator, textOfPage, type Visitor } from './visiting.js'

const HISTORY = `${HOME}/history?file=main.yaml`
const DELETE = `${HOME}/delete?file=main.yaml`
const TEXT = `${HOME}/text?file=main.yaml`

/** Publishes a text in place of the menu. */
async function publish({ look, send }: Visitor, text: string): Promise<void> {
  const answer = await send(TEXT, { ...fieldsOf(await look(TEXT), 'version'), text, do: 'publish' })
  assert.is(answer.status, 303)
}

/** The address of the comparison of a version with the file as it is now: that of the newest, or of the one before. */
async function lookBack({ look }: Visitor, place = 0): Promise<string> {
  const links = [...(await look(HISTORY)).text.matchAll(/href="([^"]*&amp;from=[^"]*)"/g)]
  return (links[place]?.[1] ?? '').replaceAll('&amp;', '&')
}

test('Each version can be compared with the present one, and restored to the byte', async () => {
  const [visitor, site] = await openForOperator()
  const { look, send } = visitor
  await publish(visitor, MENU.replace('Sales', 'Offers'))
  const back = await lookBack(visitor)
  const page = await look(back)
  assert.match(
    textOfPage(page),
    /Restore the version of .* From As it is now .*To \d+ \w+ \d+, \d\d:\d\d UTC Replaced by local .* Changed Sales label: Offers → Sales .*- - label: Offers/,
  )
  const restored = await send(back, fieldsOf(page, 'version'))
  assert.is(restored.status, 303)
  assert.is(textOf(site), MENU)
  assert.match(
    textOfPage(await look(restored.headers['location'] ?? '')),
    / is live again in its earlier version\. 1 change published\. /,
  )
})

test('An earlier version is put into the draft, with the comments of what comes back, and nothing is published', async () => {
  const [visitor, site] = await openForOperator()
  const { look, send } = visitor
  const before = MENU.replace('  - label: Sales', '  # For the season.\n  - label: Sales')
  const after = MENU.replace('  - label: Sales\n    url: /sales\n', '').replace('Home', 'Start')
  await publish(visitor, before)
  await publish(visitor, after)
  const back = await lookBack(visitor)
  const page = await look(back)
  const answer = await send(back, { ...fieldsOf(page, 'version'), do: 'draft' })
  assert.is(answer.status, 303)
  assert.is(textOf(site), after)
  // Sent twice, it is one step.
  await send(back, { ...fieldsOf(page, 'version'), do: 'draft' })
  const review = answer.headers['location'] ?? ''
  await editorOf(visitor).press('undo')
  assert.match(textOfPage(await look(review)), 'There is nothing to publish')
  await editorOf(visitor).press('redo')
  assert.match(textOfPage(await look(review)), /What changes Changed Home label: Start → Home New Sales/)
  assert.is((await send(review, { ...fieldsOf(await look(review), 'state'), do: 'publish' })).status, 303)
  assert.is(textOf(site), before)
})

test('A history with a single version offers nothing to compare', async () => {
  const [visitor] = await openForOperator()
  const only = await visitor.look(HISTORY)
  assert.match(textOfPage(only), 'No earlier version yet.')
  await publish(visitor, MENU.replace('Sales', 'Offers'))
  const two = await visitor.look(HISTORY)
  assert.equal(
    [only, two].map(({ text }) => ['Compare', 'From', 'type="radio"'].map((each) => text.includes(each))),
    [
      [false, false, false],
      [true, true, true],
    ],
  )
})

test('Undo this publish leads to the version before it, also after a publish that replaced an uncommitted edit', async () => {
  const [visitor, site] = await openForOperator({ prepare: (dir) => commitFolder(dir, 'menus') })
  const { fill, review } = editorOf(visitor)
  await fill('/items/0', { 'label:en': 'Start' })
  writeFileSync(join(site.folder.dir, 'menus/main.yaml'), MENU.replace('Sales', 'Revenue'))
  // What is replaced has its time in milliseconds, and the commit of the same moment in seconds.
  await sleep(1_000 - (Date.now() % 1_000))
  assert.is((await review('publish')).status, 303)
  const before = textOf(site)
  await sleep(1_000)
  await fill('/items/0', { 'label:en': 'Begin' })
  const { headers } = await review('publish')
  const [, undo = ''] =
    /href="([^"]*from=previous)"/.exec((await visitor.look(headers['location'] ?? '')).text) ?? []
  const page = await visitor.look(undo.replaceAll('&amp;', '&'))
  assert.match(textOfPage(page), /What changes Changed Start label: Begin → Start Technical details/)
  // What it came for is the first button.
  assert.match(textOfPage(page), /Restore and publish now Put into my draft .*Restore single items/)
  const [, action = ''] = /action="([^"]*from=[^"]+)"/.exec(page.text) ?? []
  await visitor.send(action.replaceAll('&amp;', '&'), { ...fieldsOf(page, 'version'), do: 'publish' })
  assert.is(textOf(site), before)
})

test('One item is restored by the draft, and everything else stays as it is now', async () => {
  const [visitor, site] = await openForOperator()
  const now = MENU.replace('  - label: Sales\n    url: /sales\n', '')
  await publish(visitor, now.replace('Home', 'Start'))
  const back = await lookBack(visitor)
  const page = await visitor.look(back)
  const [, pointer = ''] = /name="item" value="([^"]*)"><bdi>Restore Sales</.exec(page.text) ?? []
  const { status, headers } = await visitor.send(back, { ...fieldsOf(page, 'version'), item: pointer })
  const { address, review } = editorOf(visitor)
  assert.equal([status, headers['location']], [303, address('review')])
  assert.is(textOf(site), now.replace('Home', 'Start'), 'nothing is published yet')
  await review('publish')
  assert.is(textOf(site), MENU.replace('Home', 'Start'))
})

for (const [what, spoil] of [
  ['is gone', (text: string) => text.replace(/.*# where all begins\n.*Home\n.*\n/, '')],
  ['has changed', (text: string) => text.replace('label: Home', 'label: Start')],
] as const)
  test(`An item that ${what} comes back with its comments`, async () => {
    const [visitor, site] = await openForOperator()
    assert.is.not(spoil(MENU), MENU)
    await publish(visitor, spoil(MENU))
    const back = await lookBack(visitor)
    const page = await visitor.look(back)
    const [, item = ''] = /name="item" value="([^"]*)"><bdi>Restore Home</.exec(page.text) ?? []
    await visitor.send(back, { ...fieldsOf(page, 'version'), item })
    await editorOf(visitor).review('publish')
    assert.is(textOf(site), MENU)
  })

test('Two earlier versions are compared with each other', async () => {
  const [visitor] = await openForOperator()
  await publish(visitor, MENU.replace('Sales', 'Offers'))
  await publish(visitor, MENU.replace('Sales', 'Bargains'))
  const [newer = '', older = ''] = [await lookBack(visitor), await lookBack(visitor, 1)].map(
    (path) => new URLSearchParams(path.split('?')[1]).get('from') ?? '',
  )
  const list = (await visitor.look(HISTORY)).text
  assert.match(list, /aria-hidden="true"><span>From<\/span><span>To<\/span>/)
  assert.match(list, `name="from" value="${newer}" checked`)
  assert.is(list.match(/name="to" value="now"/g)?.length, 1)
  const page = textOfPage(await visitor.look(`${HISTORY}&from=${older}&to=${newer}`))
  assert.match(
    page,
    /What changed between them From .* UTC Replaced by local To .* UTC Replaced by local .*Changed Offers label: Sales → Offers/,
  )
  assert.not.match(page, 'Restore and publish now')
  assert.is((await visitor.look(`${HISTORY}&from=none`)).status, 404)
})

test('A menu is deleted when asked twice, and the deletion is undone from where it leads', async () => {
  const [visitor, site] = await openForOperator()
  const { look, send } = visitor
  const asked = await look(DELETE)
  assert.match(textOfPage(asked), /Delete Main\? The menu is deleted.* 2 items are deleted Home Sales/)
  const gone = await send(DELETE, fieldsOf(asked, 'version'))
  assert.is(gone.status, 303)
  assert.not(existsSync(join(site.folder.dir, 'menus/main.yaml')))
  assert.match(textOfPage(await look(gone.headers['location'] ?? '')), 'The menu is deleted.')
  assert.match(textOfPage(await look(`${HOME}/history`)), /main\.yaml .*Deleted by local/)
  const back = await lookBack(visitor)
  assert.is((await send(back, fieldsOf(await look(back), 'version'))).status, 303)
  assert.is(textOf(site), MENU)
})

test('B8 a menu that changed after it was shown is not deleted or replaced', async () => {
  const [visitor, site] = await openForOperator()
  const { look, send } = visitor
  await publish(visitor, MENU.replace('Sales', 'Offers'))
  const back = await lookBack(visitor)
  const [deleting, restoring] = [
    fieldsOf(await look(DELETE), 'version'),
    fieldsOf(await look(back), 'version'),
  ]
  const theirs = MENU.replace('Home', 'Start')
  writeFileSync(join(site.folder.dir, 'menus/main.yaml'), theirs)
  assert.is((await send(DELETE, deleting)).status, 412)
  assert.match(textOfPage(await send(back, restoring)), 'The menu has changed since you opened this page.')
  assert.is(textOf(site), theirs)
})

test('Paths that are no menu files have no history and cannot be deleted', async () => {
  const [{ look, fill }] = await openForOperator()
  for (const file of ['../x.yaml', 'none.yaml', 'main.txt', '', 'a/../main.yaml']) {
    const query = new URLSearchParams({ file })
    assert.ok([404, 422].includes((await look(`${HOME}/history?${query}`)).status), file)
    assert.ok([404, 422].includes((await look(`${HOME}/delete?${query}`)).status), file)
    assert.ok([404, 422].includes((await fill(`${HOME}/delete?${query}`, { version: 'x' })).status), file)
  }
})

test.run()
