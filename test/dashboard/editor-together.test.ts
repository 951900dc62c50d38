import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import type { OpenSite } from '../http/sites.js'
import { test } from '../support/test.js'
import { PASSWORD, userLine } from './access/dashboards.js'
import { editorOf, fieldsOf, wayOf } from './forms.js'
import { MENU, textOf } from './managing.js'
import { createVisitor, HOME, openForOperator, openForVisitor, textOfPage, type Visitor } from './visiting.js'

const ADDRESS = `${HOME}/edit?file=main.yaml`

/** Lets all drafts be this many minutes older. */
function age({ folder: { dir } }: OpenSite, minutes: number): void {
  const folder = join(dir, '.menuscript', 'drafts')
  for (const name of readdirSync(folder)) {
    const journal = join(folder, name, 'journal')
    const older = (_: string, key: string, time: string): string =>
      `"${key}":${Number(time) - minutes * 60_000}`
    writeFileSync(journal, readFileSync(journal, 'utf8').replace(/"(at|created)":(\d+)/g, older))
  }
}

/** Ana and Ben, who edit, and Vera, who may look. */
async function openForPeople(): Promise<
  readonly [people: { ana: Visitor; ben: Visitor; vera: Visitor }, site: OpenSite]
> {
  const users = ['ana', 'ben'].map((name) => userLine(name)).join('') + userLine('vera', 'view')
  const prepare = (dir: string): void => writeFileSync(join(dir, 'users.txt'), users)
  const config = { dashboard: { users_file: 'users.txt', enabled: true } }
  const [, site] = await openForVisitor({ prepare, config })
  const signedIn = async (name: string): Promise<Visitor> => {
    const visitor = createVisitor(site.ask, site.url)
    await visitor.send(`${HOME}/sign-in`, { name, password: PASSWORD })
    return visitor
  }
  return [{ ana: await signedIn('ana'), ben: await signedIn('ben'), vera: await signedIn('vera') }, site]
}

test('Each sees that the other is editing; edits of different fields are merged at the second publish', async () => {
  const [{ ana, ben }, site] = await openForPeople()
  const [a, b] = [editorOf(ana), editorOf(ben)]
  await a.fill('/items/1', { 'label:en': 'Revenue' })
  assert.match(textOfPage(await b.page()), 'ana is also editing this menu: 1 change')
  await b.fill('/items/1', { url: '/revenue' })
  await a.review('publish')
  assert.match(textOfPage(await b.page()), 'The menu has changed since you began.')
  const merged = textOfPage(await ben.look(b.address('review')))
  assert.match(merged, 'This is the merged result.')
  assert.match(merged, /What others changed meanwhile .*Sales → Revenue/)
  assert.not.match(textOfPage(await b.page()), 'Undo this publish')
  const seen = textOfPage(await ben.look(b.address('preview')))
  assert.match(seen, 'Revenue Includes what others published since you began.')
  assert.is((await b.review('publish')).status, 303)
  assert.is(textOf(site), MENU.replace('Sales', 'Revenue').replace('/sales', '/revenue'))
})

test('The draft of a user who is away can be taken over with its steps, and its owner sees that', async () => {
  const [{ ana, ben, vera }, site] = await openForPeople()
  const [a, b] = [editorOf(ana), editorOf(ben)]
  const path = b.address('take-over', { user: 'ana' })
  await a.fill('/items/1', { 'label:en': 'Revenue' })
  assert.not.match(textOfPage(await b.page()), 'Take over')
  assert.is((await ben.look(path)).status, 404)
  age(site, 16)
  const form = fieldsOf(await ben.look(path), 'revision')
  assert.is((await vera.send(path, { ...form, csrf: '' })).status, 403)
  await b.fill('/items/0', { 'label:en': 'Start' })
  const own = await ben.send(path, form)
  assert.match(textOfPage(own), 'You have a draft of this menu yourself. Publish or discard it first.')
  await b.press('discard')
  assert.is((await ben.send(path, { ...form, revision: '7' })).status, 412)
  const taken = await ben.send(path, form)
  assert.is(taken.status, 303, textOfPage(taken))
  assert.match(textOfPage(await ben.look(taken.headers['location'] ?? '')), 'The draft is yours now.')
  assert.match(textOfPage(await b.page()), /Revenue Changed .* 1 change, not published/)
  assert.match(textOfPage(await a.page()), 'ben took over your draft of this menu: 1 change')
  assert.match(
    readFileSync(join(site.folder.dir, '.menuscript', 'audit.log'), 'utf8'),
    '"draft-taken-over","of":"ana"',
  )
  // A tab that was left open begins a draft of its own.
  await a.fill('/items/1', { url: '/revenue' })
  await b.press('undo')
  assert.match(textOfPage(await b.page()), 'ana is also editing this menu: 1 change')
  assert.is((await a.review('publish')).status, 303)
  assert.match(textOf(site), '/revenue')
  assert.not.match(textOf(site), 'Revenue')
})

