import * as assert from 'uvu/assert'
import { test } from '../support/test.js'
import { editorOf, fieldsOf } from './forms.js'
import { NESTED } from './managing.js'
import { HOME, openForOperator, textOfPage } from './visiting.js'

const FROM = '2026-12-01T00:00:00+01:00'
const UNTIL = '2099-01-07T08:30:00+01:00'
const menus = { 'main.yaml': NESTED }

test('The form of an item sets its time window, and the row shows it in the language of the page', async () => {
  const [visitor] = await openForOperator({ menus })
  const { address, page } = editorOf(visitor)
  const path = address('item', { item: '/items/1/children/0' })
  const form = fieldsOf(await visitor.look(path), 'visibleFrom')
  const sent = await visitor.send(path, { ...form, visibleFrom: ` ${FROM} `, visibleUntil: UNTIL })
  assert.is(sent.status, 303, textOfPage(sent))
  const rowIn = async (language: string): Promise<string> =>
    textOfPage(await visitor.look(address('edit'), { 'accept-language': language }))
  assert.match(
    await rowIn('en'),
    /Lamps Changed \/lamps from 30 Nov(?: 2026)?, 23:00 UTC until 7 Jan 2099, 07:30 UTC/,
  )
  assert.match(
    await rowIn('de'),
    /Lamps Geändert \/lamps ab 30\. Nov\.(?: 2026)?, 23:00 UTC bis 7\. Jan\. 2099, 07:30 UTC/,
  )
  const again = await visitor.look(path)
  assert.match(again.text, new RegExp(`name="visibleFrom"[^>]*value="${FROM.replace('+', '\\+')}"`))
  assert.match(textOfPage(await page()), /1 change, not published/)
})

test('A time that is none, or a window that ends before it begins, is an error at its field', async () => {
  const [visitor] = await openForOperator({ menus })
  const path = editorOf(visitor).address('item', { item: '/items/0' })
  const form = fieldsOf(await visitor.look(path), 'visibleFrom')
  for (const [visibleFrom, visibleUntil, field, words] of [
    ['2026-12-01', '', 'visibleFrom', 'is a day, not a time'],
    ['', '2026-12-01T00:00:00', 'visibleUntil', 'has no offset'],
    [UNTIL, FROM, 'visibleUntil', 'The end is not after the start'],
  ] as const) {
    const answer = await visitor.send(path, { ...form, visibleFrom, visibleUntil })
    assert.is(answer.status, 422)
    assert.match(textOfPage(answer), words)
    assert.match(answer.text, new RegExp(`id="${field}"[^>]*aria-invalid="true"`))
  }
})

test('The form of a menu sets its time window, and an empty field takes it away', async () => {
  const [visitor] = await openForOperator({ menus })
  const path = `${HOME}/settings?file=main.yaml`
  const save = async (visibleFrom: string): Promise<string> => {
    const form = fieldsOf(await visitor.look(path), 'visibleFrom')
    const { status } = await visitor.send(path, { ...form, visibleFrom })
    assert.is(status, visibleFrom === 'soon' ? 422 : 303)
    return /name="visibleFrom"[^>]*value="([^"]*)"/.exec((await visitor.look(path)).text)?.[1] ?? 'none'
  }
  assert.equal([await save('soon'), await save(FROM), await save('')], ['', FROM, ''])
})

test('The preview shows a menu as of another time, and a time that is none is an error at its field', async () => {
  const timed = NESTED.replace('url: /lamps', `url: /lamps\n        visibleFrom: ${UNTIL}`)
  const [{ look }] = await openForOperator({ menus: { 'main.yaml': timed } })
  const at = (now: string) => look(`${HOME}/preview?${new URLSearchParams({ file: 'main.yaml', now })}`)
  assert.not.match(textOfPage(await at('')), /What visitors see.*Products Lamps.*Blog.*JSON of the API/)
  assert.match(textOfPage(await at(UNTIL)), /What visitors see.*Lamps.*JSON of the API/)
  const wrong = await at('2099-01-07')
  assert.is(wrong.status, 400)
  assert.match(wrong.text, /id="now"[^>]*aria-invalid="true"/)
})

test.run()