test('B7: Two edits of one field are a conflict, and until it is decided nothing is written', async () => {
  const [{ ana, ben }, site] = await openForPeople()
  const [a, b] = [editorOf(ana), editorOf(ben)]
  await b.fill('/items/1', { 'label:en': 'Turnover' })
  await a.fill('/items/1', { 'label:en': 'Revenue' })
  await a.review('publish')
  const asked = await ben.look(b.address('review'))
  assert.match(
    textOfPage(asked),
    /1 conflict to decide .* Before: Sales .*Your change Turnover .*ana, just now Revenue/,
  )
  assert.is((await b.review('publish')).status, 409)
  assert.is((await b.review('resolve')).status, 422)
  const [, choice = ''] = /name="(choice:[^"]+)"/.exec(asked.text) ?? []
  assert.is(wayOf(await b.review('resolve', { [choice]: 'mine' })), '')
  assert.is((await b.review('publish')).status, 303)
  assert.is(textOf(site), MENU.replace('Sales', 'Turnover'))
})

test('A conflict says in words what each side did, and when the file was changed where nobody is known', async () => {
  const [{ ben }, site] = await openForPeople()
  const b = editorOf(ben)
  const change = (from: string, to: string): void =>
    site.folder.write('menus/main.yaml', textOf(site).replace(from, to))
  await b.fill('/items/1', { to: 'url', url: '/b' })
  await b.press('remove', '/items/0')
  change('url: /sales', 'url: /theirs')
  change('label: Home', 'label: Home\n    icon: lucide:house\n    attributes: { target: _blank }')
  const asked = textOfPage(await ben.look(b.address('review')))
  for (const words of [
    'Before: /sales Your change /b Changed on disk, just now /theirs',
    'label: Home icon: lucide:house attributes: target: _blank address: /',
  ])
    assert.match(asked, words)
  assert.not.match(asked, /[{}[\]]/)
})

test('Changes and conflicts are in the language of the page, and in English in the commit and the API', async () => {
  const [{ ana, ben }] = await openForPeople()
  const [a, b] = [editorOf(ana), editorOf(ben)]
  const german = { 'accept-language': 'de' }
  const review = async (): Promise<string> => textOfPage(await ben.look(b.address('review'), german))
  await b.fill('/items/1', { 'label:en': 'Turnover', icon: 'lucide:tag', hidden: 'on' })
  await b.press('remove', '/items/0')
  assert.match(
    await review(),
    /Entfernt Home Geändert Turnover Verborgen: nein → ja · .* Text: Sales → Turnover .*Symbol: lucide:tag/,
  )
  await a.fill('/items/1', { 'label:en': 'Revenue' })
  await a.fill('/items/0', { icon: 'lucide:home' })
  await a.review('publish')
  const said = await review()
  assert.match(said, 'Bei Sales ist Text von beiden geändert')
  assert.match(said, 'Sie haben Home gelöscht, und jemand anderes hat es oder etwas darunter geändert')
  assert.match(textOfPage(await ben.look(b.address('review'))), 'Both changed label of Sales')
})

test('A form that began without a draft is kept where the file has changed since: merged, or a choice at the review', async () => {
  const [{ ana, ben }, site] = await openForPeople()
  const [a, b] = [editorOf(ana), editorOf(ben)]
  const form = b.address('item', { item: '/items/1' })
  const old = fieldsOf(await ben.look(form), 'was')
  const up = fieldsOf(await ben.look(b.address('edit', { open: '/items/1' })), 'item')
  await a.fill('/items/1', { 'label:en': 'Revenue' })
  await a.fill('/items/0', { icon: 'lucide:home' })
  await a.review('publish')
  assert.is(wayOf(await ben.send(b.address('edit'), { ...up, do: 'up' })), 'did=up&at=/items/0')
  assert.match(textOfPage(await ben.look(b.address('review'))), 'This is the merged result.')
  await b.press('undo')
  assert.is(wayOf(await ben.send(form, { ...old, 'label:en': 'Turnover' })), 'did=set&at=/items/1')
  const asked = await ben.look(b.address('review'))
  assert.match(
    textOfPage(asked),
    /1 conflict to decide .* Before: Sales .*Your change Turnover .*ana, just now Revenue/,
  )
  const [, choice = ''] = /name="(choice:[^"]+)"/.exec(asked.text) ?? []
  await b.review('resolve', { [choice]: 'mine' })
  await b.review('publish')
  assert.match(textOf(site), 'Turnover')
  assert.match(textOf(site), 'lucide:home')
})

test('Who is editing is said as long as it is true, and to a viewer without "also"', async () => {
  const [{ ana, ben, vera }, site] = await openForPeople()
  await editorOf(ana).fill('/items/1', { 'label:en': 'Revenue' })
  assert.match(textOfPage(await ben.look(HOME)), 'ana is editing: 1 change')
  assert.match(textOfPage(await vera.look(ADDRESS)), 'ana is editing this menu: 1 change, just now.')
  age(site, 3)
  assert.match(
    textOfPage(await ben.look(ADDRESS)),
    'ana has an unpublished change to this menu, saved 3 minutes ago.',
  )
  assert.match(textOfPage(await ben.look(HOME)), 'ana has a draft: 1 change')
})

test('Somebody who may only look sees the items without a button, and can send none', async () => {
  const [{ vera }, site] = await openForPeople()
  const answer = await vera.look(`${HOME}/edit?file=main.yaml`)
  assert.match(textOfPage(answer), /Home .* Sales/)
  assert.not.match(answer.text, '<button name="do"')
  for (const page of ['edit', 'item', 'place', 'settings', 'review'])
    assert.is((await vera.fill(`${HOME}/${page}?file=main.yaml`, { do: 'up', item: '/items/1' })).status, 403)
  assert.is(textOf(site), MENU)
})

test('The form of an item finds it where another tab has moved it', async () => {
  const [visitor] = await openForOperator()
  const { address, press, page } = editorOf(visitor)
  const old = fieldsOf(await visitor.look(address('item', { item: '/items/1' })), 'was')
  await press('up', '/items/1')
  const sent = await visitor.send(address('item', { item: '/items/1' }), { ...old, 'label:en': 'Revenue' })
  assert.is(wayOf(sent), 'did=set&at=/items/0')
  assert.match(textOfPage(await page()), /Revenue .* Home/)
})

test('Two tabs change an item: different fields are merged, also where it moved, and the same one is asked about', async () => {
  const [visitor] = await openForOperator()
  const { address, fill, press, page } = editorOf(visitor)
  const path = address('item', { item: '/items/1' })
  const old = fieldsOf(await visitor.look(path), 'was')
  await press('hide', '/items/1')
  await fill('/items/1', { url: '/other' })
  await press('up', '/items/1')
  const saved = await visitor.send(path, { ...old, 'label:en': 'Revenue' })
  assert.is(wayOf(saved), 'did=set&at=/items/0')
  assert.match(textOfPage(await page()), /Revenue .*\/other Hidden .*Home/)
  const asked = await visitor.send(path, { ...old, 'label:en': 'Turnover' })
  assert.is(asked.status, 409)
  assert.match(textOfPage(asked), 'Changed meanwhile: it is now “Revenue”. Saving replaces that.')
  assert.match(asked.text, /id="label:en"[^>]* value="Turnover"[^>]* aria-invalid/)
})

test('The form of an item that another tab has changed or deleted shows what was typed, and can be sent again', async () => {
  const [visitor] = await openForOperator()
  const { address, fill, press, page } = editorOf(visitor)
  const path = address('item', { item: '/items/1' })
  // What it was is in no version that is still known.
  await fill('/items/1', { icon: 'lucide:tag' })
  const old = fieldsOf(await visitor.look(path), 'was')
  await fill('/items/1', { url: '/other' })
  const stale = await visitor.send(path, { ...old, 'label:en': 'Revenue' })
  assert.is(stale.status, 409)
  assert.match(textOfPage(stale), 'This item has changed since the form was loaded.')
  const again = fieldsOf(stale, 'was')
  assert.is(again['label:en'], 'Revenue')
  await press('remove', '/items/1')
  const gone = await visitor.send(path, again)
  assert.match(textOfPage(gone), 'This item no longer exists.')
  assert.is((await visitor.send(address('item', { new: 'inside' }), fieldsOf(gone, 'was'))).status, 303)
  assert.match(textOfPage(await page()), 'Revenue')
})

test('Errors of an item appear at its fields, keep what was typed, and are not a step', async () => {
  const [visitor] = await openForOperator()
  const { fill, page } = editorOf(visitor)
  const empty = await fill('/items/1', { 'label:en': '', url: '' })
  assert.is(empty.status, 422)
  assert.match(empty.text, '<a href="#label:en">Enter a label.</a>')
  assert.match(empty.text, '<a href="#url">Enter an address.</a>')
  const nowhere = await fill('/items/1', { to: 'route', route: ' ' })
  assert.match(nowhere.text, '<a href="#route">Enter the name of a page.</a>')
  const bad = await fill('/items/1', { url: 'javascript:alert(1)', id: '7', icon: '"' })
  assert.match(
    bad.text,
    /id="url"[^>]*value="javascript:alert\(1\)"[^>]*aria-describedby="url-error url-hint" aria-invalid="true"/,
  )
  for (const field of ['url', 'id', 'icon']) assert.match(bad.text, `href="#${field}"`)
  const relative = textOfPage(await fill('/items/1', { url: 'lamps' }))
  assert.match(relative, 'Write https:// before it, or / for a path of the site.')
  const divider = await fill('/items/1', { type: 'divider' })
  assert.is(divider.status, 303)
  assert.match(textOfPage(await page()), '1 change, not published')
})

test.run()
